package tool_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/tool"
)

type city string

func (c city) String() string { return "city of " + string(c) }

func with(t *testing.T, values ...any) context.Context {
	return tool.WithRuntime(t.Context(), &tool.Runtime{Values: values})
}

func TestDoc002_InjectedValueByType(t *testing.T) {
	t.Parallel()
	oslo := &user{Name: "ada"}
	t.Run("concrete type", func(t *testing.T) {
		t.Parallel()
		wantValue(t, with(t, 1, "text", city("Oslo")), city("Oslo"), true)
		wantValue(t, with(t, 1, "text", city("Oslo")), "text", true)
	})
	t.Run("pointer", func(t *testing.T) {
		t.Parallel()
		wantValue(t, with(t, user{Name: "other"}, oslo), oslo, true)
	})
	t.Run("interface", func(t *testing.T) {
		t.Parallel()
		wantValue[fmt.Stringer](t, with(t, 1, city("Oslo"), "text"), city("Oslo"), true)
	})
	t.Run("the last wins", func(t *testing.T) {
		t.Parallel()
		wantValue(t, with(t, city("Oslo"), 1, city("Bergen")), city("Bergen"), true)
		wantValue[any](t, with(t, city("Oslo"), 1), 1, true)
	})
	t.Run("absent", func(t *testing.T) {
		t.Parallel()
		wantValue(t, with(t, "Oslo"), city(""), false) // the type counts, not its kind
		wantValue[fmt.Stringer](t, with(t, nil), nil, false)
		wantValue(t, t.Context(), city(""), false)
		wantValue(t, tool.WithRuntime(t.Context(), nil), city(""), false)
	})
}

func wantValue[T comparable](t *testing.T, ctx context.Context, want T, wantOK bool) {
	t.Helper()
	if got, ok := tool.Value[T](ctx); got != want || ok != wantOK {
		t.Errorf("Value[%T] = %v, %t, want %v, %t", want, got, ok, want, wantOK)
	}
}

func TestRuntimeFrom_OutsideARunIsEmptyAndSafe(t *testing.T) {
	t.Parallel()
	for name, ctx := range map[string]context.Context{
		"no runtime":  t.Context(),
		"nil runtime": tool.WithRuntime(t.Context(), nil),
		"no store":    tool.WithRuntime(t.Context(), &tool.Runtime{}),
	} {
		rt := tool.RuntimeFrom(ctx)
		if rt.CallID != "" || rt.Config != nil || rt.Values != nil {
			t.Errorf("%s: the runtime is not empty", name)
		}
		rt.Progress(1, 2, "half") // nobody listens: no harm
		rt.Output(message.Text("x"))
		rt.Callback("x", nil)

		_, _, err := rt.Store.Get(ctx, "k")
		_, listErr := rt.Store.List(ctx, "")
		_, swapErr := rt.Store.CompareAndSwap(ctx, "k", nil, nil, 0)
		for _, err := range []error{err, listErr, swapErr, rt.Store.Put(ctx, "k", nil, 0), rt.Store.Delete(ctx, "k")} {
			if !errors.Is(err, tool.ErrNoStore) {
				t.Errorf("%s: the store says %v, want ErrNoStore", name, err)
			}
		}
	}
}

// RuntimeFrom puts a store into a copy: the host's Runtime stays as it was.
func TestRuntimeFrom_DoesNotChangeTheHostsRuntime(t *testing.T) {
	t.Parallel()
	host := &tool.Runtime{CallID: "call_1"}
	if got := tool.RuntimeFrom(tool.WithRuntime(t.Context(), host)); got.CallID != "call_1" || got.Store == nil {
		t.Errorf("RuntimeFrom lost something: %v", got)
	}
	if host.Store != nil {
		t.Error("RuntimeFrom changed the host's Runtime")
	}
}

func TestDoc002_CallbacksProgressAndPartialOutput(t *testing.T) {
	t.Parallel()
	type told struct {
		ID     tool.CallID
		Update tool.Update
	}
	var got []told
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{
		CallID: "call_1",
		Report: func(id tool.CallID, u tool.Update) { got = append(got, told{id, u}) },
	})
	slow := tool.Must(tool.New("slow", "Take long.", func(ctx context.Context, _ struct{}) (string, error) {
		rt := tool.RuntimeFrom(ctx)
		rt.Progress(1, 0, "reading")
		rt.Output(message.Text("a"), message.Text("b"))
		rt.Callback("page", 7)
		return "ab", nil
	}))
	if _, err := tool.Invoke(ctx, slow, tool.Call{}); err != nil {
		t.Fatal(err)
	}
	want := []told{
		{"call_1", tool.Progress{Done: 1, Note: "reading"}},
		{"call_1", tool.Output{Part: message.Text("a")}},
		{"call_1", tool.Output{Part: message.Text("b")}},
		{"call_1", tool.Callback{Name: "page", Data: 7}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("wrong updates (-want +got):\n%s", diff)
	}
}
