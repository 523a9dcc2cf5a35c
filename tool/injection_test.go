package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

const secret = "s3cret"

type user struct{ Name, Token string }

// trusted is a context as a host makes it. All but the call ID is secret.
func trusted(t *testing.T) context.Context {
	t.Helper()
	store := tool.NewMemoryStore()
	if err := store.Put(t.Context(), "token", []byte(secret), 0); err != nil {
		t.Fatal(err)
	}
	return tool.WithRuntime(t.Context(), &tool.Runtime{
		CallID: "call_abc123",
		State:  tool.State{Messages: []message.Message{message.User(secret)}, Values: map[string]any{"user_id": secret}},
		Store:  store,
		Config: map[string]any{"api_key": secret},
		Values: []any{user{"ada", secret}},
		Report: func(tool.CallID, tool.Update) {},
	})
}

// seen is what a tool sees of the host.
type seen struct {
	CallID   tool.CallID
	Messages []message.Message
	Values   map[string]any
	Config   map[string]any
	Token    string
	User     user
}

func look(ctx context.Context) (s seen) {
	rt := tool.RuntimeFrom(ctx)
	token, _, _ := rt.Store.Get(ctx, "token")
	s = seen{CallID: rt.CallID, Messages: rt.State.Messages, Values: rt.State.Values, Config: rt.Config, Token: string(token)}
	s.User, _ = tool.Value[user](ctx)
	return s
}

// hostile are the names under which a model might try to give what the host
// gives.
var hostile = []string{
	"call_id", "callId", "CallID", "CALLID", "tool_call_id", "id", "ID",
	"state", "State", "STATE", "messages", "Messages", "store", "Store", "STORE",
	"values", "Values", "VALUES", "config", "Config", "CONFIG", "runtime", "Runtime", "RUNTIME",
	"user", "User", "user_id", "USER_ID", "secret", "Secret", "SECRET", "hidden", "Hidden", "HIDDEN",
	"-", "report", "Report", "call_ıd", "ſtore", // the letters that fold to ASCII
}

// guarded has fields that are the function's own.
type guarded struct {
	Query  string `json:"query"`
	Secret string `json:"-"`
	Hidden string `json:"hidden,omitempty" jsonschema:"-"`
}

func TestDoc002_ModelCanNotSetInjectedValues(t *testing.T) {
	t.Parallel()
	ctx := trusted(t)
	want := look(ctx)
	var got seen
	var own guarded
	calls := 0
	note := func(ctx context.Context) { calls, got = calls+1, look(ctx) }
	closed := tool.Must(tool.New("closed", "Closed.", func(ctx context.Context, in guarded) (string, error) {
		note(ctx)
		own = in
		return "done", nil
	}))
	open := tool.Must(tool.New("open", "Open.", func(ctx context.Context, _ map[string]any) (string, error) {
		note(ctx)
		return "done", nil
	}))
	for _, key := range hostile {
		for _, value := range []string{`"forged"`, `{"user_id":"forged"}`, `["forged"]`, `null`} {
			forged := json.RawMessage(fmt.Sprintf(`{"query":"x",%q:%s}`, key, value))

			calls = 0
			_, err := tool.Invoke(ctx, closed, tool.Call{ID: "call_abc123", Arguments: forged})
			wantKind(t, err, tool.KindInvalidParameters)
			if calls != 0 {
				t.Errorf("%s reached a tool that has no such parameter: %+v", forged, own)
			}

			calls = 0
			if _, err := tool.Invoke(ctx, open, tool.Call{ID: "call_abc123", Arguments: forged}); err != nil || calls != 1 {
				t.Errorf("%s did not reach a tool that takes anything: %v", forged, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s changed what the host gave (-want +got):\n%s", forged, diff)
			}
		}
	}
}

// encoding/json would fill user_id from USER_ID; no call gets that far, however
// deep the key and however open the schema.
func TestDoc002_KeysInTheWrongLetterCaseAreRefused(t *testing.T) {
	t.Parallel()
	type login struct {
		UserID string `json:"user_id"`
	}
	type input struct {
		Login login            `json:"login"`
		List  []login          `json:"list,omitempty"`
		Map   map[string]login `json:"map,omitempty"`
	}
	reached := false
	closed := tool.Must(tool.New("closed", "Closed.", func(context.Context, input) (string, error) { reached = true; return "", nil }))
	open := tool.Must(tool.FromSchema("open", "Open.",
		[]byte(`{"type":"object","properties":{"login":{"type":"object","properties":{"user_id":{"type":"string"}}}},"additionalProperties":true}`),
		func(context.Context, json.RawMessage) (any, error) { reached = true; return "", nil }))
	for _, key := range []string{"USER_ID", "User_Id", "user_ID", "uſer_id"} {
		for args, tools := range map[string][]tool.Tool{
			`{"login":{"user_id":"ada",%q:"admin"}}`:            {closed, open},
			`{"login":{%q:"admin"}}`:                            {closed, open},
			`{"login":{"user_id":"ada"},"list":[{%q:"admin"}]}`: {closed},
			`{"login":{"user_id":"ada"},"map":{"a":{%q:"x"}}}`:  {closed},
		} {
			args := json.RawMessage(fmt.Sprintf(args, key))
			for _, made := range tools {
				_, err := tool.Invoke(t.Context(), made, tool.Call{Arguments: args})
				wantKind(t, err, tool.KindInvalidParameters)
				if reached {
					t.Fatalf("%s reached the tool %s", args, made.Definition().Name)
				}
			}
		}
	}
}

func TestDoc002_InjectedValuesAreInNoSchemaLogOrError(t *testing.T) {
	t.Parallel()
	ctx := trusted(t)
	var logs bytes.Buffer
	text := slog.New(slog.NewTextHandler(&logs, nil))
	structured := slog.New(slog.NewJSONHandler(&logs, nil))
	careless := tool.Must(tool.New("careless", "Log everything.", func(ctx context.Context, in searchInput) (string, error) {
		rt := tool.RuntimeFrom(ctx)
		for _, log := range []*slog.Logger{text, structured} {
			log.InfoContext(ctx, "called", "runtime", rt, "value", *rt, "list", []any{rt, *rt}, slog.Group("g", "runtime", rt))
			log.Info(fmt.Sprint(rt, *rt))
		}
		return "", fmt.Errorf("no result for %s: %v, %+v, %#v", in.Query, rt, *rt, struct{ R any }{rt})
	}))

	texts := map[string]string{"schema": careless.Definition().Schema().String()}
	for _, p := range []schema.Profile{schema.OpenAI, schema.OpenAIStrict, schema.Gemini} {
		data, _ := careless.Definition().FunctionTool(p)
		texts[p.String()] = string(data)
		for _, name := range []string{"call", "state", "store", "runtime", "config", "values"} {
			if strings.Contains(strings.ToLower(string(data)), name) {
				t.Errorf("the definition for %v speaks of %s: %s", p, name, data)
			}
		}
	}
	for name, args := range map[string]string{"tool's error": `{"query":"x"}`, "invalid call": `{"query":5,"store":1}`} {
		_, err := tool.Invoke(ctx, careless, tool.Call{ID: "call_abc123", Arguments: json.RawMessage(args)})
		data, marshalErr := json.Marshal(tool.AsError(err))
		if err == nil || marshalErr != nil {
			t.Fatal(err, marshalErr)
		}
		texts[name], texts[name+" as JSON"] = fmt.Sprintf("%v %+v %#v", err, err, err), string(data)
	}
	texts["log"] = logs.String()
	for where, text := range texts {
		if strings.Contains(text, secret) {
			t.Errorf("the %s holds an injected value:\n%s", where, text)
		}
	}
	if n := strings.Count(logs.String(), "call_abc123"); n < 8 {
		t.Errorf("the log has the call ID %d times, so this test proves little:\n%s", n, &logs)
	}
}

func TestRuntime_PrintsAsItsCallIDAlone(t *testing.T) {
	t.Parallel()
	rt := tool.RuntimeFrom(trusted(t))
	got := map[string]string{}
	for name, v := range map[string]any{"pointer": rt, "value": *rt} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			got[name+" "+verb] = fmt.Sprintf(verb, v)
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got[name+" JSON"] = string(data)
		got[name+" slog"] = slog.AnyValue(v).Resolve().String()
	}
	want := maps.Clone(got)
	for k := range want {
		switch {
		case strings.HasSuffix(k, "JSON"):
			want[k] = `"call_abc123"`
		case strings.HasSuffix(k, "slog"):
			want[k] = "call_abc123"
		default:
			want[k] = "tool.Runtime(call_abc123)"
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("wrong text (-want +got):\n%s", diff)
	}
}
