package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"go.uber.org/goleak"

	"helve/gofunc/internal/wire"
	"helve/gofunc/serve"
	"helve/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start serves tools as their own program would.
func start(t testing.TB, tools ...tool.Tool) (*wire.Writer, *wire.Reader) {
	t.Helper()
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- serve.Serve(requests, answers, tools) }()
	t.Cleanup(func() {
		in.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		out.Close()
	})
	return wire.NewWriter(in), wire.NewReader(out)
}

func TestServe(t *testing.T) {
	t.Parallel()
	in, out := start(t,
		tool.Must(tool.New("wait", "Wait.", func(ctx context.Context, _ struct{}) (string, error) {
			tool.RuntimeFrom(ctx).Progress(1, 0, "begun")
			<-ctx.Done()
			return "", ctx.Err()
		})),
		tool.Must(tool.New("get", "Get.", func(ctx context.Context, _ struct{}) (string, error) {
			v, ok, err := tool.RuntimeFrom(ctx).Store.Get(ctx, "k")
			return fmt.Sprint(string(v), ok), err
		})),
	)
	exchange := func(send wire.Frame, want string) wire.Frame {
		t.Helper()
		if err := in.Write(send); err != nil {
			t.Fatal(err)
		}
		got, err := out.Read()
		if err != nil || got.Kind != want || got.ID != send.ID {
			t.Fatalf("%s %d was answered by %+v, %v, want %s", send.Kind, send.ID, got, err, want)
		}
		return got
	}
	if f := exchange(wire.Frame{Kind: wire.Call, ID: 1, Tool: "none"}, wire.Result); f.Error == nil || f.Error.Kind != tool.KindNotFound {
		t.Errorf("an unknown tool: %+v", f)
	}
	if f := exchange(wire.Frame{Kind: wire.Call, ID: 2, Tool: "wait", Arguments: json.RawMessage(`{}`)}, wire.Update); f.Progress == nil || f.Progress.Note != "begun" {
		t.Errorf("progress: %+v", f)
	}
	asked := exchange(wire.Frame{Kind: wire.Call, ID: 3, Tool: "get", Arguments: json.RawMessage(`{}`)}, wire.Want)
	if asked.Ask == nil || asked.Ask.Op != "get" || asked.Ask.Key != "k" {
		t.Errorf("the store was asked %+v", asked)
	}
	if f := exchange(wire.Frame{Kind: wire.Given, ID: 3, Ask: &wire.Ask{N: asked.Ask.N, Value: []byte("v"), OK: true}}, wire.Result); string(f.Content) != `[{"type":"text","text":"vtrue"}]` {
		t.Errorf("get: %s, %+v", f.Content, f.Error)
	}
	if f := exchange(wire.Frame{Kind: wire.Cancel, ID: 2}, wire.Result); f.Error == nil || f.Error.Kind != tool.KindCanceled {
		t.Errorf("a canceled call: %+v", f)
	}
}

func ExampleServe() {
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	greet := tool.Must(tool.New("greet", "Greet.", func(context.Context, struct{}) (string, error) { return "hello", nil }))
	done := make(chan error)
	go func() { done <- serve.Serve(requests, answers, []tool.Tool{greet}) }()

	_ = wire.NewWriter(in).Write(wire.Frame{Kind: wire.Call, ID: 1, Tool: "greet", Arguments: []byte(`{}`)})
	answer, err := wire.NewReader(out).Read()
	fmt.Println(answer.ID, string(answer.Content), err)
	in.Close()
	fmt.Println(<-done)
	// Output:
	// 1 [{"type":"text","text":"hello"}] <nil>
	// <nil>
}
