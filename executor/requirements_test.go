package executor_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
	"helve/message"
	"helve/tool"
)

// The scenarios of the requirement documents that the executor answers for, by
// their numbers. Those of wrap_tool_call are in middleware_test.go.

// 处理工具不存在
func TestDoc001_ToolNotFound(t *testing.T) {
	t.Parallel()
	r := execute1(newExecutor(t, executor.Config{}), call("1", "xxx", "{}"))
	if diff := cmp.Diff(`{"success":false,"error":"Tool not found: xxx","code":"not_found"}`, modelReads(r)); diff != "" {
		t.Error(diff)
	}
	if answer, ok := r.Message().ToolResult(); !ok || !answer.IsError || answer.CallID != "1" || answer.Name != "xxx" {
		t.Errorf("the model's message is %+v", answer)
	}
}

// 处理执行超时
func TestDoc001_TimeoutAfter30sByDefault(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stopped := make(chan error, 1)
		slow := simple("slow", func(ctx context.Context) (string, error) {
			<-ctx.Done()
			stopped <- ctx.Err()
			return "", ctx.Err()
		})
		start := time.Now()
		r := execute1(newExecutor(t, executor.Config{}, slow), call("1", "slow", ""))
		if took := time.Since(start); took != 30*time.Second {
			t.Errorf("took %v", took)
		}
		if err := <-stopped; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the tool was told %v", err)
		}
		if diff := cmp.Diff(`{"success":false,"error":"The tool gave no answer within 30s.","code":"timeout"}`, modelReads(r)); diff != "" {
			t.Error(diff)
		}
	})
}

// 3. AI 如何与工具串联, step 5: extract the arguments, inject, run, format.
func TestDoc002_ToolNodeExtractsInjectsRunsAndFormats(t *testing.T) {
	t.Parallel()
	type input struct {
		Query string `json:"query"`
		Limit int    `json:"limit,omitempty" jsonschema:"default=10"`
	}
	search := tool.Must(tool.New("search", "Searches.", func(ctx context.Context, in input) (tool.Result, error) {
		rt := tool.RuntimeFrom(ctx)
		key := fmt.Sprint(rt.State.Values["thread"])
		if err := rt.Store.Put(ctx, key, []byte(in.Query), 0); err != nil {
			return tool.Result{}, err
		}
		return tool.WithArtifact(fmt.Sprintf("%d found for %s by %s", in.Limit, in.Query, rt.CallID), []int{1, 2}), nil
	}))
	store := tool.NewMemoryStore()
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{Store: store, State: tool.State{Values: map[string]any{"thread": "t1"}}})
	r := newExecutor(t, executor.Config{}, search).Execute(ctx, []tool.Call{call("call_abc123", "search", `{"query":"Python"}`)})[0]
	want := message.Result(message.ToolResult{
		CallID: "call_abc123", Name: "search",
		Content:  []message.Part{message.Text("10 found for Python by call_abc123")},
		Artifact: []int{1, 2},
	})
	if diff := cmp.Diff(want, r.Message()); diff != "" {
		t.Error(diff)
	}
	if v, _, _ := store.Get(ctx, "t1"); string(v) != "Python" {
		t.Errorf("the store has %q", v)
	}
}

// execute(name, args), and a result for the model whatever happens.
func TestDoc003_ExecuteByNameGivesAResultForTheModel(t *testing.T) {
	t.Parallel()
	weather := tool.Must(tool.New("get_weather", "Get current weather for a city", func(_ context.Context, in struct {
		City string `json:"city"`
	}) (map[string]any, error) {
		return map[string]any{"temp": 22, "city": in.City}, nil
	}))
	e := newExecutor(t, executor.Config{}, weather)
	if got := modelReads(execute1(e, call("1", "get_weather", `{"city":"Beijing"}`))); got != `{"city":"Beijing","temp":22}` {
		t.Errorf("the model reads %s", got)
	}
}

// 4.4 并行调用
func TestDoc004_ParallelCallsMergeTheirResultsInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := simple("slow", func(context.Context) (string, error) { time.Sleep(2 * time.Second); return "slow", nil })
		quick := simple("quick", func(context.Context) (string, error) { time.Sleep(time.Second); return "quick", nil })
		start := time.Now()
		var got []string
		for _, r := range newExecutor(t, executor.Config{}, slow, quick).Execute(t.Context(), []tool.Call{call("1", "slow", ""), call("2", "quick", "")}) {
			got = append(got, r.Call.ID+" "+modelReads(r))
		}
		if diff := cmp.Diff([]string{"1 slow", "2 quick"}, got); diff != "" || time.Since(start) != 2*time.Second {
			t.Error(time.Since(start), diff)
		}
	})
}

// 4.4 async_execute()
func TestDoc004_AsynchronousCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := simple("slow", func(context.Context) (string, error) { time.Sleep(time.Second); return "done", nil })
		start := time.Now()
		p := newExecutor(t, executor.Config{}, slow).Start(t.Context(), call("1", "slow", ""))
		if took := time.Since(start); took != 0 {
			t.Errorf("Start took %v", took)
		}
		if r := p.Result(); modelReads(r) != "done" || time.Since(start) != time.Second {
			t.Errorf("%q after %v", modelReads(r), time.Since(start))
		}
	})
}

// 4.5 参数校验, 超时控制; 8 错误处理测试
func TestDoc004_ErrorKinds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := simple("slow", func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() }, tool.Timeout(time.Second))
		forbids := simple("forbids", func(context.Context) (string, error) {
			return "", &tool.Error{Kind: tool.KindPermissionDenied, Message: "The API key was refused."}
		})
		e := newExecutor(t, executor.Config{}, slow, forbids, echo())
		for _, tt := range []struct {
			call tool.Call
			want string
		}{
			{call("1", "echo", `{}`), `"code":"invalid_parameters"`},
			{call("2", "echo", `{"text":1}`), `"code":"invalid_parameters"`},
			{call("3", "slow", ``), `"code":"timeout"`},
			{call("4", "forbids", ``), `"code":"permission_denied"`},
		} {
			if got := modelReads(execute1(e, tt.call)); !strings.Contains(got, tt.want) {
				t.Errorf("%s: the model reads %s", tt.call.Name, got)
			}
		}
	})
}

// 5 可观测性
func TestDoc004_ArgumentsResultSizeAndDurationAreLoggedAtInfo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log logBuffer
		slow := simple("slow", func(context.Context) (string, error) { time.Sleep(time.Second); return "done", nil })
		execute1(newExecutor(t, executor.Config{Logger: log.logger(slog.LevelInfo)}, slow), call("1", "slow", "{}"))
		want := "level=INFO msg=\"tool call\" tool=slow call_id=1 arguments={} duration=1s result_bytes=4\n"
		if diff := cmp.Diff(want, log.String()); diff != "" {
			t.Error(diff)
		}
	})
}
