package executor

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"helve/tool"
)

func TestApprove(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		ask  Ask
		kind tool.Kind
	}{
		{"yes", func(context.Context, tool.Call, tool.Definition) (bool, error) { return true, nil }, ""},
		{"no", func(context.Context, tool.Call, tool.Definition) (bool, error) { return false, nil }, tool.KindDenied},
		{"nobody", func(context.Context, tool.Call, tool.Definition) (bool, error) {
			return true, errors.New("no terminal")
		}, tool.KindDenied},
		{"nobody, in words", func(context.Context, tool.Call, tool.Definition) (bool, error) {
			return true, &tool.Error{Kind: tool.KindUnavailable, Message: "Ask the owner."}
		}, tool.KindUnavailable},
		{"no error in words", func(context.Context, tool.Call, tool.Definition) (bool, error) {
			return true, (*tool.Error)(nil)
		}, tool.KindDenied},
		{"a panic", func(context.Context, tool.Call, tool.Definition) (bool, error) { panic("lost") }, tool.KindExecution},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ran := 0
			count := func(context.Context, struct{}) (string, error) { ran++; return "done", nil }
			tools, err := tool.NewRegistry(tool.Must(tool.New("drop", "Drops.", count)), tool.Must(tool.New("look", "Looks.", count)))
			if err != nil {
				t.Fatal(err)
			}
			e := New(Config{Tools: tools, Middleware: []Middleware{Approve(test.ask, "drop")}})
			result := e.Execute(t.Context(), []tool.Call{{ID: "1", Name: "drop"}})[0]
			var kind tool.Kind
			if result.Err != nil {
				kind = result.Err.Kind
			}
			if kind != test.kind || (ran == 1) != (test.kind == "") {
				t.Errorf("got %v, and it ran %d times", result.Err, ran)
			}
			if r := e.Execute(t.Context(), []tool.Call{{ID: "2", Name: "look"}})[0]; r.Err != nil {
				t.Errorf("nobody had to be asked: %v", r.Err)
			}
			if r := e.Execute(t.Context(), []tool.Call{{ID: "3", Name: "none"}})[0]; r.Err == nil || r.Err.Kind != tool.KindNotFound {
				t.Errorf("got %v", r.Err)
			}
		})
	}
}

// TestApproveTakesItsTime: a person may think for longer than the tool may take.
func TestApproveTakesItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(context.Context, tool.Call, tool.Definition) (bool, error) {
			time.Sleep(time.Hour)
			return true, nil
		}
		tools, _ := tool.NewRegistry(tool.Must(tool.New("drop", "Drops.", func(context.Context, struct{}) (string, error) { return "done", nil })))
		e := New(Config{Tools: tools, Timeout: time.Second, Middleware: []Middleware{Approve(slow)}})
		if r := e.Execute(t.Context(), []tool.Call{{ID: "1", Name: "drop"}})[0]; r.Err != nil {
			t.Error(r.Err)
		}
	})
}
