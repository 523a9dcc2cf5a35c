package gen_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"helve/gen/testdata/kinds"
	"helve/message"
	"helve/tool"
	"helve/tool/tooltest"
)

func generated(t testing.TB, name string) tool.Tool {
	t.Helper()
	r, err := tool.NewRegistry(kinds.Tools()...)
	if err != nil {
		t.Fatal(err)
	}
	found, ok := r.Lookup(name)
	if !ok {
		t.Fatalf("no tool %s", name)
	}
	return found
}

func keep[In any](_ context.Context, in In) (string, error) { return "", nil }

// TestSchemasAreThoseOfNew compares what helve gen reads in the source with what
// tool.New finds by reflection.
func TestSchemasAreThoseOfNew(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]tool.Tool{
		"take_everything": tool.Must(tool.New("x", "x", keep[kinds.Everything])),
		"take_tags":       tool.Must(tool.New("x", "x", keep[kinds.Tags])),
		"take_pointer":    tool.Must(tool.New("x", "x", keep[kinds.Point])),
		"take_tree":       tool.Must(tool.New("x", "x", keep[kinds.Tree])),
		"nothing":         tool.Must(tool.New("x", "x", keep[struct{}])),
		"search_handbook": tool.Must(tool.New("x", "x", keep[struct {
			Query string        `json:"query" jsonschema_description:"What to look for."`
			Limit int           `json:"limit" jsonschema:"default=10" jsonschema_description:"How many passages to return."`
			Order kinds.Order   `json:"order" jsonschema:"enum=asc,enum=desc"`
			From  *time.Time    `json:"from" jsonschema_description:"Dates."`
			To    *time.Time    `json:"to" jsonschema_description:"Dates."`
			Wait  time.Duration `json:"wait"`
			Tags  []string      `json:"tags,omitempty"`
		}])),
		"forecast": tool.Must(tool.New("x", "x", keep[struct {
			City  string `json:"city" jsonschema_description:"the city's name"`
			Days  int    `json:"days" jsonschema:"default=3" jsonschema_description:"how many days ahead, today included: at most 14"`
			Units string `json:"units" jsonschema:"default=metric" jsonschema_description:"metric or imperial"`
		}])),
		"remember": tool.Must(tool.New("x", "x", keep[struct {
			Text string `json:"text"`
		}])),
	} {
		got := generated(t, name).Definition().Schema().String()
		if diff := cmp.Diff(want.Definition().Schema().String(), got); diff != "" {
			t.Errorf("%s (-tool.New +helve gen):\n%s", name, diff)
		}
	}
	union := generated(t, "take_union").Definition().Schema().String()
	if want := `{"type":"object","properties":{"v":{"anyOf":[{"type":"integer"},{"type":"string"}]},"list":{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"string"}]}}},"required":["v","list"],"additionalProperties":false}`; union != want {
		t.Errorf("take_union:\n got %s\nwant %s", union, want)
	}
}

// TestASchemaOfTheWholeIsKept has a type say what the arguments are, in words that
// only JSON Schema has.
func TestASchemaOfTheWholeIsKept(t *testing.T) {
	t.Parallel()
	reach := generated(t, "reach")
	want := `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"way":{"type":"string"}},"properties":{"phone":{"$ref":"#/$defs/way"},"email":{"$ref":"#/$defs/way"}},"oneOf":[{"required":["phone"]},{"required":["email"]}]}`
	if got := reach.Definition().Schema().String(); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	for arguments, want := range map[string]string{`{"phone":"1"}`: "1", `{"email":"a@b"}`: "a@b", `{"phone":"1","email":"a@b"}`: ""} {
		result, err := tool.Invoke(t.Context(), reach, tool.Call{Arguments: json.RawMessage(arguments)})
		if (err == nil) != (want != "") || result.Text() != want {
			t.Errorf("%s: %q, %v", arguments, result.Text(), err)
		}
	}
}

func TestDefinitions(t *testing.T) {
	t.Parallel()
	got := generated(t, "search_handbook").Definition()
	want := tool.Definition{
		Name:        "search_handbook",
		Description: "Looks in the handbook.\n\nAn example, which stays.\n\nIt reads no other book.",
		ReadOnly:    true, Idempotent: true, Timeout: 5 * time.Second,
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(tool.Definition{}, "Parameters")); diff != "" {
		t.Errorf("search_handbook (-want +got):\n%s", diff)
	}
	got = generated(t, "remember").Definition()
	if !got.Sequential || !got.ReturnDirect || got.ReadOnly {
		t.Errorf("remember: %+v", got)
	}
}

const everything = `{"id":"a","note":"n","depth":3,"text":"<é\u00e9>","color":"blue","int":-5,"small":-128,"big":18446744073709551615,"single":1.5,"flag":true,` +
	`"bytes":"aGk=","raw":{"a": [1]},"any":[1,"x",null],"anys":[1,{}],"time":"2026-01-02T03:04:05Z","wait":5,"waits":[1,2],"number":1.50,"huge":123456789012345678901234567890,` +
	`"addr":"10.0.0.1","set":["a","b"],"names":["x"],"map":{"a":1},"maps":{"red":{"p":{"x":1,"y":2}}},"free":{"a":{"b":1}},"array":[1,2],"arrays":[[{"x":1},{"x":2}]],` +
	`"once":{"first":1,"second":{"id":"b"}},"image":{"X":1,"Y":2},"again":{"X":3,"Y":4},"tree":{"value":1,"left":{"value":2},"kids":[{"value":3}],"by":{"trees":{"t":{"value":4}}}},` +
	`"rose":[[],[[]]],"inline":{"A":1,"B":2},"optional":"o","Bare":"b"}`

// TestDecodesAsNew gives the same arguments to generated and typed tools.
func TestDecodesAsNew(t *testing.T) {
	t.Parallel()
	var want kinds.Everything
	if err := json.Unmarshal([]byte(everything), &want); err != nil {
		t.Fatal(err)
	}
	result := invoke(t, "take_everything", everything)
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got, same any
	if json.Unmarshal([]byte(result.Text()), &got) != nil || json.Unmarshal(data, &same) != nil || !reflect.DeepEqual(got, same) {
		t.Errorf("take_everything:\n got %s\nwant %s", result.Text(), data)
	}
}

func invoke(t *testing.T, name, args string) tool.Result {
	t.Helper()
	result, err := tool.Invoke(t.Context(), generated(t, name), tool.Call{Name: name, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s(%s): %v", name, args, err)
	}
	return result
}

func TestCalls(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ tool, args, want string }{
		{"search_handbook", `{"query":"x","order":"asc","wait":1}`, `["x",10,"asc",null,null,1,null]`},
		{"search_handbook", `{"query":"x","order":"desc","wait":1,"from":"2026-01-02T03:04:05Z","to":null,"tags":["a","b"],"limit":3}`, `["x",3,"desc","2026-01-02T03:04:05Z",null,1,["a","b"]]`},
		{"forecast", `{"city":"Oslo"}`, "Oslo"},
		{"take_pointer", `{"x":1}`, `{"x":1}`},
		{"take_union", `{"v":1,"list":["a",2]}`, `[1,"a",2]`},
		{"nothing", ``, "Done."},
		{"nothing", `{}`, "Done."},
		{"shadow", `{"r":1,"o":2,"in":3,"ctx":4,"raw":5,"err":6,"out":7,"rt":8,"args":9,"tool":10,"string":11}`, "66"},
	} {
		if got := invoke(t, test.tool, test.args).Text(); got != test.want {
			t.Errorf("%s(%s) = %s, want %s", test.tool, test.args, got, test.want)
		}
	}
	if parts := invoke(t, "picture", `{}`).Content; len(parts) != 1 || parts[0].(message.Image).MediaType != "image/png" {
		t.Errorf("picture: %v", parts)
	}
}

func TestCallsThatFail(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		tool, args string
		kind       tool.Kind
		want       string
	}{
		{"search_handbook", `{"query":"x","order":"up","wait":1}`, tool.KindInvalidParameters, `/order must be one of "asc", "desc"`},
		{"search_handbook", `{"query":"x","order":"asc","wait":9223372036854775808}`, tool.KindInvalidParameters, "Invalid parameters for search_handbook: wait does not fit time.Duration."},
		{"search_handbook", `{"query":"fail","order":"asc","wait":1}`, tool.KindExecution, "the handbook is closed"},
		{"take_tree", `{"value":1,"kids":[{"value":9223372036854775808}]}`, tool.KindInvalidParameters, "kids.value does not fit int"},
		{"remember", `{"text":"x","id":"forged"}`, tool.KindInvalidParameters, "/id "},
		{"remember", `{"text":"x"}`, tool.KindExecution, "this run has no store"},
	} {
		_, err := tool.Invoke(t.Context(), generated(t, test.tool), tool.Call{Name: test.tool, Arguments: json.RawMessage(test.args)})
		e := tool.AsError(err)
		if e == nil || e.Kind != test.kind || !strings.Contains(e.Message, test.want) {
			t.Errorf("%s(%s): %v\nwant kind %s and %q", test.tool, test.args, err, test.kind, test.want)
		}
	}
}

func TestInjectedValues(t *testing.T) {
	t.Parallel()
	store := tool.NewMemoryStore()
	var told []tool.Update
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{CallID: "call_1", Store: store, Report: func(_ tool.CallID, u tool.Update) { told = append(told, u) }})
	result, err := tool.Invoke(ctx, generated(t, "remember"), tool.Call{Arguments: json.RawMessage(`{"text":"milk"}`)})
	if err != nil || result.Text() != "Done." {
		t.Fatalf("remember = %v, %v", result, err)
	}
	if v, ok, err := store.Get(ctx, "call_1"); string(v) != "milk" || !ok || err != nil {
		t.Errorf("the store has %q, %t, %v", v, ok, err)
	}
	if diff := cmp.Diff([]tool.Update{tool.Progress{Done: 1, Total: 2, Note: "half"}}, told); diff != "" {
		t.Errorf("reports (-want +got):\n%s", diff)
	}
}

func TestGeneratedToolsKeepTheRules(t *testing.T) {
	t.Parallel()
	for name, examples := range map[string][]string{
		"forecast":        {`{"city":"Oslo"}`},
		"nothing":         {`{}`},
		"picture":         {`{}`},
		"shadow":          {`{"r":1,"o":2,"in":3,"ctx":4,"raw":5,"err":6,"out":7,"rt":8,"args":9,"tool":10,"string":11}`},
		"take_everything": {everything},
		"take_tree":       {`{"value":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tooltest.Run(t, func(t *testing.T) tool.Tool { return generated(t, name) }, examples...)
		})
	}
}

// FuzzGenerated holds generated code to encoding/json: of arguments that the schema
// allows both make the same.
func FuzzGenerated(f *testing.F) {
	f.Add([]byte(everything))
	f.Add([]byte(`{}`))
	take := generated(f, "take_everything")
	f.Fuzz(func(t *testing.T, data []byte) {
		args, err := tool.Prepare(take.Definition(), data)
		if err != nil {
			return
		}
		var want kinds.Everything
		wantErr := json.Unmarshal(args, &want)
		result, err := take.Call(t.Context(), tool.Call{Arguments: args})
		if wantErr != nil || err != nil {
			if (wantErr == nil) != (err == nil) {
				t.Fatalf("%s: encoding/json says %v, generated code %v", args, wantErr, err)
			}
			return
		}
		same, err := json.Marshal(want)
		if err != nil {
			return
		}
		var a, b any
		if json.Unmarshal([]byte(result.Text()), &a) != nil || json.Unmarshal(same, &b) != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("%s:\nencoding/json %s\ngenerated     %s", args, same, result.Text())
		}
	})
}
