package openai_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"helve/model"
	"helve/model/openai"
)

// finish is the end of an answer as the server of deltas writes it.
func finish(reason model.FinishReason) model.Finish {
	return model.Finish{Reason: reason, ID: "chatcmpl-1", Model: "m"}
}

// TestOddities has a case for each thing that servers do in their own way and
// that has to work all the same.
func TestOddities(t *testing.T) {
	t.Parallel()
	paris := toolCall("a", "weather", `{"city":"Paris"}`)
	rome := toolCall("b", "weather", `{"city":"Rome"}`)
	tests := []struct {
		name string
		reply
		want []model.Event
	}{
		{
			name: "as OpenAI does it",
			reply: reply{body: deltas("tool_calls",
				`{"role":"assistant","content":null}`,
				`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"weather","arguments":""}}]}`,
				`{"tool_calls":[{"index":0,"function":{"arguments":"{\"city\":"}}]}`,
				`{"tool_calls":[{"index":0,"function":{"arguments":"\"Paris\"}"}}]}`,
				`{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"weather","arguments":""}}]}`,
				`{"tool_calls":[{"index":1,"function":{"arguments":"{\"city\":\"Rome\"}"}}]}`,
			)},
			want: []model.Event{paris, rome, finish("tool_calls")},
		},
		{
			name: "pieces of two calls take turns",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather"}},{"index":1,"id":"b","function":{"name":"weather"}}]}`,
				`{"tool_calls":[{"index":1,"function":{"arguments":"{\"city\":"}},{"index":0,"function":{"arguments":"{\"city\":"}}]}`,
				`{"tool_calls":[{"index":1,"function":{"arguments":"\"Rome\"}"}},{"index":0,"function":{"arguments":"\"Paris\"}"}}]}`,
			)},
			want: []model.Event{paris, rome, finish("tool_calls")},
		},
		{
			name: "no index, by ID",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"id":"a","function":{"name":"weather","arguments":"{\"city\":"}}]}`,
				`{"tool_calls":[{"id":"b","function":{"name":"weather","arguments":"{\"city\":"}}]}`,
				`{"tool_calls":[{"id":"a","function":{"arguments":"\"Paris\"}"}}]}`,
				`{"tool_calls":[{"id":"b","function":{"arguments":"\"Rome\"}"}}]}`,
			)},
			want: []model.Event{paris, rome, finish("tool_calls")},
		},
		{
			name: "no index, a new ID begins a call",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"id":"a","function":{"name":"weather","arguments":""}}]}`,
				`{"tool_calls":[{"function":{"arguments":"{\"city\":\"Paris\"}"}}]}`,
				`{"tool_calls":[{"id":"b","function":{"name":"weather","arguments":""}}]}`,
				`{"tool_calls":[{"function":{"arguments":"{\"city\":\"Rome\"}"}}]}`,
			)},
			want: []model.Event{paris, rome, finish("tool_calls")},
		},
		{
			name: "no index and no ID, a new name begins a call",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"function":{"name":"weather","arguments":"{\"city\":"}}]}`,
				`{"tool_calls":[{"function":{"arguments":"\"Paris\"}"}}]}`,
				`{"tool_calls":[{"function":{"name":"time","arguments":"{}"}}]}`,
			)},
			want: []model.Event{
				toolCall("call_0", "weather", `{"city":"Paris"}`),
				toolCall("call_1", "time", `{}`),
				finish("tool_calls"),
			},
		},
		{
			name: "index null",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"index":null,"id":"a","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}},{"index":null,"id":"b","function":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}}]}`,
			)},
			want: []model.Event{paris, rome, finish("tool_calls")},
		},
		{
			name: "one index for all, told apart by ID",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\":"}}]}`,
				`{"tool_calls":[{"index":0,"id":"b","function":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}}]}`,
				`{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"\"Paris\"}"}}]}`,
			)},
			want: []model.Event{paris, rome, finish("tool_calls")},
		},
		{
			name: "one index for all and empty IDs, told apart by whole arguments",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"index":0,"id":"","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}}]}`,
				`{"tool_calls":[{"index":0,"id":"","function":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}}]}`,
			)},
			want: []model.Event{
				toolCall("call_0", "weather", `{"city":"Paris"}`),
				toolCall("call_1", "weather", `{"city":"Rome"}`),
				finish("tool_calls"),
			},
		},
		{
			name: "ID and name in every piece",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\":"}}]}`,
				`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":"\"Paris\"}"}}]}`,
				`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":""}}]}`,
			)},
			want: []model.Event{paris, finish("tool_calls")},
		},
		{
			name: "another ID in every piece",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\":"}}]}`,
				`{"tool_calls":[{"index":0,"id":"x","function":{"arguments":"\"Paris\""}}]}`,
				`{"tool_calls":[{"index":0,"id":"y","function":{"arguments":"}"}}]}`,
			)},
			want: []model.Event{paris, finish("tool_calls")},
		},
		{
			name: "the name after the ID and the arguments",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"index":0,"id":"a"}]}`,
				`{"tool_calls":[{"index":0,"function":{"arguments":"{\"city\":"}}]}`,
				`{"tool_calls":[{"index":0,"function":{"name":"weather","arguments":"\"Paris\"}"}}]}`,
			)},
			want: []model.Event{paris, finish("tool_calls")},
		},
		{
			name: "the same ID for two calls",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}}]}`,
				`{"tool_calls":[{"index":1,"id":"a","function":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}}]}`,
			)},
			want: []model.Event{paris, toolCall("call_1", "weather", `{"city":"Rome"}`), finish("tool_calls")},
		},
		{
			name:  "an empty call after all others",
			reply: reply{body: deltas("stop", `{"content":"hi"}`, `{"tool_calls":[{"index":0}]}`)},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "tool_calls null and empty",
			reply: reply{body: deltas("stop", `{"content":"hi","tool_calls":null}`, `{"tool_calls":[]}`)},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name: "a whole call in one chunk",
			reply: reply{body: sse(
				`{"id":"chatcmpl-1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}}]},"finish_reason":"tool_calls"}]}`,
			)},
			want: []model.Event{paris, finish("tool_calls")},
		},
		{
			name: "arguments as an object",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":{"city":"Paris"}}}]}`,
			)},
			want: []model.Event{paris, finish("tool_calls")},
		},
		{
			name: "arguments empty, null, \"null\" and missing",
			reply: reply{body: deltas("tool_calls",
				`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}`,
				`{"tool_calls":[{"index":1,"id":"b","function":{"name":"f","arguments":null}}]}`,
				`{"tool_calls":[{"index":2,"id":"c","function":{"name":"f","arguments":"null"}}]}`,
				`{"tool_calls":[{"index":3,"id":"d","function":{"name":"f"}}]}`,
			)},
			want: []model.Event{
				toolCall("a", "f", `{}`), toolCall("b", "f", `{}`), toolCall("c", "f", `{}`), toolCall("d", "f", `{}`),
				finish("tool_calls"),
			},
		},
		{
			name: "a call that ends with stop",
			reply: reply{body: deltas("stop",
				`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}}]}`,
			)},
			want: []model.Event{paris, finish("tool_calls")},
		},
		{
			name: "the legacy function_call",
			reply: reply{body: deltas("function_call",
				`{"function_call":{"name":"weather","arguments":""}}`,
				`{"function_call":{"arguments":"{\"city\":"}}`,
				`{"function_call":{"arguments":"\"Paris\"}"}}`,
			)},
			want: []model.Event{toolCall("call_0", "weather", `{"city":"Paris"}`), finish("tool_calls")},
		},
		{
			name:  "calls in the text stay text",
			reply: reply{body: deltas("stop", `{"content":"{\"name\":\"weather\","}`, `{"content":"\"arguments\":{}}"}`)},
			want:  []model.Event{model.TextDelta(`{"name":"weather","arguments":{}}`), finish("stop")},
		},
		{
			name:  "reasoning_content",
			reply: reply{body: deltas("stop", `{"reasoning_content":"hm"}`, `{"reasoning_content":null,"content":"hi"}`)},
			want:  []model.Event{model.ReasoningDelta("hm"), model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "reasoning",
			reply: reply{body: deltas("stop", `{"reasoning":"hm","reasoning_details":[{"x":1}]}`, `{"content":"hi"}`)},
			want:  []model.Event{model.ReasoningDelta("hm"), model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "reasoning under both names",
			reply: reply{body: deltas("stop", `{"reasoning":"hm","reasoning_content":"hm"}`, `{"content":"hi"}`)},
			want:  []model.Event{model.ReasoningDelta("hm"), model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "content as a list of parts",
			reply: reply{body: deltas("stop", `{"content":[{"type":"text","text":"hi"},{"type":"reference","reference_ids":[1]}]}`)},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "a refusal",
			reply: reply{body: deltas("stop", `{"refusal":"I can't "}`, `{"refusal":"do that."}`)},
			want:  []model.Event{model.TextDelta("I can't do that."), finish("refusal")},
		},
		{
			name: "usage in a last chunk without choices",
			reply: reply{body: sse(
				`{"id":"chatcmpl-1","model":"m","choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}],"usage":null}`,
				`{"id":"chatcmpl-1","model":"m","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":1},"completion_tokens_details":{"reasoning_tokens":2}}}`,
			)},
			want: []model.Event{model.TextDelta("hi"), model.Finish{
				Reason: "stop", ID: "chatcmpl-1", Model: "m",
				Usage: model.Usage{InputTokens: 10, OutputTokens: 5, CachedTokens: 4, ReasoningTokens: 2},
			}},
		},
		{
			name: "usage without choices at all",
			reply: reply{body: sse(
				`{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}`,
				`{"usage":{"prompt_tokens":1,"completion_tokens":2}}`,
			)},
			want: []model.Event{model.TextDelta("hi"), model.Finish{Reason: "stop", Usage: model.Usage{InputTokens: 1, OutputTokens: 2}}},
		},
		{
			name: "usage that can't be read",
			reply: reply{body: sse(
				`{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1.5}}`,
			)},
			want: []model.Event{model.TextDelta("hi"), model.Finish{Reason: "stop"}},
		},
		{
			name: "JSON although a stream was asked for",
			reply: reply{header: "Content-Type: application/json", body: `{"id":"chatcmpl-1","model":"m","choices":[{"index":0,
				"message":{"role":"assistant","content":"hi","reasoning_content":"hm","tool_calls":[
					{"id":"a","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}},
					{"id":"b","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}}]},
				"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`},
			want: []model.Event{model.ReasoningDelta("hm"), model.TextDelta("hi"), paris, rome,
				model.Finish{Reason: "tool_calls", ID: "chatcmpl-1", Model: "m", Usage: model.Usage{InputTokens: 1, OutputTokens: 2}}},
		},
		{
			name:  "JSON with a stream's content type, no finish reason, and a message with function_call",
			reply: reply{body: "\n {\"choices\":[{\"message\":{\"content\":null,\"function_call\":{\"name\":\"weather\",\"arguments\":\"{}\"}}}]}"},
			want:  []model.Event{toolCall("call_0", "weather", `{}`), model.Finish{Reason: "tool_calls"}},
		},
		{
			name:  "a stream with the content type of JSON",
			reply: reply{header: "Content-Type: application/json", body: deltas("stop", `{"content":"hi"}`)},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "a byte order mark and empty lines first",
			reply: reply{header: "Content-Type: text/plain", body: "\ufeff\r\n\n" + deltas("stop", `{"content":"hi"}`)},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "comments",
			reply: reply{header: "Content-Type: text/plain", body: ": OPENROUTER PROCESSING\n\n" + strings.ReplaceAll(deltas("stop", `{"content":"hi"}`), "\n\n", "\n\n: ping\n\n:\n")},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "CRLF",
			reply: reply{body: strings.ReplaceAll(deltas("stop", `{"content":"hi"}`), "\n", "\r\n")},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "no space after data:, and one at the end",
			reply: reply{body: strings.ReplaceAll(strings.ReplaceAll(deltas("stop", `{"content":"hi"}`), "data: ", "data:"), "[DONE]", "[DONE] ")},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "data of several lines, beside fields of no interest",
			reply: reply{body: "event: message\nid: 1\nretry: 5\ndata: {\"choices\":[{\"delta\":\ndata: {\"content\":\"hi\"},\ndata: \"finish_reason\":\"stop\"}]}\nunknown\n\ndata: [DONE]\n\n"},
			want:  []model.Event{model.TextDelta("hi"), model.Finish{Reason: "stop"}},
		},
		{
			name:  "empty data",
			reply: reply{body: "data:\n\n" + deltas("stop", `{"content":"hi"}`)},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "[DONE] missing after a finish reason",
			reply: reply{body: strings.TrimSuffix(deltas("stop", `{"content":"hi"}`), "data: [DONE]\n\n")},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "the last empty line missing",
			reply: reply{body: strings.TrimSuffix(deltas("stop", `{"content":"hi"}`), "\n\ndata: [DONE]\n\n")},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name:  "a finish reason missing before [DONE]",
			reply: reply{body: sse(`{"choices":[{"delta":{"content":"hi"}}]}`)},
			want:  []model.Event{model.TextDelta("hi"), model.Finish{Reason: "stop"}},
		},
		{
			name: "a finish reason missing before [DONE], with a call",
			reply: reply{body: sse(
				`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}}]}}]}`,
			)},
			want: []model.Event{paris, model.Finish{Reason: "tool_calls"}},
		},
		{
			name:  "an unknown finish reason",
			reply: reply{body: deltas("done", `{"content":"hi"}`)},
			want:  []model.Event{model.TextDelta("hi"), finish("done")},
		},
		{
			name:  "another name for stop",
			reply: reply{body: deltas("eos", `{"content":"hi"}`)},
			want:  []model.Event{model.TextDelta("hi"), finish("stop")},
		},
		{
			name: "cut by the token limit inside the second call",
			reply: reply{body: deltas("length",
				`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}}]}`,
				`{"tool_calls":[{"index":1,"id":"b","function":{"name":"weather","arguments":"{\"city\":"}}]}`,
				`{"tool_calls":[{"index":2,"id":"c","function":{"name":"weather","arguments":""}}]}`,
			)},
			want: []model.Event{
				paris,
				model.InvalidToolCall{ID: "b", Err: &model.ArgumentsError{Tool: "weather", Raw: `{"city":`}},
				toolCall("c", "weather", "{}"),
				finish("length"),
			},
		},
		{
			name:  "emptied by a content filter",
			reply: reply{body: deltas("content_filter", `{"content":""}`)},
			want:  []model.Event{finish("content_filter")},
		},
		{
			name:  "a second choice that nobody asked for",
			reply: reply{body: sse(`{"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"length"},{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}`)},
			want:  []model.Event{model.TextDelta("hi"), model.Finish{Reason: "stop"}},
		},
		{
			name:  "numbers and fields that go-openai would refuse",
			reply: reply{body: sse(`{"created":1.7e9,"system_fingerprint":7,"choices":[{"index":0,"delta":{"content":"hi"},"logprobs":[],"finish_reason":"stop"}]}`)},
			want:  []model.Event{model.TextDelta("hi"), model.Finish{Reason: "stop"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := collect(t, serve(t, tt.reply, openai.Config{}), hello())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, gathered(got), cmpopts.IgnoreFields(model.ArgumentsError{}, "Err")); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestArgumentsNotJSON is document 000, "工具参数 JSON 解析失败".
func TestArgumentsNotJSON(t *testing.T) {
	t.Parallel()
	client := serve(t, reply{body: deltas("tool_calls",
		`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\": Paris}"}}]}`,
		`{"tool_calls":[{"index":1,"id":"b","function":{"name":"time","arguments":"{}"}}]}`,
	)}, openai.Config{})

	resp, err := model.Generate(t.Context(), client, hello())
	var bad *model.ArgumentsError
	if !errors.As(err, &bad) || bad.Tool != "weather" || bad.Raw != `{"city": Paris}` {
		t.Fatalf("error %v: want an ArgumentsError of weather with its arguments", err)
	}
	if bad.Err == nil {
		t.Error("the JSON reader's error is missing")
	}
	if calls := resp.Message.ToolCalls(); len(calls) != 1 || calls[0].ID != "b" {
		t.Errorf("calls %v: want the valid one beside the error", calls)
	}
}

// TestUniqueIDs checks that a made ID is not one that the conversation has.
func TestUniqueIDs(t *testing.T) {
	t.Parallel()
	client := serve(t, reply{body: deltas("tool_calls", `{"function_call":{"name":"weather","arguments":"{}"}}`)}, openai.Config{})
	req := hello()
	for _, want := range []string{"call_0", "call_1", "call_2"} {
		resp, err := model.Generate(t.Context(), client, req)
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Message.ToolCalls()[0].ID; got != want {
			t.Errorf("ID %s: want %s", got, want)
		}
		req.Messages = append(req.Messages, resp.Message)
	}
}

func TestNoStream(t *testing.T) {
	t.Parallel()
	client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(`{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`))
	}), openai.Config{NoStream: true})
	got, err := collect(t, client, hello())
	if err != nil {
		t.Fatal(err)
	}
	want := []model.Event{model.TextDelta("hi"), model.Finish{Reason: "stop"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
