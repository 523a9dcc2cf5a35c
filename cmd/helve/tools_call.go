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

	"helve/executor"
	"helve/gofunc"
	"helve/netpolicy"
	"helve/schema"
	"helve/tool"
)

func (a *app) toolsCallCommand() *cobra.Command {
	var raw string
	cmd := &cobra.Command{
		Use:   "call NAME [KEY=VALUE | KEY:=JSON | KEY=@FILE]...",
		Short: "Call a tool, without a model",
		Long: `Call runs a tool with the same checks and limits as a model's call.

KEY=VALUE gives text, which becomes a number or a boolean where the tool's schema
says so; KEY:=JSON gives any JSON value; KEY=@FILE gives what is in FILE. --args
gives the whole object: JSON, @FILE, or - for standard input.

The result goes to standard output. A tool that fails, or is unknown, exits 5.`,
		Example: `  helve tools call calculate expression='2^10'
  helve tools call current_time timezone=Asia/Shanghai
  helve tools call calculate --args '{"expression": "1/3"}' --json`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.completeCall,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.callTool(cmd.Context(), args[0], args[1:], raw)
		},
	}
	cmd.Flags().StringVar(&raw, "args", "", "all arguments as a `JSON` object")
	return cmd
}

func (a *app) callTool(ctx context.Context, name string, pairs []string, raw string) error {
	r, err := a.registry(ctx)
	if err != nil {
		return err
	}
	settings, err := a.catalog.Settings()
	if err != nil {
		return usage("%w", err)
	}
	arguments := json.RawMessage("{}")
	if t, ok := r.Lookup(name); ok {
		if arguments, err = a.arguments(ctx, t.Definition().Schema(), pairs, raw); err != nil {
			return err
		}
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
	if result.Err != nil {
		return callFailed(name, r, result.Err)
	}
	text := plain(result.Output.Content)
	if a.json || a.jsonl {
		encode(a.std.out, struct {
			Name       string  `json:"name"`
			Content    string  `json:"content"`
			DurationMS float64 `json:"duration_ms"`
		}{name, text, float64(result.Duration.Microseconds()) / 1000})
		return nil
	}
	if isTerminal(a.std.out) {
		text = printable(text)
	}
	fmt.Fprint(a.std.out, text)
	if !strings.HasSuffix(text, "\n") {
		fmt.Fprintln(a.std.out)
	}
	return nil
}

func callFailed(name string, r *tool.Registry, e *tool.Error) error {
	f := &failure{exitTool, string(e.Kind), errors.New(e.Message), ""}
	if _, violations := e.Detail["violations"]; len(e.Detail) > 0 && !violations && e.Kind != tool.KindNotFound { // which the message tells
		f.err = &detailedError{f.err, e.Detail}
	}
	switch e.Kind {
	case tool.KindInvalidParameters:
		f.hint = fmt.Sprintf("see \"helve tools show %s\"", name)
	case tool.KindNotFound:
		f.hint = switchedOff[name]
		if f.hint == "" {
			f.hint = hintFor(name, r)
		}
	case tool.KindPermissionDenied, tool.KindUnavailable:
		f.hint = hintForHost(e)
	}
	return f
}

// hintForHost says what the person who runs helve can do and a model can't.
func hintForHost(e *tool.Error) string {
	var refused *netpolicy.Refusal
	switch {
	case errors.As(e, &refused) && refused.Private:
		return "if it is meant, allow it: network: {allow_private: true} in helve.yaml, or --allow-private"
	case errors.Is(e, gofunc.ErrEnded):
		return "-v shows what it printed"
	}
	return ""
}

const maxArgument = 16 << 20 // bytes of a file or of standard input

// arguments builds the JSON object that the command line describes.
func (a *app) arguments(ctx context.Context, s *schema.Schema, pairs []string, raw string) (json.RawMessage, error) {
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
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	coerced, _, err := s.Coerce(data)
	return coerced, err
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
