package script

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"helve/internal/keylike"
	"helve/internal/secret"
	"helve/internal/tail"
	"helve/sandbox"
	"helve/schema"
	"helve/tool"
)

// script is one tool. Nothing in it changes.
type script struct {
	definition tool.Definition
	parameters *schema.Schema
	program    program
	folder     string // below the workspace
	files      []sandbox.File
	digest     string // of the files
	env        map[string]string
	limits     sandbox.Limits
	input      string
	output     string
	secrets    []string // that no result, log or error may show
	runner     func() (sandbox.Runner, error)
	log        *slog.Logger
}

// Definition makes script a [tool.Tool].
func (s *script) Definition() tool.Definition { return s.definition }

// Call makes script a [tool.Tool].
func (s *script) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	spec, err := s.spec(call.Arguments)
	if err != nil {
		return tool.Result{}, err
	}
	if s.runner == nil {
		return tool.Result{}, s.unavailable(errors.New("the program that loaded the workspace has no sandbox for it"))
	}
	runner, err := s.runner()
	if err != nil {
		return tool.Result{}, s.unavailable(err)
	}
	result, err := runner.Run(ctx, spec)
	if err != nil {
		return tool.Result{}, s.notRun(ctx, err)
	}
	s.hide(result)
	said := s.tell(result)
	if failed := s.failure(ctx, result, said); failed != nil {
		return tool.Result{}, failed
	}
	return s.success(result)
}

// spec is what runs for these arguments.
func (s *script) spec(arguments []byte) (sandbox.Spec, error) {
	spec := sandbox.Spec{Args: slices.Clone(s.program.args), Files: s.files, Env: maps.Clone(s.env), Limits: s.limits}
	if s.input != inputArguments {
		spec.Stdin = line(arguments)
		return spec, nil
	}
	flags, err := flags(s.parameters, arguments)
	if err != nil {
		return sandbox.Spec{}, s.errorf(tool.KindInvalidParameters, nil, "%v", err)
	}
	spec.Args = append(spec.Args, flags...)
	return spec, nil
}

// hide takes the secrets that tool.yaml gave to the script out of what it printed.
func (s *script) hide(r *sandbox.Result) {
	r.Stdout, r.Stderr = secret.Hide(r.Stdout, s.secrets), secret.Hide(r.Stderr, s.secrets)
	for i, left := range r.Left {
		r.Left[i] = string(secret.Hide([]byte(left), s.secrets))
	}
}

// clean is what was printed, as text. A colour in the middle of a secret hid it from hide.
func (s *script) clean(printed []byte) string {
	return string(secret.Hide([]byte(clean(printed)), s.secrets))
}

// lastLines is how much of standard error an error tells.
const lastLines = 10

// tell logs what the script wrote to standard error, and returns the end of it.
func (s *script) tell(r *sandbox.Result) (last string) {
	if r.Reason == "" && r.Signal == "" && r.ExitCode == 0 { // of another no file is handed on
		s.tellLost(r.Left)
	}
	if len(r.Stderr) == 0 {
		return ""
	}
	text := s.clean(r.Stderr)
	t := tail.New(s.log.With("script", s.folder, "digest", s.digest[:12]), slog.LevelInfo, "a script wrote to its standard error", len(text)+1)
	fmt.Fprintln(t, text) // it never fails
	return t.Last(lastLines)
}

// tellLost warns of files in out that could not be handed on. What stays elsewhere was
// never meant to be.
func (s *script) tellLost(left []string) {
	for _, l := range left {
		if strings.HasPrefix(l, OutFolder+"/") || strings.HasPrefix(l, OutFolder+": ") {
			s.log.Warn("a file that a script made is lost", "script", s.folder, "file", l)
		}
	}
}

// secretsOf are the values of the environment that nothing may show: those under a name
// that says so, here or there, and what looks like a key. Others, such as a region, are
// part of what a script talks of.
func secretsOf(c *Config, environment map[string]string) []string {
	found := map[string]bool{}
	note := func(name, value string) {
		if secret.IsNamed(name) || keylike.Text(value) {
			found[value] = true
		}
	}
	for name, value := range c.Env {
		note(name, value.Reveal())
	}
	for name, value := range environment {
		note(name, value)
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b string) int { return len(b) - len(a) }) // one may hold another
}
