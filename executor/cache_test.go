package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"helve/executor"
	"helve/tool"
)

// counting is a tool that takes any arguments and answers how often it ran.
func counting(ran *int, err error, options ...tool.Option) tool.Tool {
	return tool.Must(tool.FromSchema("count", "Counts.", []byte(`{"type":"object"}`), func(context.Context, json.RawMessage) (any, error) {
		*ran++
		return *ran, err
	}, options...))
}

func TestCache(t *testing.T) {
	t.Parallel()
	readOnly := []tool.Option{tool.ReadOnly()}
	for _, tt := range []struct {
		name    string
		first   string
		second  string
		err     error
		options []tool.Option
		cached  string // the name that the cache is for
		want    int    // runs
	}{
		{"hit", `{"a":1}`, `{"a":1}`, nil, readOnly, "count", 1},
		{"hit without arguments", ``, `{}`, nil, readOnly, "count", 1},
		{"order of keys", `{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":3,"c":2},"a":1}`, nil, readOnly, "count", 1},
		{"white space", `{"a":1}`, " {\n\"a\" : 1 } ", nil, readOnly, "count", 1},
		{"escapes", `{"a":"\u0041"}`, `{"a":"A"}`, nil, readOnly, "count", 1},
		{"other value", `{"a":1}`, `{"a":2}`, nil, readOnly, "count", 2},
		{"other big number", `{"a":9007199254740993}`, `{"a":9007199254740992}`, nil, readOnly, "count", 2},
		{"other type", `{"a":1}`, `{"a":"1"}`, nil, readOnly, "count", 2},
		{"errors are not kept", `{}`, `{}`, errors.New("broken"), readOnly, "count", 2},
		{"not read-only", `{}`, `{}`, nil, nil, "count", 2},
		{"idempotent only", `{}`, `{}`, nil, []tool.Option{tool.Idempotent()}, "count", 2},
		{"not named", `{}`, `{}`, nil, readOnly, "other", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ran := 0
			cache := executor.Cache(10, time.Hour, tt.cached)
			e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{cache}}, counting(&ran, tt.err, tt.options...))
			first, second := execute1(e, call("1", "count", tt.first)), execute1(e, call("2", "count", tt.second))
			if ran != tt.want {
				t.Errorf("ran %d times, want %d", ran, tt.want)
			}
			if same := first.Output.Text() == second.Output.Text(); tt.err == nil && same != (tt.want == 1) {
				t.Errorf("answers %q, %q", first.Output.Text(), second.Output.Text())
			}
			if second.Call.ID != "2" {
				t.Errorf("the second result answers call %q", second.Call.ID)
			}
		})
	}
}

func TestCacheServesNoInvalidCall(t *testing.T) {
	t.Parallel()
	ran := 0
	e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{executor.Cache(10, time.Hour, "count")}}, counting(&ran, nil, tool.ReadOnly()))
	execute1(e, call("1", "count", `{"a":1}`))
	for _, arguments := range []string{`{"a":1`, `{"a":1} and more`, `[{"a":1}]`} {
		if r := execute1(e, call("2", "count", arguments)); kind(r) != tool.KindInvalidParameters {
			t.Errorf("%s: %q, %v", arguments, r.Output.Text(), r.Err)
		}
	}
}

func TestCacheForgetsAfterItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ran := 0
		e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{executor.Cache(10, time.Minute, "count")}}, counting(&ran, nil, tool.ReadOnly()))
		for i, want := range []string{"1", "1", "2", "2"} { // at 0 s, 40 s, 80 s, 120 s
			if r := execute1(e, call("1", "count", "")); r.Output.Text() != want {
				t.Errorf("call %d: %q, want %q", i, r.Output.Text(), want)
			}
			time.Sleep(40 * time.Second)
		}
	})
}

func TestCacheForgetsTheLeastUsed(t *testing.T) {
	t.Parallel()
	ran := 0
	e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{executor.Cache(2, time.Hour, "count")}}, counting(&ran, nil, tool.ReadOnly()))
	for i, tt := range []struct{ key, want int }{
		{1, 1}, {2, 2}, {1, 1}, // both are kept, and 1 was used last
		{3, 3}, {1, 1}, {2, 4}, // 3 pushed 2 out
		{3, 5}, // and 2 pushed 3 out
	} {
		if r := execute1(e, call("1", "count", fmt.Sprintf(`{"key":%d}`, tt.key))); r.Output.Text() != fmt.Sprint(tt.want) {
			t.Errorf("call %d, of key %d: %q, want %d", i, tt.key, r.Output.Text(), tt.want)
		}
	}
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{executor.Cache(3, time.Hour, "echo")}}, echo(tool.ReadOnly()))
	calls := make([]tool.Call, 100)
	for i := range calls {
		calls[i] = call(fmt.Sprint(i), "echo", fmt.Sprintf(`{"text":"%d"}`, i%7))
	}
	for i, r := range e.Execute(t.Context(), calls) {
		if want := fmt.Sprint(i % 7); r.Output.Text() != want {
			t.Errorf("call %d: %q, %v", i, r.Output.Text(), r.Err)
		}
	}
}
