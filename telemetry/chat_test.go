package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/trace"

	"helve/message"
	"helve/model"
	"helve/model/modeltest"
	"helve/model/sim"
	"helve/telemetry"
	"helve/tool"
)

// slowly is a client that waits before each event of an answer.
type slowly struct {
	model.Client
	wait time.Duration
}

func (s slowly) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		for event, err := range s.Client.Stream(ctx, req) {
			time.Sleep(s.wait)
			if !yield(event, err) {
				return
			}
		}
	}
}

// fullAnswer is an answer that says all an answer can say.
func fullAnswer() modeltest.Turn {
	return modeltest.Turn{Events: []model.Event{
		model.ReasoningDelta("Hm. "), model.TextDelta("It is "), model.TextDelta("3."),
		model.ToolCallDelta{ID: "1", Name: "add", Arguments: `{}`},
		model.ToolCall{ID: "1", Name: "add", Arguments: []byte(`{}`)},
		model.Finish{Reason: model.FinishToolCalls, ID: "resp-1", Model: "script-2026", Usage: model.Usage{InputTokens: 40, OutputTokens: 7, CachedTokens: 30, ReasoningTokens: 2}},
	}}
}

func TestClientSpanAndMetrics(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		temperature, seed := 0.5, 7
		req := &model.Request{
			Messages: []message.Message{message.System("Be brief."), message.User("What is 1+2?")},
			Tools:    []tool.Definition{add().Definition()},

			Temperature: &temperature, Seed: &seed, MaxTokens: 100, Stop: []string{"END"},
		}
		client := w.Client(slowly{modeltest.NewScript(fullAnswer()), 2 * time.Second})
		if client.Info().Model != "script" {
			t.Errorf("Info is %+v", client.Info())
		}
		if _, err := model.Generate(t.Context(), client, req); err != nil {
			t.Fatal(err)
		}
		s := w.span("chat script")
		if s.SpanKind() != trace.SpanKindInternal || s.EndTime().Sub(s.StartTime()) != 12*time.Second {
			t.Errorf("kind %v, %v", s.SpanKind(), s.EndTime().Sub(s.StartTime()))
		}
		want := map[string]any{
			"gen_ai.operation.name":                "chat",
			"gen_ai.provider.name":                 "modeltest",
			"gen_ai.request.model":                 "script",
			"gen_ai.request.stream":                true,
			"gen_ai.request.temperature":           0.5,
			"gen_ai.request.seed":                  int64(7),
			"gen_ai.request.max_tokens":            int64(100),
			"gen_ai.request.stop_sequences":        []string{"END"},
			"gen_ai.response.id":                   "resp-1",
			"gen_ai.response.model":                "script-2026",
			"gen_ai.response.finish_reasons":       []string{"tool_calls"},
			"gen_ai.response.time_to_first_chunk":  2.0,
			"gen_ai.usage.input_tokens":            int64(40),
			"gen_ai.usage.output_tokens":           int64(7),
			"gen_ai.usage.cache_read.input_tokens": int64(30),

			"gen_ai.usage.reasoning.output_tokens": int64(2),
		}
		if diff := cmp.Diff(want, attrs(s.Attributes())); diff != "" {
			t.Error(diff)
		}
		const base = "gen_ai.operation.name=chat,gen_ai.provider.name=modeltest,gen_ai.request.model=script"
		const full = base + ",gen_ai.response.model=script-2026"
		wantPoints := []string{
			"gen_ai.client.operation.duration s{" + full + "} count 1",
			"gen_ai.client.operation.time_per_output_chunk s{" + base + "} count 3",
			"gen_ai.client.operation.time_to_first_chunk s{" + base + "} count 1",
			"gen_ai.client.token.usage {token}{" + full + ",gen_ai.token.type=input} count 1 sum 40",
			"gen_ai.client.token.usage {token}{" + full + ",gen_ai.token.type=output} count 1 sum 7",
		}
		if diff := cmp.Diff(wantPoints, w.points()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestLatestNames(t *testing.T) {
	t.Parallel()
	w := newWatch(t, latest)
	client := w.Client(modeltest.NewScript(fullAnswer(), modeltest.Fail(&model.APIError{Status: 500})))
	for range 2 {
		_, _ = model.Generate(t.Context(), client, &model.Request{})
	}
	const base = "gen_ai.operation.name=chat,gen_ai.provider.name=modeltest,gen_ai.request.model=script"
	const full = base + ",gen_ai.response.model=script-2026"
	const counted = "gen_ai.operation.name=chat,gen_ai.provider.name=modeltest,gen_ai.request.model=script,gen_ai.response.model=script-2026,gen_ai.token.modality=unknown"
	const failed = "gen_ai.operation.name=chat,gen_ai.provider.name=modeltest,gen_ai.request.model=script,gen_ai.token.modality=unknown"
	want := []string{
		"gen_ai.client.inference.duration s{" + full + "} count 1",
		"gen_ai.client.inference.duration s{error.type=500," + base + "} count 1",
		"gen_ai.client.inference.operation.input_tokens {token}{" + full + "} count 1 sum 40",
		"gen_ai.client.inference.operation.input_tokens {token}{error.type=500," + base + "} count 1 sum 0",
		"gen_ai.client.inference.operation.output_tokens {token}{" + full + "} count 1 sum 7",
		"gen_ai.client.inference.operation.output_tokens {token}{error.type=500," + base + "} count 1 sum 0",
		"gen_ai.client.inference.time_per_output_chunk s{" + base + "} count 3",
		"gen_ai.client.inference.time_to_first_chunk s{" + base + "} count 1",
		"gen_ai.client.inference.usage.cache_read.input_tokens {token}{" + counted + "} total 30",
		"gen_ai.client.inference.usage.input_tokens {token}{" + counted + "} total 40",
		"gen_ai.client.inference.usage.input_tokens {token}{" + failed + "} total 0",
		"gen_ai.client.inference.usage.output_tokens {token}{" + counted + "} total 7",
		"gen_ai.client.inference.usage.output_tokens {token}{" + failed + "} total 0",
		"gen_ai.client.inference.usage.reasoning.output_tokens {token}{" + counted + "} total 2",
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, w.points()); diff != "" {
		t.Error(diff)
	}
}

func TestTokensThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, change := range [](func(*telemetry.Config)){latest, func(*telemetry.Config) {}} {
		w := newWatch(t, change)
		client := w.Client(modeltest.NewScript(modeltest.Turn{Events: []model.Event{
			model.Finish{Reason: model.FinishStop, Usage: model.Usage{InputTokens: -5, OutputTokens: -1, CachedTokens: -2, ReasoningTokens: -3}},
		}}))
		if _, err := model.Generate(t.Context(), client, &model.Request{}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(w.everything(), "-") {
			t.Errorf("tokens were taken back:\n%s", w.everything())
		}
	}
}

func TestErrorTypes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&model.APIError{Status: 429, Type: "insufficient_quota"}, "429"},
		{&model.APIError{Type: "overloaded_error"}, "overloaded_error"},
		{&model.APIError{Type: "made up by a server"}, "_OTHER"},
		{fmt.Errorf("asked twice: %w", &model.APIError{Status: 503}), "503"},
		{fmt.Errorf("%w: nothing came for 1m", model.ErrTimeout), "timeout"},
		{context.DeadlineExceeded, "timeout"},
		{fmt.Errorf("%w while waiting to try again after: %w", context.Canceled, &model.APIError{Status: 503}), "canceled"},
		{&model.ArgumentsError{Tool: "add", Raw: "{"}, "invalid_arguments"},
		{model.ErrIncomplete, "incomplete"},
		{errors.New("something"), "_OTHER"},
	} {
		w := newWatch(t)
		_, err := model.Generate(t.Context(), w.Client(modeltest.NewScript(modeltest.Fail(tt.err))), &model.Request{})
		if !errors.Is(err, tt.err) {
			t.Errorf("%v became %v", tt.err, err)
		}
		if got := attrs(w.span("chat script").Attributes())["error.type"]; got != tt.want {
			t.Errorf("%v is %v, want %s", tt.err, got, tt.want)
		}
	}
}

func TestServerOfAClient(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		server string
		want   map[string]any
	}{
		{"api.openai.com:443", map[string]any{"server.address": "api.openai.com", "server.port": int64(443)}},
		{"[::1]:8080", map[string]any{"server.address": "::1", "server.port": int64(8080)}},
		{"", map[string]any{}},
		{"no port", map[string]any{}},
		{"host:http", map[string]any{}},
	} {
		w := newWatch(t)
		client := w.Client(named{modeltest.NewScript(modeltest.Text("Hello.")), model.Info{Server: tt.server}})
		if _, err := model.Generate(t.Context(), client, &model.Request{}); err != nil {
			t.Fatal(err)
		}
		kind := trace.SpanKindInternal // of a model in this process
		if len(tt.want) > 0 {
			kind = trace.SpanKindClient
		}
		if got := w.span("chat").SpanKind(); got != kind {
			t.Errorf("%q: the span is %v, want %v", tt.server, got, kind)
		}
		got := attrs(w.span("chat").Attributes())
		for key := range got {
			if !strings.HasPrefix(key, "server.") {
				delete(got, key)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: %s", tt.server, diff)
		}
	}
}

// The offline model is part of this process, whatever its port.
func TestOfflineModelHasNoServer(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	server, err := sim.Start(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := server.Client()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := model.Generate(t.Context(), w.Client(client), &model.Request{Messages: []message.Message{message.User("Hello.")}}); err != nil {
		t.Fatal(err)
	}
	if got := w.span("chat offline").SpanKind(); got != trace.SpanKindInternal || strings.Contains(w.everything(), "server.") {
		t.Errorf("the span is %v:\n%s", got, w.everything())
	}
}

// A server that says it is another model each time does not make a series each time.
func TestModelsThatAnswerAreBounded(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	const answers = 150
	var turns []modeltest.Turn
	for i := range answers {
		turns = append(turns, modeltest.Turn{Events: []model.Event{model.Finish{Reason: model.FinishStop, Model: fmt.Sprint("model-", i)}}})
	}
	script := modeltest.NewScript(append(turns, turns[0])...)
	for range answers + 1 {
		if _, err := model.Generate(t.Context(), w.Client(script), &model.Request{}); err != nil {
			t.Fatal(err)
		}
	}
	points := strings.Join(w.points(), "\n")
	for _, want := range []string{"gen_ai.response.model=_OTHER} count 50", "gen_ai.response.model=model-0} count 2", "gen_ai.response.model=model-99} count 1"} {
		if !strings.Contains(points, want) {
			t.Errorf("%s is not in\n%s", want, points)
		}
	}
	if len(w.points()) != 101 {
		t.Errorf("there are %d series, want 101", len(w.points()))
	}
	if !strings.Contains(w.everything(), "model-149") {
		t.Error("the span does not say which model answered")
	}
}

// A client need not say what it is.
func TestClientWithoutNames(t *testing.T) {
	t.Parallel()
	w := newWatch(t, capturing)
	client := w.Client(named{Client: modeltest.NewScript(modeltest.Text("Hello."))})
	if _, err := model.Generate(t.Context(), client, &model.Request{}); err != nil {
		t.Fatal(err)
	}
	if got := attrs(w.span("chat").Attributes())["gen_ai.provider.name"]; got != "_OTHER" {
		t.Errorf("the provider is %v", got)
	}
}

// named is a client that says it is another.
type named struct {
	model.Client
	info model.Info
}

func (n named) Info() model.Info { return n.info }

func TestClientKeepsTheRules(t *testing.T) {
	t.Parallel()
	w := newWatch(t, capturing)
	modeltest.Run(t, modeltest.Harness{
		Client: w.Client(modeltest.Respond(func(req *model.Request) modeltest.Turn {
			if n := len(req.Tools); n > 0 && req.Messages[len(req.Messages)-1].Role != message.RoleTool {
				return modeltest.Calls(call("1", "add", `{"a":1,"b":2}`))
			}
			if req.Messages[len(req.Messages)-1].Text() == "stall" {
				return modeltest.Turn{Events: []model.Event{model.TextDelta("It")}, Stall: true}
			}
			return modeltest.Text("It is ", "3.")
		})),
		Text:  &model.Request{Messages: []message.Message{message.User("What is 1+2?")}},
		Call:  &model.Request{Messages: []message.Message{message.User("What is 1+2?")}, Tools: []tool.Definition{add().Definition()}},
		Stall: &model.Request{Messages: []message.Message{message.User("stall")}},
	})
}

func TestMetricsWithoutSpans(t *testing.T) {
	t.Parallel()
	w := newWatch(t, func(c *telemetry.Config) { c.Traces = nil })
	if _, err := model.Generate(t.Context(), w.Client(modeltest.NewScript(modeltest.Text("Hello."))), &model.Request{}); err != nil {
		t.Fatal(err)
	}
	if len(w.points()) != 2 || len(w.spans.Started()) != 0 {
		t.Errorf("got %v", w.points())
	}
	w = newWatch(t, func(c *telemetry.Config) { c.Metrics = nil })
	if _, err := model.Generate(t.Context(), w.Client(modeltest.NewScript(modeltest.Text("Hello."))), &model.Request{}); err != nil {
		t.Fatal(err)
	}
	if w.span("chat script"); len(w.points()) != 0 {
		t.Errorf("got %v", w.points())
	}
}
