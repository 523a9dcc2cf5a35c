package sim

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/model"
)

const demo = `
turns:
  - when: weather
    reasoning: They want a forecast.
    text: Let me look.
    calls:
      - name: get_weather
        arguments: {city: Paris, days: 3, exact: 12345678901234567890, deep: {b: [1, 2.50, true, null, "x"], a: ok}}
      - id: mine
        name: get_weather
        raw: '{"city": '
    usage: {input: 10, output: 5}
  - text: |
      It is sunny.
      Enjoy.
    finish: length
    fault: slow
`

func TestParseScript(t *testing.T) {
	t.Parallel()
	got, err := ParseScript([]byte(demo))
	if err != nil {
		t.Fatal(err)
	}
	want := Script{Turns: []Turn{
		{
			When: "weather", Reasoning: "They want a forecast.", Text: "Let me look.",
			Calls: []Call{
				{Name: "get_weather", Arguments: `{"city":"Paris","days":3,"exact":12345678901234567890,"deep":{"b":[1,2.50,true,null,"x"],"a":"ok"}}`},
				{ID: "mine", Name: "get_weather", Arguments: `{"city": `},
			},
			Usage: model.Usage{InputTokens: 10, OutputTokens: 5},
		},
		{Text: "It is sunny.\nEnjoy.\n", Finish: model.FinishLength, Fault: Slow},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("script (-want +got):\n%s", diff)
	}
}

func TestParseScriptErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, script, want string }{
		{"empty", "", "it is empty"},
		{"not YAML", "turns: [", "line 1"},
		{"no turns", "turns: []", "turns is missing or empty"},
		{"unknown key", "turn:\n  - text: hi", `line 1: unknown key "turn" in the script: use one of turns`},
		{"unknown key of a turn", "turns:\n  - text: hi\n    txt: ho", `line 3: unknown key "txt" in a turn: use one of calls, fault, finish, reasoning, text, usage, when`},
		{"key twice", "turns:\n  - text: hi\n    text: ho", `"text" is given twice`},
		{"turns not a list", "turns: {text: hi}", "line 1: turns is not a list"},
		{"text not text", "turns:\n  - text: [hi]", "line 2: text is not text"},
		{"call without name", "turns:\n  - calls:\n      - arguments: {}", "line 3: name is missing"},
		{"arguments not a mapping", "turns:\n  - calls:\n      - name: f\n        arguments: '{}'", "line 4: arguments is not a mapping: write raw"},
		{"both", "turns:\n  - calls:\n      - name: f\n        arguments: {}\n        raw: x", "line 3: both arguments and raw"},
		{"finish", "turns:\n  - finish: done", `line 2: finish is "done": use stop`},
		{"fault", "turns:\n  - fault: flood", `line 2: fault: unknown fault "flood": use one of 429, 500`},
		{"usage", "turns:\n  - usage: {input: many}", "line 2: input is not a number of tokens"},
		{"reference", "turns:\n  - calls:\n      - name: f\n        arguments: {a: &x [1], b: *x}", "line 4: references are not read"},
		{"infinity", "turns:\n  - calls:\n      - name: f\n        arguments: {a: .inf}", "line 4: .inf has no JSON form"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseScript([]byte(test.script))
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "sim: script: ") {
				t.Errorf("error %v: want one with %q", err, test.want)
			}
		})
	}
}

func FuzzParseScript(f *testing.F) {
	f.Add(demo)
	f.Add("turns:\n  - calls:\n      - name: f\n        arguments: {a: &x [1], b: *x, 1: 0x10, c: 2001-01-01, !!binary d: 1_000}")
	f.Fuzz(func(t *testing.T, data string) {
		s, err := ParseScript([]byte(data))
		if err == nil && len(s.Turns) == 0 {
			t.Error("a script without turns and without an error")
		}
		for _, turn := range s.Turns {
			turn.reply().deltas()
		}
	})
}

func TestScript(t *testing.T) {
	t.Parallel()
	script, err := ParseScript([]byte(`
turns:
  - when: second
    text: You said second.
  - reasoning: Hm.
    text: First.
    calls:
      - name: lookup
        arguments: {what: it}
    usage: {input: 3, output: 4}
`))
	if err != nil {
		t.Fatal(err)
	}
	client := connect(t, Options{Script: &script})

	resp := generate(t, client, ask("The first"))
	calls := resp.Message.ToolCalls()
	if resp.Message.Text() != "First." || len(calls) != 1 || calls[0].Name != "lookup" || string(calls[0].Arguments) != `{"what":"it"}` {
		t.Errorf("first answer %+v", resp.Message)
	}
	if want := (model.Usage{InputTokens: 3, OutputTokens: 4}); resp.Finish.Usage != want || resp.Finish.Reason != model.FinishToolCalls {
		t.Errorf("finish %+v: want usage %+v and tool_calls", resp.Finish, want)
	}
	if resp := generate(t, client, ask("The SECOND")); resp.Message.Text() != "You said second." {
		t.Errorf("second answer %+v", resp.Message)
	}
	_, err = model.Generate(t.Context(), client, ask("A third"))
	var api *model.APIError
	if !errors.As(err, &api) || api.Status != 400 || api.Code != "script_exhausted" || !strings.Contains(api.Message, `no turn left for "A third": it has 2 turns and 2 were used`) {
		t.Errorf("error %v: want script_exhausted", err)
	}
}
