package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"helve/catalog"
	"helve/executor"
	"helve/gofunc"
	"helve/netpolicy"
	"helve/sandbox"
	"helve/tool"
)

func (a *app) toolsCallCommand() *cobra.Command {
	var raw, to string
	var force bool
	cmd := &cobra.Command{
		Use:   "call NAME [KEY=VALUE | KEY:=JSON | KEY=@FILE]...",
		Short: "Call a tool, without a model",
		Long: `Call runs a tool with the same checks and limits as a model's call.

KEY=VALUE gives text, which becomes a number or a boolean where the tool's schema
says so; KEY:=JSON gives any JSON value; KEY=@FILE gives what is in FILE. --args
gives the whole object: JSON, @FILE, or - for standard input.

The result goes to standard output. Files that the tool made are named on standard error, and
put into the folder of --out. A tool that fails, or is unknown, exits 5.

With --json the result is an object:

  name, content, duration_ms  content is the text, with a note for what is none
  parts         where there is more than text: all of the content, in order, each
                with type (text, image, audio, file, resource), size in bytes, text or
                data (base64), and name, uri, url, media_type where it has them
  attachments   such parts that the tool has for people, and not for a model
  artifact      what the tool has for programs: of an MCP server's tool an object with
                structured (its structured content) and meta

An error is {"error":{"code","message","hint","details"}} on standard error; the
artifact of a call that failed is in details.`,
		Example: `  helve tools call calculate expression='2^10'
  helve tools call current_time timezone=Asia/Shanghai
  helve tools call calculate --args '{"expression": "1/3"}' --json
  helve tools call camera__take --json | jq -r '.parts[] | select(.type == "image").data' | base64 -d > a.png`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.completeCall,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("out") && to == "" {
				return usage("--out is empty: name a folder")
			}
			if force && to == "" {
				return usage("--force goes with --out")
			}
			out, err := openOutlet(to, force)
			if err != nil {
				return err
			}
			defer out.close()
			return a.callTool(cmd.Context(), args[0], args[1:], raw, out)
		},
	}
	cmd.Flags().StringVar(&raw, "args", "", "all arguments as a `JSON` object")
	cmd.Flags().StringVar(&to, "out", "", "put the files that it makes into `DIR`")
	cmd.Flags().BoolVar(&force, "force", false, "with --out: overwrite files that are there")
	return cmd
}

func (a *app) callTool(ctx context.Context, name string, pairs []string, raw string, out *outlet) error {
	r, err := a.registry(ctx)
	if err != nil {
		return err
	}
	arguments := json.RawMessage("{}")
	if t, ok := r.Lookup(name); ok {
		if r, arguments, err = a.argumentsOf(ctx, r, t, pairs, raw); err != nil {
			return err
		}
	}
	settings, err := a.catalog.Settings()
	if err != nil {
		return usage("%w", err)
	}
	watch, err := a.watcher(ctx, settings)
	if err != nil {
		return err
	}
	db, err := a.database(ctx, a.catalog, false)
	if err != nil {
		return err
	}
	call, answers := tool.Call{ID: "call_1", Name: name, Arguments: arguments}, a.answering(nil)
	rt := &tool.Runtime{Answer: func(ctx context.Context, _ tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
		return answers(ctx, call, questions)
	}}
	if db != nil {
		rt.Store = db.Tools()
	}
	e := executor.New(watch.Executor(executor.Config{Tools: r, Timeout: cmp.Or(a.timeout, settings.Timeout), Logger: a.logger()}))
	result := e.Execute(tool.WithRuntime(ctx, rt), []tool.Call{call})[0]
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if a.json || a.jsonl {
		return a.encodeCall(name, r, result, out)
	}
	if result.Err != nil {
		return a.explained(name, callFailed(name, r, result.Err, nil), result.Err)
	}
	text := plain(result.Output.Content)
	if isTerminal(a.std.out) {
		text = printable(text)
	}
	fmt.Fprint(a.std.out, text)
	if !strings.HasSuffix(text, "\n") {
		fmt.Fprintln(a.std.out)
	}
	return a.tellMade(result.Output.Artifact, out)
}

// encodeCall prints what came of a call for programs.
func (a *app) encodeCall(name string, r *tool.Registry, result executor.Result, out *outlet) error {
	called, lost := newCalledTool(name, result.Output, result.Duration)
	if lost != nil {
		fmt.Fprintf(a.std.err, "helve: warning: %s\n", printable(lost.Error()))
	}
	if result.Err != nil {
		return a.explained(name, callFailed(name, r, result.Err, called.Artifact), result.Err)
	}
	encode(a.std.out, called)
	return a.tellMade(result.Output.Artifact, out)
}

// explained adds to the error of a call why a script failed, which is for the person alone,
// where nothing else tells what to do.
func (a *app) explained(name string, f *failure, e *tool.Error) error {
	ofScript := slices.ContainsFunc(a.catalog.Entries(), func(e catalog.Entry) bool {
		return e.Tool.Definition().Name == name && e.ShadowedBy == "" && (e.Kind == skillKind || e.Kind == scriptKind)
	})
	if ofScript && f.hint == "" && e.Err != nil && !strings.Contains(e.Message, e.Err.Error()) {
		f.hint = e.Err.Error()
	}
	return f
}

// callFailed is the error of a call, with the artifact that it gave all the same.
func callFailed(name string, r *tool.Registry, e *tool.Error, artifact json.RawMessage) *failure {
	f := &failure{exitTool, string(e.Kind), errors.New(e.Message), ""}
	details := e.Detail
	if _, violations := e.Detail["violations"]; violations || e.Kind == tool.KindNotFound { // which the message tells
		details = nil
	}
	if details = withArtifact(details, artifact); len(details) > 0 {
		f.err = &detailedError{f.err, details}
	}
	switch e.Kind {
	case tool.KindInvalidParameters:
		f.hint = fmt.Sprintf("see \"helve tools show %s\"", name)
	case tool.KindNotFound:
		f.hint = hintNotFound(name, r, e)
	case tool.KindPermissionDenied, tool.KindUnavailable:
		f.hint = hintForHost(e)
	}
	return f
}

// hintNotFound is about the tool where that is what is not there, and else about what the
// tool looked for.
func hintNotFound(name string, r *tool.Registry, e *tool.Error) string {
	if _, found := r.Lookup(name); !found {
		return cmp.Or(switchedOff[name], hintFor(name, r))
	}
	if available, ok := e.Detail["available"].([]string); ok && len(available) > 0 && len(available) <= 3 {
		return "did you mean " + strings.Join(available, " or ") + "?"
	}
	return ""
}

// hintForHost says what the person who runs helve can do and a model can't.
func hintForHost(e *tool.Error) string {
	var refused *netpolicy.Refusal
	var lacking *sandbox.UnavailableError
	switch {
	case errors.As(e, &lacking):
		return lacking.Hint + hintSandbox
	case errors.Is(e, sandbox.ErrExec):
		return e.Err.Error()
	case errors.As(e, &refused) && refused.Private:
		return "if it is meant, allow it: network: {allow_private: true} in helve.yaml, or --allow-private"
	case errors.Is(e, gofunc.ErrEnded):
		return "-v shows what it printed"
	}
	return ""
}

const maxArgument = 16 << 20 // bytes of a file or of standard input

// argumentsOf returns the arguments for the tool t of r. Where they don't fit it, and its
// server has a newer one that they may fit, r is the registry with that.
func (a *app) argumentsOf(ctx context.Context, r *tool.Registry, t tool.Tool, pairs []string, raw string) (*tool.Registry, json.RawMessage, error) {
	given, err := a.arguments(ctx, pairs, raw)
	if err != nil {
		return nil, nil, err
	}
	typed := raw != "" // KEY=VALUE is text, which becomes what the schema says
	arguments, err := fitted(t, given, typed)
	if err == nil {
		return r, arguments, nil
	}
	newer, err := a.newer(ctx, t)
	if newer == nil || err != nil {
		return r, arguments, err // the executor says what does not fit
	}
	if t, ok := newer.Lookup(t.Definition().Name); ok {
		arguments, _ = fitted(t, given, typed)
	}
	return newer, arguments, nil
}

// fitted makes arguments what a tool's schema wants. The error says that they are not.
func fitted(t tool.Tool, arguments json.RawMessage, typed bool) (json.RawMessage, error) {
	definition := t.Definition()
	if !typed {
		coerced, _, err := definition.Schema().Coerce(arguments)
		if err != nil {
			return arguments, err
		}
		arguments = coerced
	}
	_, err := tool.Prepare(definition, arguments)
	return arguments, err
}

// arguments builds the JSON object that the command line describes.
func (a *app) arguments(ctx context.Context, pairs []string, raw string) (json.RawMessage, error) {
	if raw != "" {
		if len(pairs) > 0 {
			return nil, usage("give the arguments as KEY=VALUE or with --args, not both")
		}
		return a.rawArguments(ctx, raw)
	}
	object := map[string]json.RawMessage{}
	for _, pair := range pairs {
		key, value, err := a.argument(ctx, pair)
		if err != nil {
			return nil, err
		}
		if _, twice := object[key]; twice {
			return nil, usage("the argument %s is given twice", key)
		}
		object[key] = value
	}
	return json.Marshal(object)
}

func (a *app) argument(ctx context.Context, pair string) (key string, value json.RawMessage, err error) {
	key, text, ok := strings.Cut(pair, "=")
	if !ok || key == "" || key == ":" {
		return "", nil, usage("argument %q: write it as KEY=VALUE, KEY:=JSON or KEY=@FILE", pair)
	}
	if k, isJSON := strings.CutSuffix(key, ":"); isJSON {
		if !json.Valid([]byte(text)) {
			return "", nil, usage("argument %s: %q is not JSON", k, text)
		}
		return k, json.RawMessage(text), nil
	}
	if file, isFile := strings.CutPrefix(text, "@"); isFile {
		data, err := readFile(ctx, file, maxArgument)
		if err != nil {
			return "", nil, usage("argument %s: %w", key, err)
		}
		text = string(data)
	}
	value, err = json.Marshal(text)
	return key, value, err
}

func (a *app) rawArguments(ctx context.Context, raw string) (json.RawMessage, error) {
	data := []byte(raw)
	var err error
	if raw == "-" {
		data, err = a.readStdin(ctx, maxArgument)
	} else if file, isFile := strings.CutPrefix(raw, "@"); isFile {
		data, err = readFile(ctx, file, maxArgument)
	}
	if err == nil {
		var object json.RawMessage
		err = json.Unmarshal(data, &object)
	}
	if err != nil {
		return nil, usage("--args: %w", err)
	}
	return data, nil
}

// completeCall completes a tool's name, then the keys of its arguments.
func (a *app) completeCall(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return a.completeTools(cmd, args, typed)
	}
	r, err := a.registry(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	t, ok := r.Lookup(args[0])
	if !ok {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var keys []string
	for _, p := range t.Definition().Schema().Properties() {
		given := slices.ContainsFunc(args[1:], func(arg string) bool { return strings.HasPrefix(arg, p.Name+"=") })
		if !given {
			keys = append(keys, p.Name+"=")
		}
	}
	return keys, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}
