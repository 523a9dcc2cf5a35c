package executor_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
	"helve/message"
	"helve/tool"
)

// recordingHook notes starts and ends, and marks the context on the way.
type recordingHook struct {
	mu     sync.Mutex
	starts []string
	ends   []string
}

type markKey struct{}

func (h *recordingHook) Start(ctx context.Context, c tool.Call) context.Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.starts = append(h.starts, c.ID)
	return context.WithValue(ctx, markKey{}, "mark of "+c.ID)
}

func (h *recordingHook) End(ctx context.Context, r executor.Report) {
	h.mu.Lock()
	defer h.mu.Unlock()
	kind := tool.Kind("ok")
	if r.Err != nil {
		kind = r.Err.Kind
	}
	h.ends = append(h.ends, fmt.Sprint(r.Call.ID, " ", r.Call.Name, " ", string(r.Call.Arguments), " ", kind, " ", r.Size, " ", ctx.Value(markKey{})))
}

func TestHookIsToldOfEveryCallOnce(t *testing.T) {
	t.Parallel()
	reads := simple("reads", func(ctx context.Context) (string, error) {
		mark, _ := ctx.Value(markKey{}).(string)
		return mark, nil
	})
	fails := simple("fails", func(context.Context) (string, error) { return "", errors.New("broken") })
	quits := simple("quits", func(context.Context) (string, error) { runtime.Goexit(); return "", nil })
	h := &recordingHook{}
	e := newExecutor(t, executor.Config{Hooks: []executor.Hook{h}}, reads, fails, quits, echo())
	got := e.Execute(t.Context(), []tool.Call{
		call("1", "reads", ""), call("2", "fails", ""), call("3", "nope", "{}"), call("4", "echo", "{}"), call("5", "quits", "{}"),
		call("1", "reads", ""), // repeated, so not run
	})
	if got[0].Output.Text() != "mark of 1" {
		t.Errorf("the tool's context has %q", got[0].Output.Text())
	}
	slices.Sort(h.starts)
	slices.Sort(h.ends)
	if diff := cmp.Diff([]string{"1", "2", "3", "4", "5"}, h.starts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"1 reads  ok 9 mark of 1",
		"2 fails  execution 0 mark of 2",
		"3 nope {} not_found 0 mark of 3",
		"4 echo {} invalid_parameters 0 mark of 4",
		"5 quits {} execution 0 mark of 5",
	}, h.ends); diff != "" {
		t.Error(diff)
	}
}

func TestHookSeesOneCallHoweverOftenItIsTried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &recordingHook{}
		fails := simple("fails", func(context.Context) (string, error) { return "", errors.New("broken") }, tool.Idempotent())
		e := newExecutor(t, executor.Config{
			Hooks:      []executor.Hook{h},
			Middleware: []executor.Middleware{executor.Retry(executor.RetryPolicy{})},
		}, fails)
		execute1(e, call("1", "fails", ""))
		if len(h.starts) != 1 || len(h.ends) != 1 {
			t.Errorf("starts %q, ends %q", h.starts, h.ends)
		}
	})
}

func TestReportCountsTheBytesOfEveryPart(t *testing.T) {
	t.Parallel()
	h := &recordingHook{}
	parts := tool.Must(tool.New("parts", "Returns parts.", func(context.Context, struct{}) ([]message.Part, error) {
		four := []byte("1234")
		return []message.Part{message.Text("1"), message.Image{Data: four}, message.Audio{Data: four}, message.File{Data: four}, message.Resource{URI: "a", Text: "12", Data: four}, message.Image{URL: "b"}}, nil
	}))
	execute1(newExecutor(t, executor.Config{Hooks: []executor.Hook{h}}, parts), call("1", "parts", ""))
	if diff := cmp.Diff([]string{"1 parts  ok 19 mark of 1"}, h.ends); diff != "" {
		t.Error(diff)
	}
}

func TestLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		login := tool.Must(tool.New("login", "Logs in.", func(_ context.Context, in struct {
			User     string `json:"user"`
			Password string `json:"password"`
		}) (string, error) {
			time.Sleep(1500 * time.Millisecond)
			if in.User == "eve" {
				return "", &tool.Error{Kind: tool.KindDenied, Message: "Not with password=hunter2.", Err: errors.New("db: Bearer abcdefgh12345 was refused")}
			}
			return "welcome", nil
		}))
		var log logBuffer
		e := newExecutor(t, executor.Config{Logger: log.logger(slog.LevelInfo)}, login)
		for i, arguments := range []string{`{"user":"ada","password":"hunter2"}`, `{"user":"eve","password":"hunter2"}`, `{"user":"ada"`} {
			execute1(e, call(fmt.Sprint("c", i), "login", arguments))
		}
		execute1(e, call("c3", "logon", `{}`))
		want := `level=INFO msg="tool call" tool=login call_id=c0 arguments="{\"password\":\"[redacted]\",\"user\":\"ada\"}" duration=1.5s result_bytes=7
level=INFO msg="tool call" tool=login call_id=c1 arguments="{\"password\":\"[redacted]\",\"user\":\"eve\"}" duration=1.5s result_bytes=0 error_kind=denied error="Not with [redacted]" cause="db: [redacted] was refused"
`
		got := log.String()
		if diff := cmp.Diff(want, got[:min(len(want), len(got))]); diff != "" {
			t.Error(diff)
		}
		rest := got[min(len(want), len(got)):]
		const last = `level=INFO msg="tool call" tool=logon call_id=c3 arguments={} duration=0s result_bytes=0 error_kind=not_found error="Tool not found: logon"` + "\n"
		if len(rest) < len(last) || rest[len(rest)-len(last):] != last {
			t.Errorf("the log ends with %s", rest)
		}
	})
}

// A cause that is cut amid an address does not show the password in it.
func TestLogRedactsBeforeItCuts(t *testing.T) {
	t.Parallel()
	const secret = "postgres://admin:hunter2hunter2"
	fails := simple("fails", func(context.Context) (string, error) {
		return "", &tool.Error{Kind: tool.KindExecution, Message: "No.", Err: errors.New(strings.Repeat("x", 32<<10-len(secret)) + secret + "@db")}
	})
	var log logBuffer
	execute1(newExecutor(t, executor.Config{Logger: log.logger(slog.LevelInfo)}, fails), call("1", "fails", ""))
	if got := log.String(); strings.Contains(got, "hunter2") || !strings.Contains(got, "xxxpostgres[redacted]") {
		t.Errorf("the log ends with %s", got[max(0, len(got)-200):])
	}
}

// offHandler is a handler whose level is off, and that must not be asked for
// more.
type offHandler struct{ t *testing.T }

func (h offHandler) Enabled(context.Context, slog.Level) bool { return false }
func (h offHandler) Handle(_ context.Context, r slog.Record) error {
	h.t.Errorf("handled %q", r.Message)
	return nil
}
func (h offHandler) WithAttrs([]slog.Attr) slog.Handler {
	h.t.Error("attributes formatted")
	return h
}
func (h offHandler) WithGroup(string) slog.Handler { return h }

// told counts how often it is formatted.
type told struct{ n *int }

func (e told) Error() string { *e.n++; return "formatted" }

func TestLogFormatsNothingWhenItsLevelIsOff(t *testing.T) {
	t.Parallel()
	formatted := 0
	fails := simple("fails", func(context.Context) (string, error) {
		return "", &tool.Error{Kind: tool.KindExecution, Message: "No.", Err: told{&formatted}}
	})
	e := newExecutor(t, executor.Config{Logger: slog.New(offHandler{t})}, fails, echo())
	e.Execute(t.Context(), []tool.Call{call("1", "fails", ""), call("2", "echo", `{"text":"a"}`), call("3", "nope", "")})
	if formatted != 0 {
		t.Errorf("formatted %d times", formatted)
	}
}
