package gofunc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"helve/catalog"
	"helve/executor"
	"helve/gofunc"
	"helve/gofunc/internal/wire"
	"helve/tool"
	"helve/tool/tooltest"
)

// tools loads the workspace's tools, to be closed with the test.
func tools(t *testing.T, options gofunc.Options, env ...string) map[string]tool.Tool {
	t.Helper()
	options.Cache = cache
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	found, err := gofunc.Source(options).Load(t.Context(), &catalog.File{Path: gofunc.Folder, Dir: workspace, Settings: &catalog.Settings{Builtin: catalog.Builtin{GoEnv: env}}})
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]tool.Tool{}
	for _, f := range found {
		if !strings.HasPrefix(f.File, gofunc.Folder+"/") || f.Line == 0 {
			t.Errorf("%s is at %s:%d", f.Tool.Definition().Name, f.File, f.Line)
		}
		byName[f.Tool.Definition().Name] = f.Tool
	}
	t.Cleanup(func() { closeAll(t, byName) })
	return byName
}

func closeAll(t *testing.T, tools map[string]tool.Tool) {
	t.Helper()
	for _, made := range tools {
		if err := made.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	made := tools(t, gofunc.Options{})
	d := made["add"].Definition()
	if !d.ReadOnly || d.Timeout.Seconds() != 20 || d.Description != "Adds two numbers." {
		t.Errorf("add: %+v", d)
	}
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{CallID: "c1", Store: tool.NewMemoryStore(), State: tool.State{Values: map[string]any{"user": "ada"}}})
	for _, test := range []struct{ tool, args, want string }{
		{"add", `{"a":1,"b":2}`, "3"},
		{"remember", `{"text":"milk"}`, "c1 milk true [note] ada"},
		{"artifact", `{}`, "small"},
	} {
		result, err := tool.Invoke(ctx, made[test.tool], tool.Call{ID: "c1", Arguments: json.RawMessage(test.args)})
		if err != nil || result.Text() != test.want {
			t.Errorf("%s(%s) = %q, %v, want %q", test.tool, test.args, result.Text(), err, test.want)
		}
		if test.tool == "artifact" && fmt.Sprintf("%s", result.Artifact) != `{"large":1}` {
			t.Errorf("the artifact is %s", result.Artifact)
		}
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	made := tools(t, gofunc.Options{})
	for _, test := range []struct {
		tool, args string
		kind       tool.Kind
		want       string
		cause      string
	}{
		{"add", `{"a":-1,"b":2}`, tool.KindExecution, "a is negative", ""},
		{"add", `{"a":"1"}`, tool.KindInvalidParameters, "/b is required", ""},
		{"explode", `{}`, tool.KindExecution, "The tool failed unexpectedly.", "boom"},
		{"die", `{}`, tool.KindUnavailable, "The program of the tool ended during the call.", "last words"},
		{"remember", `{"text":"x"}`, tool.KindExecution, "this run has no store", ""},
		{"huge", `{}`, tool.KindExecution, "larger than 16 MiB", ""},
	} {
		_, err := tool.Invoke(t.Context(), made[test.tool], tool.Call{Arguments: json.RawMessage(test.args)})
		e := tool.AsError(err)
		if e == nil || e.Kind != test.kind || !strings.Contains(e.Message, test.want) {
			t.Errorf("%s: %v, want kind %s and %q", test.tool, err, test.kind, test.want)
			continue
		}
		if test.cause != "" && (e.Err == nil || !strings.Contains(e.Err.Error(), test.cause) || strings.Contains(e.Message, test.cause)) {
			t.Errorf("%s: the cause is %v, want %q in it and not in the message", test.tool, e.Err, test.cause)
		}
	}
	// It was started again after it died.
	if r, err := tool.Invoke(t.Context(), made["add"], tool.Call{Arguments: json.RawMessage(`{"a":1,"b":1}`)}); err != nil || r.Text() != "2" {
		t.Errorf("add after a crash = %q, %v", r.Text(), err)
	}
}

// TestAFunctionAsks: the host is asked, and the function is told what came of it.
var errNoForms = fmt.Errorf("%w: this host shows no forms", tool.ErrNobody)

func TestAFunctionAsks(t *testing.T) {
	t.Parallel()
	made := tools(t, gofunc.Options{})
	for _, test := range []struct {
		name   string
		answer func(ctx context.Context, questions []tool.Question) ([]tool.Answer, error)
		kind   tool.Kind
		want   string
	}{
		{"answered", func(_ context.Context, questions []tool.Question) ([]tool.Answer, error) {
			if f := questions[0].(tool.Form); f.Fields == nil {
				return []tool.Answer{{Action: tool.Decline}}, nil
			}
			return []tool.Answer{{Action: tool.Accept, Fields: json.RawMessage(`{"name":"Ada"}`)}}, nil
		}, "", "Ada 30 false"},
		{"answered wrongly", func(context.Context, []tool.Question) ([]tool.Answer, error) {
			return []tool.Answer{{Action: tool.Accept, Fields: json.RawMessage(`{"name":""}`)}}, nil
		}, tool.KindExecution, "/name (minLength)"},
		{"declined", func(context.Context, []tool.Question) ([]tool.Answer, error) {
			return []tool.Answer{{Action: tool.Decline}}, nil
		}, tool.KindDenied, "declined"},
		{"refused", func(context.Context, []tool.Question) ([]tool.Answer, error) {
			return nil, &tool.Error{Kind: tool.KindDenied, Message: "Not now."}
		}, tool.KindDenied, "Not now."},
		{"nobody", nil, tool.KindUnavailable, "nobody is there"},
		{"nobody, for a reason of the host's", func(context.Context, []tool.Question) ([]tool.Answer, error) {
			return nil, errNoForms
		}, tool.KindUnavailable, "nobody is there"},
	} {
		rt := &tool.Runtime{CallID: "c1"}
		if test.answer != nil {
			rt.Answer = func(ctx context.Context, id tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
				if id != "c1" || len(questions) != 1 {
					t.Errorf("%s: %s asks %v", test.name, id, questions)
				}
				return test.answer(ctx, questions)
			}
		}
		result, err := tool.Invoke(tool.WithRuntime(t.Context(), rt), made["greet"], tool.Call{ID: "c1", Arguments: json.RawMessage(`{}`)})
		e := tool.AsError(err)
		switch {
		case test.kind == "" && (err != nil || result.Text() != test.want):
			t.Errorf("%s: %q, %v, want %q", test.name, result.Text(), err, test.want)
		case strings.HasPrefix(test.name, "nobody, for") && !errors.Is(err, errNoForms):
			t.Errorf("%s: %v is not the host's own error", test.name, err)
		case test.kind != "" && (e == nil || e.Kind != test.kind || !strings.Contains(e.Message, test.want)):
			t.Errorf("%s: %v, want %s and %q", test.name, err, test.kind, test.want)
		}
	}
}

// TestTheEndOfACallEndsItsQuestion: the host learns that nobody waits for the answer.
func TestTheEndOfACallEndsItsQuestion(t *testing.T) {
	t.Parallel()
	made := tools(t, gofunc.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	ctx = tool.WithRuntime(ctx, &tool.Runtime{Answer: func(ctx context.Context, _ tool.CallID, _ []tool.Question) ([]tool.Answer, error) {
		cancel()
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	}})
	_, err := tool.Invoke(ctx, made["greet"], tool.Call{Arguments: json.RawMessage(`{}`)})
	if e := tool.AsError(err); e == nil || e.Kind != tool.KindCanceled {
		t.Errorf("error %v, want one of kind canceled", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the question ended with %v", err)
	}
}

// TestAFunctionThatNoLongerWaits ends its question, while its call goes on.
func TestAFunctionThatNoLongerWaits(t *testing.T) {
	t.Parallel()
	made := tools(t, gofunc.Options{})
	ended, store := make(chan error, 1), tool.NewMemoryStore()
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{Store: store, Answer: func(ctx context.Context, _ tool.CallID, _ []tool.Question) ([]tool.Answer, error) {
		if err := store.Put(ctx, "heard", []byte("yes"), 0); err != nil {
			return nil, err
		}
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	}})
	_, err := tool.Invoke(ctx, made["hurry"], tool.Call{Arguments: json.RawMessage(`{}`)})
	if e := tool.AsError(err); e == nil || e.Kind != tool.KindCanceled {
		t.Errorf("error %v, want one of kind canceled", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the question ended with %v", err)
	}
}

// TestCancelReachesTheFunction: it learns of the end of its call, and what it wants of
// the host then is refused.
func TestCancelReachesTheFunction(t *testing.T) {
	t.Parallel()
	told := make(lines, 10)
	made := tools(t, gofunc.Options{Log: slog.New(slog.NewTextHandler(told, nil))})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ctx = tool.WithRuntime(ctx, &tool.Runtime{CallID: "w", Store: tool.NewMemoryStore(), Report: func(tool.CallID, tool.Update) { cancel() }})
	_, err := tool.Invoke(ctx, made["wait"], tool.Call{Arguments: json.RawMessage(`{}`)})
	if e := tool.AsError(err); e == nil || e.Kind != tool.KindCanceled {
		t.Errorf("error %v, want one of kind canceled", err)
	}
	for line := range told {
		if strings.Contains(line, "the wait is over: the call is over") {
			return
		}
	}
}

// lines passes on what is logged.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	select {
	case l <- string(p):
	default:
	}
	return len(p), nil
}

// TestHang: a function that never ends costs the others nothing, and ends with the
// tools.
func TestHang(t *testing.T) {
	t.Parallel()
	made := tools(t, gofunc.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var pid int
	ctx = tool.WithRuntime(ctx, &tool.Runtime{Report: func(_ tool.CallID, u tool.Update) {
		if c, ok := u.(tool.Callback); ok {
			data, _ := c.Data.(json.RawMessage)
			_ = json.Unmarshal(data, &pid)
			cancel()
		}
	}})
	if _, err := tool.Invoke(ctx, made["hang"], tool.Call{Arguments: json.RawMessage(`{}`)}); tool.AsError(err).Kind != tool.KindCanceled {
		t.Errorf("hang: %v", err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	childEnded := make(chan error, 1)
	go func() {
		_, err := os.ReadFile(pipe) // until nobody holds it any more
		childEnded <- err
	}()
	if _, err := tool.Invoke(t.Context(), made["spawn"], tool.Call{Arguments: fmt.Appendf(nil, `{"pipe":%q}`, pipe)}); err != nil {
		t.Fatal(err)
	}
	closeAll(t, made)
	if err := <-childEnded; err != nil {
		t.Error(err)
	}
	if err := syscall.Kill(pid, 0); pid == 0 || !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d outlived the tools: %v", pid, err)
	}
	if _, err := tool.Invoke(t.Context(), made["add"], tool.Call{Arguments: json.RawMessage(`{"a":1,"b":1}`)}); tool.AsError(err).Kind != tool.KindUnavailable {
		t.Errorf("a closed tool: %v", err)
	}
}

// TestNothingOutlivesHelve: where helve was killed, and could end nothing, the program
// ends what it started.
func TestNothingOutlivesHelve(t *testing.T) {
	t.Parallel()
	programs, err := filepath.Glob(filepath.Join(cache, "*", "serve"))
	if err != nil || len(programs) == 0 {
		t.Fatal(programs, err)
	}
	requests, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer answers.Close()
	cmd := exec.Command(programs[0])
	cmd.ExtraFiles = []*os.File{requests, out}
	cmd.Env = append(os.Environ(), "HELVE_GOFUNC=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := errors.Join(cmd.Start(), requests.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	childEnded := make(chan error, 1)
	go func() {
		_, err := os.ReadFile(pipe) // until nobody holds it any more
		childEnded <- err
	}()
	if err := wire.NewWriter(in).Write(wire.Frame{Kind: wire.Call, ID: 1, Tool: "spawn", Arguments: fmt.Appendf(nil, `{"pipe":%q}`, pipe)}); err != nil {
		t.Fatal(err)
	}
	if f, err := wire.NewReader(answers).Read(); err != nil || f.Error != nil {
		t.Fatalf("%+v, %v", f, err)
	}
	in.Close() // as the kernel does for a process that is killed
	if err := <-childEnded; err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // it was killed
}

func TestManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	made := tools(t, gofunc.Options{})
	var wg sync.WaitGroup
	for i := range 1000 {
		wg.Go(func() {
			r, err := made["add"].Call(t.Context(), tool.Call{Arguments: fmt.Appendf(nil, `{"a":%d,"b":1}`, i)})
			if err != nil || r.Text() != fmt.Sprint(i+1) {
				t.Errorf("add(%d, 1) = %q, %v", i, r.Text(), err)
			}
		})
	}
	wg.Wait()
}

// TestCrashWithCallsInFlight: all of them fail in the same way, and at once.
func TestCrashWithCallsInFlight(t *testing.T) {
	t.Parallel()
	made := tools(t, gofunc.Options{})
	started := make(chan struct{}, 20)
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{Report: func(tool.CallID, tool.Update) { started <- struct{}{} }})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			_, err := tool.Invoke(ctx, made["wait"], tool.Call{Arguments: json.RawMessage(`{}`)})
			if e := tool.AsError(err); e == nil || e.Kind != tool.KindUnavailable || !e.Retryable {
				t.Errorf("error %v", err)
			}
		})
	}
	for range 20 {
		<-started
	}
	if _, err := tool.Invoke(ctx, made["die"], tool.Call{Arguments: json.RawMessage(`{}`)}); tool.AsError(err).Kind != tool.KindUnavailable || !errors.Is(err, gofunc.ErrEnded) {
		t.Errorf("die: %v", err)
	}
	wg.Wait()
}

// TestLoadedAgain: a folder that did not change has the same tools, and they live until
// each load has closed them.
func TestLoadedAgain(t *testing.T) {
	t.Parallel()
	source := gofunc.Source(gofunc.Options{Cache: cache, Log: slog.New(slog.DiscardHandler)})
	load := func(env ...string) map[string]tool.Tool {
		found, err := source.Load(t.Context(), &catalog.File{Path: gofunc.Folder, Dir: workspace, Settings: &catalog.Settings{Builtin: catalog.Builtin{GoEnv: env}}})
		if err != nil {
			t.Fatal(err)
		}
		byName := map[string]tool.Tool{}
		for _, f := range found {
			byName[f.Tool.Definition().Name] = f.Tool
		}
		return byName
	}
	pid := func(made tool.Tool) string {
		r, err := tool.Invoke(t.Context(), made, tool.Call{Arguments: json.RawMessage(`{}`)})
		if err != nil {
			t.Error(err)
		}
		return r.Text()
	}
	first := load()
	before := pid(first["pid"])
	second, other := load(), load("HANDBOOK_URL")
	for name, made := range first {
		if second[name] != made || other[name] == made {
			t.Errorf("%s: the same %t, with another environment %t", name, second[name] == made, other[name] == made)
		}
	}
	closeAll(t, first)
	closeAll(t, other)
	if now := pid(second["pid"]); now != before {
		t.Errorf("the program %s was replaced by %s", before, now)
	}
	closeAll(t, second)
	if _, err := second["pid"].Call(t.Context(), tool.Call{}); tool.AsError(err).Kind != tool.KindUnavailable {
		t.Errorf("closed by all: %v", err)
	}
	third := load()
	if now := pid(third["pid"]); now == before || third["pid"] == first["pid"] {
		t.Errorf("what was closed is used again, in %s", now)
	}
	closeAll(t, third)
}

// TestLiveKeepsTheProgram: a change elsewhere in the workspace replaces nothing.
func TestLiveKeepsTheProgram(t *testing.T) {
	t.Parallel()
	write(t, workspace, "helve.yaml", "model: sim/offline\n")
	changed := make(chan *catalog.Catalog, 10)
	log := slog.New(slog.DiscardHandler)
	options := catalog.Options{Dir: workspace, Sources: []catalog.Source{gofunc.Source(gofunc.Options{Cache: cache, Log: log})}}
	live, err := catalog.Watch(t.Context(), options, log, func(c *catalog.Catalog) { changed <- c })
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	pid := func(c *catalog.Catalog) (tool.Tool, string) {
		made, ok := c.Tool("pid")
		if !ok {
			t.Fatal(c.Problems())
		}
		r, err := tool.Invoke(t.Context(), made, tool.Call{Arguments: json.RawMessage(`{}`)})
		if err != nil {
			t.Error(err)
		}
		return made, r.Text()
	}
	first, before := pid(live.Catalog())
	for _, model := range []string{"sim/a", "sim/b"} {
		write(t, workspace, "helve.yaml", "model: "+model+"\n")
		if now, after := pid(<-changed); now != first || after != before {
			t.Errorf("%s: the same tool %t, program %s, want %s", model, now == first, after, before)
		}
	}
}

func TestEnvironmentHasNoKeys(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "secret")
	t.Setenv("HANDBOOK_URL", "http://localhost")
	made := tools(t, gofunc.Options{}, "HANDBOOK_URL")
	for name, want := range map[string]string{"OPENAI_API_KEY": "", "HANDBOOK_URL": "http://localhost", "PATH": os.Getenv("PATH")} {
		r, err := tool.Invoke(t.Context(), made["env"], tool.Call{Arguments: fmt.Appendf(nil, `{"name":%q}`, name)})
		if err != nil || r.Text() != want {
			t.Errorf("%s is %q, %v, want %q", name, r.Text(), err, want)
		}
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	tooltest.Run(t, func(t *testing.T) tool.Tool { return tools(t, gofunc.Options{})["add"] }, `{"a":1,"b":2}`, `{"a":5,"b":-5}`)
}

// TestThroughTheExecutor: a tool that runs alone does, and each call has its result.
func TestThroughTheExecutor(t *testing.T) {
	t.Parallel()
	registry, err := tool.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	for _, made := range tools(t, gofunc.Options{}) {
		if err := registry.Register(made); err != nil {
			t.Fatal(err)
		}
	}
	e := executor.New(executor.Config{Tools: registry, Logger: slog.New(slog.DiscardHandler)})
	results := e.Execute(t.Context(), []tool.Call{
		{ID: "1", Name: "add", Arguments: json.RawMessage(`{"a":1,"b":2}`)},
		{ID: "2", Name: "explode", Arguments: json.RawMessage(`{}`)},
		{ID: "3", Name: "add", Arguments: json.RawMessage(`{"a":3,"b":4}`)},
	})
	if len(results) != 3 || results[0].Output.Text() != "3" || results[1].Err == nil || results[2].Output.Text() != "7" {
		t.Errorf("results %+v", results)
	}
}

// TestEarlierPrograms: a chat that runs has the program that it began with, also where
// the folder was built again meanwhile.
func TestEarlierPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder, cache := filepath.Join(dir, "tools", "builtin"), filepath.Join(dir, "cache")
	source := gofunc.Source(gofunc.Options{Cache: cache})
	load := func(n int) tool.Tool {
		write(t, folder, "a.go", fmt.Sprintf("package a\n\n// N tells.\n//\n//helve:tool\nfunc N() int { return %d }\n", n))
		if _, err := gofunc.Build(t.Context(), folder, cache); err != nil {
			t.Fatal(err)
		}
		found, err := source.Load(t.Context(), &catalog.File{Path: gofunc.Folder, Dir: dir})
		if err != nil || len(found) != 1 {
			t.Fatalf("%d tools, %v", len(found), err)
		}
		t.Cleanup(func() { closeAll(t, map[string]tool.Tool{"n": found[0].Tool}) })
		return found[0].Tool
	}
	for n, made := range []tool.Tool{load(0), load(1), load(1), load(2)}[1:] {
		want := []string{"1", "1", "2"}[n]
		if r, err := tool.Invoke(t.Context(), made, tool.Call{Arguments: json.RawMessage(`{}`)}); err != nil || r.Text() != want {
			t.Errorf("program %d says %q, %v, want %s", n+1, r.Text(), err, want)
		}
	}
	if entries, err := os.ReadDir(cache); err != nil || len(entries) != 3 {
		t.Errorf("%d entries in the cache, %v, want the last three", len(entries), err)
	}
}

// TestStale: what was not built, and what has changed since, is not run.
func TestStale(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := filepath.Join(dir, "tools", "builtin")
	load := func() error {
		_, err := gofunc.Source(gofunc.Options{Cache: filepath.Join(dir, "cache")}).Load(t.Context(), &catalog.File{Path: gofunc.Folder, Dir: dir})
		return err
	}
	write(t, folder, "notes.txt", "no Go here")
	if err := load(); err != nil {
		t.Errorf("a folder without Go: %v", err)
	}
	write(t, folder, "a.go", "package a\n\n// Add adds.\n//\n//helve:tool\nfunc Add(a, b int) int { return a + b }\n")
	for _, step := range []struct {
		name, file, text string
		stale            bool
	}{
		{"never built", "", "", true},
		{"built", "build", "", false},
		{"a test", "a_test.go", "package a", false},
		{"the generated file", "helve_gen.go", "// Code generated by helve gen; DO NOT EDIT.\n\npackage a\n", false},
		{"another source", "b.go", "package a\n", true},
		{"built again", "build", "", false},
		{"a file that may be embedded", "data/x.txt", "x", true},
	} {
		switch step.file {
		case "":
		case "build":
			if _, err := gofunc.Build(t.Context(), folder, filepath.Join(dir, "cache")); err != nil {
				t.Fatal(err)
			}
		default:
			write(t, folder, step.file, step.text)
		}
		err := load()
		var told *catalog.Problem
		if step.stale != (errors.As(err, &told) && told.Warning) || !step.stale && err != nil {
			t.Errorf("%s: error %v, want stale %t", step.name, err, step.stale)
		}
		if err != nil && !strings.Contains(err.Error(), `run "helve gen `+folder+`"`) {
			t.Errorf("%s: the error says no remedy: %v", step.name, err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "cache"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := gofunc.Build(t.Context(), folder, filepath.Join(dir, "cache")); err != nil {
		t.Fatal(err)
	}
	var told *catalog.Problem
	if err := load(); !errors.As(err, &told) || told.Warning || !strings.Contains(err.Error(), "others may write") {
		t.Errorf("a cache that others may write to: %v", err)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBuildSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ source, want string }{
		"a problem":      {"package a\n\n// F does.\n//\n//helve:tool\nfunc F(c chan int) {}\n", "a.go:6:8: parameter c"},
		"a type error":   {"package a\n\n// F does.\n//\n//helve:tool\nfunc F() int { return \"x\" }\n", "a.go:6:23"},
		"one name twice": {"package a\n\n// F does.\n//\n//helve:tool name=f\nfunc F() {}\n\n// G does.\n//\n//helve:tool name=f\nfunc G() {}\n", "as F does (DIR/a.go:6:6)"},
		"no mark":        {"package a\n", "DIR: no function is marked"},
		"the compiler":   {"package a\n\nimport \"os\"\n\n// F does.\n//\n//helve:tool\nfunc F() {}\n", "\nDIR/a.go:3:8: \"os\" imported and not used"},
		"a main":         {"package main\n\n// F does.\n//\n//helve:tool\nfunc F() {}\n\nfunc main() {}\n", "package main"},
		"another module": {"package a\n\nimport \"example.com/none\"\n\n// F does.\n//\n//helve:tool\nfunc F() { none.X() }\n", "example.com/none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "a.go", test.source)
			_, err := gofunc.Build(t.Context(), dir, filepath.Join(dir, ".cache"))
			if want := strings.ReplaceAll(test.want, "DIR", dir); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %q in it", err, want)
			}
			if err != nil && strings.Contains(err.Error(), "build-") {
				t.Errorf("the error names a copy: %v", err)
			}
			if entries, err := os.ReadDir(filepath.Join(dir, ".cache")); err != nil || len(entries) != 0 {
				t.Errorf("%d entries were left in the cache, %v", len(entries), err)
			}
		})
	}
}
