package script

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"helve/executor"
	"helve/sandbox"
	"helve/tool"
)

// errorf is an error for the model, which names the tool.
func (s *script) errorf(kind tool.Kind, cause error, format string, args ...any) *tool.Error {
	return &tool.Error{Kind: kind, Message: s.definition.Name + ": " + fmt.Sprintf(format, args...), Err: cause}
}

// cause is for a person, and what the sandbox said, if it said something.
func (s *script) cause(said error, format string, args ...any) error {
	return &Advice{Text: fmt.Sprintf(format, args...), Err: said}
}

// raise tells a person which key of tool.yaml gives more.
func (s *script) raise(key string) error {
	return s.cause(nil, "if it needs more: %s in %s/%s raises the limit", key, s.folder, FileName)
}

// unavailable is for a machine without a sandbox.
func (s *script) unavailable(err error) *tool.Error {
	return s.errorf(tool.KindUnavailable, err, "it can't run on this machine, which has no sandbox for it: tell the user, and go on without it")
}

// notRun is for what never began.
func (s *script) notRun(ctx context.Context, err error) *tool.Error {
	switch {
	case errors.Is(err, sandbox.ErrUnavailable):
		return s.unavailable(err)
	case ctx.Err() != nil:
		return tool.AsError(ctx.Err())
	case errors.Is(err, sandbox.ErrExec):
		return s.notThere(err)
	case errors.Is(err, sandbox.ErrSpec):
		why := strings.TrimPrefix(err.Error(), sandbox.ErrSpec.Error()+": ")
		return s.errorf(tool.KindUnavailable, s.cause(err, "what %s/%s asks for can't be had: %s", s.folder, FileName, why), "it can't run as it is set up: tell the user, and go on without it")
	}
	return s.errorf(tool.KindUnavailable, s.cause(err, "%s: %v", s.folder, err), "it can't run now")
}

// notThere is for a script without the program that runs it.
func (s *script) notThere(err error) *tool.Error {
	what := cmp.Or(s.program.needs, s.program.args[0])
	return s.errorf(tool.KindUnavailable,
		s.cause(err, "%s: %v: %s must be below /usr of this machine, where a virtual environment or a home folder is not; install it there, or name another in %s", s.folder, err, what, FileName),
		"it can't run, because %s is not in the sandbox or can't be executed: tell the user, and go on without it", what)
}

// failure is the error of a run that did not end well; said is the end of what it wrote
// to standard error. It is nil where all went well.
func (s *script) failure(ctx context.Context, r *sandbox.Result, said string) *tool.Error {
	switch {
	case r.Reason != "":
		e := s.stopped(ctx, r)
		if said != "" && e.Kind != tool.KindCanceled {
			e.Detail = map[string]any{"last_output": said}
		}
		return e
	case r.Signal != "":
		e := s.errorf(tool.KindExecution, s.likely(said), "it was ended by %s", r.Signal)
		e.Message = withLines(e.Message, said)
		e.Detail = map[string]any{"signal": r.Signal}
		return e
	case r.ExitCode != 0:
		return s.exited(r, said)
	}
	return nil
}

// stopped says which limit ended a run: to the model what to do, to the log how to raise
// the limit.
func (s *script) stopped(ctx context.Context, r *sandbox.Result) *tool.Error {
	switch r.Reason {
	case sandbox.Timeout:
		return s.errorf(tool.KindTimeout, s.raise("timeout"), "it was stopped after %v, the longest it may run: ask it for less at once", s.limits.Time)
	case sandbox.CPU:
		return s.errorf(tool.KindTimeout, s.raise("limits.cpu"), "it was stopped after %v of computing, the most it may use: ask it for less at once", s.limits.CPU)
	case sandbox.Memory:
		return s.errorf(tool.KindExecution, s.raise("limits.memory"), "it was stopped, because it needed more memory than it may have%s: give it less at once", limit(s.limits.Memory))
	case sandbox.Processes:
		return s.errorf(tool.KindExecution, s.raise("limits.processes"), "it was stopped, because it started too many processes: give it less at once")
	case sandbox.Output:
		return s.errorf(tool.KindExecution, s.cause(nil, "%s printed more than the sandbox lets any program: it should write a file in out instead", s.folder), "it was stopped, because it printed far too much: ask it for less")
	case sandbox.Canceled:
		if err := ctx.Err(); err != nil {
			return tool.AsError(err)
		}
		return s.errorf(tool.KindCanceled, nil, "the call was canceled")
	}
	return s.errorf(tool.KindExecution, nil, "it was stopped (%s)", r.Reason)
}

// limit is a number of bytes in brackets, where tool.yaml says one.
func limit(n int64) string {
	if n == 0 {
		return ""
	}
	return " (" + sizeText(n) + ")"
}

// mostTold is how many bytes of an error the model reads.
const mostTold = 4 << 10

// exited is for a script that ended itself: in its own words, if it printed
// {"error": "…"}; else with the end of what it wrote, to standard error or at all.
func (s *script) exited(r *sandbox.Result, said string) *tool.Error {
	if e := s.ownError(r.Stdout); e != nil {
		return e
	}
	if r.ExitCode == envFailed && strings.Contains(said, "env: ") && s.program.needs != "" && strings.Contains(said, s.program.needs) {
		return s.notThere(fmt.Errorf("%w: %s is not in %s", sandbox.ErrExec, s.program.needs, searchedText))
	}
	e := s.errorf(tool.KindExecution, s.likely(said), "it failed with exit code %d", r.ExitCode)
	e.Detail = map[string]any{"exit_code": r.ExitCode}
	if said == "" {
		said = lastOf(s.clean(r.Stdout))
	}
	e.Message = withLines(e.Message, said)
	if cutOff.MatchString(said) {
		e.Message += "\n" + onItsOwn
	}
	return e
}

// cutOff is what programs say that look for a library, or another machine, and find none.
var cutOff = regexp.MustCompile(`ModuleNotFoundError|No module named|Cannot find (?:module|package) |MODULE_NOT_FOUND|externally-managed-environment|PEP 668` +
	`|(?i:name resolution|name or service not known|could not resolve host|unable to resolve host|getaddrinfo|ENOTFOUND|EAI_AGAIN|network is unreachable|NewConnectionError|urlopen error|socket\.socket|curl: \([67]\))`)

const onItsOwn = "A script has no network, and no libraries but those of the machine and of its own folder: trying again, or installing one, does not help."

// envFailed is the exit code of env where it doesn't find what a #! line names behind it.
const envFailed = 127

// noMemory is what programs say that ask for memory and get none: a limit that needs no
// kill.
var noMemory = regexp.MustCompile(`(?i)MemoryError|out of memory|cannot allocate memory|bad_alloc`)

// likely is the cause that the end of standard error tells, for the log.
func (s *script) likely(said string) error {
	if noMemory.MatchString(said) {
		return s.raise("limits.memory")
	}
	return nil
}

// ownError reads {"error": "…"}. What else is in it becomes the error's detail.
func (s *script) ownError(printed []byte) *tool.Error {
	var own map[string]any
	d := json.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(printed, []byte("\uFFFD"))))
	d.UseNumber()
	if d.Decode(&own) != nil || d.More() {
		return nil
	}
	text, ok := own["error"].(string)
	if text = s.clean([]byte(text)); !ok || text == "" {
		return nil
	}
	delete(own, "error")
	if detail, err := json.Marshal(own); len(own) == 0 || err != nil || len(detail) > mostTold {
		own = nil
	}
	return &tool.Error{Kind: tool.KindExecution, Message: executor.RedactExcerpt(text, mostTold), Detail: own}
}

func withLines(message, lines string) string {
	if lines == "" {
		return message + ", and said nothing"
	}
	return message + ":\n" + lines
}

// lastOf returns the last lines of a text.
func lastOf(text string) string {
	lines := strings.Split(text, "\n")
	return executor.RedactExcerpt(strings.Join(lines[max(0, len(lines)-lastLines):], "\n"), mostTold)
}
