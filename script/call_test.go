package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/sandbox"
	"helve/tool"
)

const plain = "-- a/tool.yaml --\nname: a\ndescription: A.\ncommand: [./run.py]\n-- a/run.py --\n#!/usr/bin/env -S python3 -I\n"

// answering is a runner whose runs all end in the same way.
func answering(r sandbox.Result, err error) *fake {
	return &fake{answer: func(context.Context, sandbox.Spec) (*sandbox.Result, error) {
		if err != nil {
			return nil, err
		}
		one := r
		return &one, nil
	}}
}

func call(t *testing.T, extra string, r sandbox.Result, err error) (tool.Result, error) {
	t.Helper()
	archive := strings.Replace(plain, "command:", extra+"command:", 1)
	return oneTool(t, archive, answering(r, err), nil, nil).Call(t.Context(), tool.Call{Arguments: json.RawMessage(`{}`)})
}

func TestSuccess(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ extra, printed, want string }{
		"text":                   {"", "hello\nworld\n", "hello\nworld"},
		"text with colours":      {"", "\x1b[1;31mred\x1b[0m\r\n\x1b]0;title\x07x\b\n\n", "red\nx"},
		"text that is not UTF-8": {"", "a\xffb", "a\uFFFDb"},
		"nothing":                {"", " \n", "a ended well and printed nothing."},
		"JSON as text":           {"", `{"a": 1}`, `{"a": 1}`},
		"JSON":                   {"output: json\n", " {\"a\": 1.50, \"b\": [ 10000000000000000000001 ]}\n", `{"a":1.50,"b":[10000000000000000000001]}`},
		"JSON with a BOM":        {"output: json\n", "\xef\xbb\xbf[1]", `[1]`},
		"JSON, not UTF-8":        {"output: json\n", "\"a\xff\"", "\"a\uFFFD\""},
	} {
		r, err := call(t, test.extra, sandbox.Result{Stdout: []byte(test.printed)}, nil)
		if err != nil || r.Text() != test.want || r.Artifact != nil {
			t.Errorf("%s: got %q, %v, want %q", name, r.Text(), err, test.want)
		}
	}
}

func TestTooMuch(t *testing.T) {
	t.Parallel()
	r, err := call(t, "limits: {output: 5b}\n", sandbox.Result{Stdout: []byte("äöü")[:5], Truncated: true}, nil)
	if err != nil || r.Text() != "äö\n[cut here: the first 4 bytes of a longer output]" {
		t.Errorf("got %q, %v", r.Text(), err)
	}
	r, err = call(t, "", sandbox.Result{Stdout: []byte("short"), Truncated: true}, nil) // that was standard error
	if err != nil || r.Text() != "short" {
		t.Errorf("got %q, %v", r.Text(), err)
	}
}

// TestFailure: each error is one that a model can act on, and its cause says more to the
// host.
func TestFailure(t *testing.T) {
	t.Parallel()
	unavailable := &sandbox.UnavailableError{Stage: "clone", Errno: syscall.EPERM, Hint: "a hint for a person"}
	for name, test := range map[string]struct {
		extra         string
		result        sandbox.Result
		err           error
		kind          tool.Kind
		message, want string // want is in the cause
		detail        map[string]any
		is            error
	}{
		"its own words": {result: sandbox.Result{ExitCode: 1, Stdout: []byte(`{"error": "no such town: \u001b[1mOz", "towns": ["Ulm"]}` + "\n"), Stderr: []byte("x")},
			kind: tool.KindExecution, message: "no such town: Oz", detail: map[string]any{"towns": []any{"Ulm"}}},
		"standard error": {result: sandbox.Result{ExitCode: 2, Stdout: []byte("half"), Stderr: []byte("1\n\n\x1b[31mValueError: x\x1b[0m\n")},
			kind: tool.KindExecution, message: "a: it failed with exit code 2:\n1\nValueError: x", detail: map[string]any{"exit_code": 2}},
		"only the last lines": {result: sandbox.Result{ExitCode: 1, Stderr: []byte(strings.Repeat("x\n", 50) + "1\n2\n3\n4\n5\n6\n7\n8\n9\n10")},
			kind: tool.KindExecution, message: "a: it failed with exit code 1:\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10", detail: map[string]any{"exit_code": 1}},
		"standard output": {result: sandbox.Result{ExitCode: 1, Stdout: []byte("usage: x\n")},
			kind: tool.KindExecution, message: "a: it failed with exit code 1:\nusage: x", detail: map[string]any{"exit_code": 1}},
		"silence": {result: sandbox.Result{ExitCode: 1},
			kind: tool.KindExecution, message: "a: it failed with exit code 1, and said nothing", detail: map[string]any{"exit_code": 1}},
		"an error that is no text": {result: sandbox.Result{ExitCode: 1, Stdout: []byte(`{"error": 5}`)},
			kind: tool.KindExecution, message: "a: it failed with exit code 1:\n{\"error\": 5}", detail: map[string]any{"exit_code": 1}},
		"an interpreter that env lacks": {result: sandbox.Result{ExitCode: 127, Stderr: []byte("/usr/bin/env: ‘python3’: No such file or directory\n")},
			kind: tool.KindUnavailable, message: "a: it can't run, because python3 is not in the sandbox or can't be executed: tell the user, and go on without it", want: "tools/script/a: the program can't be executed: python3 is not in /usr/local/bin, /usr/bin or /bin: python3 must be below /usr of this machine", is: sandbox.ErrExec},
		"a library": {result: sandbox.Result{ExitCode: 1, Stderr: []byte("ModuleNotFoundError: No module named 'requests'\n")},
			kind: tool.KindExecution, message: "a: it failed with exit code 1:\nModuleNotFoundError: No module named 'requests'\n" + onItsOwn, detail: map[string]any{"exit_code": 1}},
		"a package": {result: sandbox.Result{ExitCode: 1, Stderr: []byte("Error: Cannot find module 'left-pad'\n")},
			kind: tool.KindExecution, message: "a: it failed with exit code 1:\nError: Cannot find module 'left-pad'\n" + onItsOwn, detail: map[string]any{"exit_code": 1}},
		"the network": {result: sandbox.Result{ExitCode: 6, Stderr: []byte("curl: (6) Could not resolve host: example.org\n")},
			kind: tool.KindExecution, message: "a: it failed with exit code 6:\ncurl: (6) Could not resolve host: example.org\n" + onItsOwn, detail: map[string]any{"exit_code": 6}},
		"no memory": {result: sandbox.Result{ExitCode: 1, Stderr: []byte("MemoryError\n")},
			kind: tool.KindExecution, message: "a: it failed with exit code 1:\nMemoryError", want: "limits.memory in", detail: map[string]any{"exit_code": 1}},
		"a signal": {result: sandbox.Result{ExitCode: -1, Signal: "SIGSEGV"},
			kind: tool.KindExecution, message: "a: it was ended by SIGSEGV, and said nothing", detail: map[string]any{"signal": "SIGSEGV"}},

		"timeout": {extra: "timeout: 2s\n", result: sandbox.Result{ExitCode: -1, Reason: sandbox.Timeout, Stderr: []byte("page 3\n")},
			kind: tool.KindTimeout, message: "a: it was stopped after 2s, the longest it may run: ask it for less at once", want: "if it needs more: timeout in tools/script/a/tool.yaml raises the limit", detail: map[string]any{"last_output": "page 3"}},
		"cpu": {extra: "limits: {cpu: 1s}\n", result: sandbox.Result{Reason: sandbox.CPU},
			kind: tool.KindTimeout, message: "a: it was stopped after 1s of computing, the most it may use: ask it for less at once", want: "limits.cpu in"},
		"memory": {extra: "limits: {memory: 64MiB}\n", result: sandbox.Result{Reason: sandbox.Memory},
			kind: tool.KindExecution, message: "a: it was stopped, because it needed more memory than it may have (64MiB): give it less at once", want: "limits.memory in"},
		"processes": {result: sandbox.Result{Reason: sandbox.Processes},
			kind: tool.KindExecution, message: "a: it was stopped, because it started too many processes: give it less at once", want: "limits.processes in"},
		"output": {result: sandbox.Result{Reason: sandbox.Output, Stdout: []byte("x")},
			kind: tool.KindExecution, message: "a: it was stopped, because it printed far too much: ask it for less", want: "write a file in out"},
		"canceled":          {result: sandbox.Result{Reason: sandbox.Canceled}, kind: tool.KindCanceled, message: "a: the call was canceled"},
		"an unknown reason": {result: sandbox.Result{Reason: "moon"}, kind: tool.KindExecution, message: "a: it was stopped (moon)"},

		"no JSON": {extra: "output: json\n", result: sandbox.Result{Stdout: []byte("loading…\n{}")},
			kind: tool.KindExecution, message: "a: it printed no JSON, which it should: \"loading…\\n{}\"", want: "print what is no result to standard error"},
		"half JSON": {extra: "output: json\nlimits: {output: 3b}\n", result: sandbox.Result{Stdout: []byte("[1,"), Truncated: true},
			kind: tool.KindExecution, message: "a: its answer is longer than 3 bytes, and half of it would be no JSON: ask for less", want: "limits.output in"},
		"no text": {result: sandbox.Result{Stdout: []byte("a\x00b")},
			kind: tool.KindExecution, message: "a: it printed 3 bytes that are no text", want: "write it to a file in out"},

		"no isolation": {err: fmt.Errorf("run: %w", unavailable),
			kind: tool.KindUnavailable, message: "a: it can't run on this machine, which has no sandbox for it: tell the user, and go on without it", want: "a hint for a person"},
		"no interpreter": {err: fmt.Errorf("%w: ENOENT", sandbox.ErrExec),
			kind: tool.KindUnavailable, message: "a: it can't run, because python3 is not in the sandbox or can't be executed: tell the user, and go on without it", want: "python3 must be below /usr of this machine"},
		"a spec":        {err: fmt.Errorf("%w: the limit of memory is 1 bytes", sandbox.ErrSpec), kind: tool.KindUnavailable, message: "a: it can't run as it is set up: tell the user, and go on without it", want: "what tools/script/a/tool.yaml asks for can't be had: the limit of memory is 1 bytes"},
		"anything else": {err: errors.New("disk on fire"), kind: tool.KindUnavailable, message: "a: it can't run now", want: "disk on fire"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := call(t, test.extra, test.result, test.err)
			e := tool.AsError(err)
			if e == nil || e.Kind != test.kind || e.Message != test.message {
				t.Fatalf("got  %v\nwant %s: %s", err, test.kind, test.message)
			}
			if test.want != "" && (e.Err == nil || !strings.Contains(e.Err.Error(), test.want)) {
				t.Errorf("the cause is %v, want %s", e.Err, test.want)
			}
			if test.err != nil && !errors.Is(err, test.err) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("the cause is lost: %v", e.Err)
			}
			if advice := (*Advice)(nil); test.want != "" && !errors.Is(err, sandbox.ErrUnavailable) && !errors.As(err, &advice) {
				t.Errorf("the cause is for no person: %v", e.Err)
			}
			if d := cmp.Diff(test.detail, e.Detail); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestACallThatEnds is canceled, or too late, whatever the sandbox calls it.
func TestACallThatEnds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		result *sandbox.Result
		end    func(context.Context) (context.Context, context.CancelFunc)
		want   tool.Kind
	}{
		"canceled before":  {nil, context.WithCancel, tool.KindCanceled},
		"canceled in time": {&sandbox.Result{Reason: sandbox.Canceled}, context.WithCancel, tool.KindCanceled},
		"too late":         {&sandbox.Result{Reason: sandbox.Canceled}, func(c context.Context) (context.Context, context.CancelFunc) { return context.WithTimeout(c, 0) }, tool.KindTimeout},
	} {
		ctx, cancel := test.end(t.Context())
		runner := &fake{answer: func(ctx context.Context, _ sandbox.Spec) (*sandbox.Result, error) {
			cancel()
			if test.result == nil {
				return nil, ctx.Err()
			}
			return test.result, nil
		}}
		_, err := oneTool(t, plain, runner, nil, nil).Call(ctx, tool.Call{})
		if tool.AsError(err).Kind != test.want {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestFilesBecomeTheArtifact(t *testing.T) {
	t.Parallel()
	made := fstest.MapFS{
		"scratch.txt": {Data: []byte("x")}, "out/b.csv": {Data: []byte("a,b\n")}, "out/a/plot.png": {Data: []byte("\x89PNG")},
		"out/beep.wav": {Data: []byte("RIFF")}, "out/what": {Data: []byte{0xff}}, "out/link": {Mode: fs.ModeSymlink}, "out/.keep": {},
	}
	r, err := call(t, "", sandbox.Result{Stdout: []byte("done"), Files: made}, nil)
	if err != nil {
		t.Fatal(err)
	}
	files := r.Artifact.(Files)
	got, _ := json.Marshal(files)
	want := `[{"name":"a/plot.png","media_type":"image/png","size":4},{"name":"b.csv","media_type":"text/csv","size":4},{"name":"beep.wav","media_type":"audio/wav","size":4},{"name":"what","media_type":"application/octet-stream","size":1}]`
	if string(got) != want {
		t.Errorf("got %s", got)
	}
	parts := []message.Part{
		message.Image{Data: []byte("\x89PNG"), MediaType: "image/png"}, message.File{Name: "b.csv", Data: []byte("a,b\n"), MediaType: "text/csv"},
		message.Audio{Data: []byte("RIFF"), MediaType: "audio/wav"}, message.File{Name: "what", Data: []byte{0xff}, MediaType: "application/octet-stream"},
	}
	if d := cmp.Diff(parts, tool.Attacher(files).Attachments()); d != "" {
		t.Error(d)
	}
	for _, none := range []fs.FS{nil, fstest.MapFS{}, fstest.MapFS{"out": {Data: []byte("a file")}}} {
		if r, err := call(t, "", sandbox.Result{Files: none}, nil); err != nil || r.Artifact != nil {
			t.Errorf("got %v, %v", r.Artifact, err)
		}
	}
}

// TestSecretsStay: what tool.yaml gave to a script comes back in no result, error or log.
func TestSecretsStay(t *testing.T) {
	t.Parallel()
	const key = "hunter2 <and> more"
	quoted, _ := json.Marshal(key)
	for _, r := range []sandbox.Result{
		{Stdout: []byte("the key is " + key), Stderr: []byte("key: " + key)},
		{ExitCode: 1, Stdout: []byte(`{"error":` + string(quoted) + `,"k":` + string(quoted) + `}`)},
		{ExitCode: 1, Stderr: []byte("KeyError: " + key)},
		{ExitCode: 1, Stderr: []byte("password=" + "swordfish1")},
		{Reason: sandbox.Timeout, Stderr: []byte(key)},
	} {
		log, told := logged()
		one := oneTool(t, strings.Replace(plain, "command:", "env: {SERVICE_TOKEN: '${T}'}\ncommand:", 1), answering(r, nil), log, env{"T": key})
		result, err := one.Call(t.Context(), tool.Call{})
		model := []byte(result.Text())
		if err != nil {
			model, _ = json.Marshal(tool.AsError(err))
		}
		for _, text := range []string{string(model), told(), fmt.Sprintf("%+v %v", errors.Unwrap(err), result)} {
			if strings.Contains(text, "hunter2") || strings.Contains(text, "swordfish1") {
				t.Errorf("it is shown: %s", text)
			}
		}
		if len(r.Stderr) > 0 && !strings.Contains(told(), "level=INFO msg=\"a script wrote to its standard error\" tool=a script=tools/script/a digest=") {
			t.Errorf("the log says %s", told())
		}
	}
}

// TestAFileThatIsLostIsLogged: one that was meant to be handed on, and no other.
func TestAFileThatIsLostIsLogged(t *testing.T) {
	t.Parallel()
	left := []string{"cache/x: its 5 bytes are too many", "out/huge: too large", "outer: too large", "and 3 more"}
	for _, r := range []sandbox.Result{{Left: left}, {Left: left, ExitCode: 1}, {Left: left, Reason: sandbox.Timeout}} {
		log, told := logged()
		_, _ = oneTool(t, plain, answering(r, nil), log, nil).Call(t.Context(), tool.Call{})
		warned := strings.Count(told(), "level=WARN")
		if well := r.ExitCode == 0 && r.Reason == ""; well && (warned != 1 || !strings.Contains(told(), "out/huge: too large")) || !well && warned != 0 {
			t.Errorf("%+v: the log says %s", r, told())
		}
	}
}

// TestOutIsThere before a script starts, unless its folder has one.
func TestOutIsThere(t *testing.T) {
	t.Parallel()
	for more, want := range map[string]string{
		"":                         "out/.keep",
		"-- a/out/template --\n":   "out/template",
		"-- a/out --\na program\n": "out",
	} {
		runner := &fake{}
		if _, err := oneTool(t, plain+more, runner, nil, nil).Call(t.Context(), tool.Call{}); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, f := range runner.specs[0].Files {
			if strings.HasPrefix(f.Name, "out") {
				out = append(out, f.Name)
			}
		}
		if strings.Join(out, " ") != want {
			t.Errorf("got %v, want %s", out, want)
		}
	}
}
