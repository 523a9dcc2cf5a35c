package dialect

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/schema"
	"helve/tool"
)

// outline writes events in short: a word for the kind, and what it is about.
func outline(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		switch e.Kind {
		case ToolCall:
			fmt.Fprintf(&b, "call %s %s\n", e.Call.Name, e.Call.Arguments)
		case Invalid:
			fmt.Fprintf(&b, "invalid: %v\n", e.Call.Err)
		default:
			fmt.Fprintf(&b, "%s %q\n", e.Kind, e.Text)
		}
	}
	return b.String()
}

// jsonTools are those that the tests of JSON bodies declare.
var jsonTools = []tool.Definition{
	{Name: "f", Parameters: schema.MustCompile(`{"type": "object"}`)},
	{Name: "g", Parameters: schema.MustCompile(`{"type": "object"}`)},
}

type jsonCase struct {
	name, in string
	want     []string
}

// run decodes every case whole and in pieces.
func runJSONCases(t *testing.T, dialect string, o Options, cases []jsonCase) {
	t.Helper()
	d, err := Lookup(dialect)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(dialect+"/"+c.name, func(t *testing.T) {
			for _, n := range []int{0, 1, 2, 3, 7} {
				events := decodeIn(d, o, c.in, n)
				if got := allText(events); got != c.in {
					t.Errorf("in chunks of %d the events' text is %q", n, got)
				}
				want := strings.Join(c.want, "\n") + "\n"
				if diff := cmp.Diff(want, outline(events)); diff != "" {
					t.Errorf("in chunks of %d (-want +got):\n%s", n, diff)
				}
			}
		})
	}
}

const (
	brokenOff  = "invalid: the JSON breaks off"
	noJSON     = "invalid: no JSON follows the marker"
	incomplete = "invalid: the answer ends before the call does"
	elseThan   = "invalid: something else than the closing marker follows the JSON"
)

func TestJSONInTags(t *testing.T) {
	t.Parallel()
	runJSONCases(t, "hermes", Options{Tools: jsonTools}, []jsonCase{
		{"text around", "a <tool_call>\n{\"name\": \"f\", \"arguments\": {\"x\": 1}}\n</tool_call> b",
			[]string{`text "a "`, `call f {"x": 1}`, `text " b"`}},
		{"arguments first", `<tool_call>{"arguments": {"name": "g"}, "name": "f"}</tool_call>`, []string{`call f {"name": "g"}`}},
		{"parameters, and a name in spaces", `<tool_call>{"name": " f ", "parameters": {}}</tool_call>`, []string{`call f {}`}},
		{"no arguments", `<tool_call>{"name": "f"}</tool_call>`, []string{`call f {}`}},
		{"arguments in a string", `<tool_call>{"name": "f", "arguments": "{\"x\": 1}"}</tool_call>`, []string{`call f {"x": 1}`}},
		{"the last of equal keys", `<tool_call>{"name": "g", "name": "f", "arguments": {"x": 1}, "arguments": {"x": 2}}</tool_call>`, []string{`call f {"x": 2}`}},
		{"an array", `<tool_call>[{"name": "f"}, {"name": "g", "arguments": {"x": 1}}]</tool_call>`, []string{`call f {}`, `call g {"x": 1}`}},
		{"an array in which one is not declared", `<tool_call>[{"name": "h"}, {"name": "g"}]</tool_call>`,
			[]string{`invalid: no tool "h" is declared`, `call g {}`}},
		{"a closer in a string", `<tool_call>{"name": "f", "arguments": {"x": "</tool_call>{"}}</tool_call>`, []string{`call f {"x": "</tool_call>{"}`}},
		{"the closer of something else", `<tool_call>{"name": "f"}</think>`, []string{`call f {}`}},
		{"no closer, and the answer ends", "<tool_call>{\"name\": \"f\"}\n", []string{`call f {}`}},
		{"half a closer, and the answer ends", `<tool_call>{"name": "f"}</tool`, []string{`call f {}`}},
		{"no closer, and the next call begins", `<tool_call>{"name": "f"}<tool_call>{"name": "g"}</tool_call>`, []string{`call f {}`, `call g {}`}},
		{"a bracket too many", `<tool_call>{"name": "f"}}</tool_call>`, []string{`call f {}`}},
		{"brackets too few", `<tool_call>{"name": "f", "arguments": {"x": "y"</tool_call>.`, []string{`call f {"x":"y"}`, `text "."`}},
		{"brackets too few, and a cut number", `<tool_call>{"name": "f", "arguments": {"x": 12</tool_call>`,
			[]string{`text "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": 12</tool_call>"`, `invalid: dialect: the JSON is cut off: its value does not end`}},
		{"repaired", `<tool_call>{name: 'f', "arguments": {"x": True,}}</tool_call>`, []string{`call f {"x":true}`}},
		{"a bracket too few, and the answer ends", `<tool_call>{"name": "f", "arguments": {"x": 1}`,
			[]string{`text "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": 1}"`, incomplete}},
		{"cut in a string", `<tool_call>{"name": "f", "arguments": {"x": "/etc`,
			[]string{`text "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": \"/etc"`, incomplete}},
		{"nothing but the marker", `<tool_call>`, []string{`text "<tool_call>"`, incomplete}},
		{"half a marker", `a <tool_c`, []string{`text "a <tool_c"`}},
		{"an empty body", "<tool_call>\n</tool_call>", []string{`control "<tool_call>\n</tool_call>"`}},
		{"prose for JSON", `The <tool_call> tag wraps JSON.`, []string{`text "The <tool_call> "`, noJSON, `text "tag wraps JSON."`}},
		{"prose behind JSON", `<tool_call>{"name": "f"} then </tool_call>`,
			[]string{`text "<tool_call>{\"name\": \"f\"} "`, elseThan, `text "then </tool_call>"`}},
		{"the marker twice", `<tool_call><tool_call>{"name": "f"}</tool_call>`, []string{`text "<tool_call>"`, noJSON, `call f {}`}},
		{"a call in a broken call", `<tool_call>{"name": "g", <tool_call>{"name": "f"}</tool_call>`,
			[]string{`text "<tool_call>{\"name\": \"g\", "`, brokenOff, `call f {}`}},
		{"arguments that are no object", `<tool_call>{"name": "f", "arguments": [1]}</tool_call>`,
			[]string{`text "<tool_call>{\"name\": \"f\", \"arguments\": [1]}</tool_call>"`, `invalid: "arguments" is not an object`}},
		{"a string in a string", `<tool_call>{"name": "f", "arguments": "\"{}\""}</tool_call>`,
			[]string{`text "<tool_call>{\"name\": \"f\", \"arguments\": \"\\\"{}\\\"\"}</tool_call>"`, `invalid: "arguments" is not an object`}},
		{"a name that is no string", `<tool_call>{"name": 7}</tool_call>`,
			[]string{`text "<tool_call>{\"name\": 7}</tool_call>"`, `invalid: the JSON has no string "name"`}},
		{"not declared", `<tool_call>{"name": "h"}</tool_call>`,
			[]string{`text "<tool_call>{\"name\": \"h\"}</tool_call>"`, `invalid: no tool "h" is declared`}},
		{"a name in the arguments only", `<tool_call>{"name": "h", "arguments": {"q": "f {} g"}}</tool_call>`,
			[]string{`text "<tool_call>{\"name\": \"h\", \"arguments\": {\"q\": \"f {} g\"}}</tool_call>"`, `invalid: no tool "h" is declared`}},
		{"in code", "`<tool_call>{\"name\": \"f\"}</tool_call>`", []string{"text \"`<tool_call>{\\\"name\\\": \\\"f\\\"}</tool_call>`\""}},
		{"in reasoning", `<think><tool_call>{"name": "f"}</tool_call></think><tool_call>{"name": "g"}</tool_call>`,
			[]string{`control "<think>"`, `reasoning "<tool_call>{\"name\": \"f\"}</tool_call>"`, `control "</think>"`, `call g {}`}},
	})
	runJSONCases(t, "apertus", Options{Tools: jsonTools}, []jsonCase{
		{"names for keys", `<|tools_prefix|>[{"f": {"x": 1}}, {"g": {}}]<|tools_suffix|>`, []string{`call f {"x": 1}`, `call g {}`}},
		{"closers missing at the end", `<|tools_prefix|>[{"f": {"x": 1}`, []string{`call f {"x":1}`}},
		{"arguments cut", `<|tools_prefix|>[{"f": {"x": 1`, []string{`text "<|tools_prefix|>[{\"f\": {\"x\": 1"`, incomplete}},
	})
}

func TestJSONWithoutCloser(t *testing.T) {
	t.Parallel()
	runJSONCases(t, "granite3", Options{}, []jsonCase{
		{"text behind", `<|tool_call|> [{"name": "f"}] and <tool_call>[{"name": "g"}]`, []string{`call f {}`, `text " and "`, `call g {}`}},
		{"an object", `<|tool_call|>{"name": "f"}`, []string{`text "<|tool_call|>"`, noJSON, `text "{\"name\": \"f\"}"`}},
		{"cut", `<|tool_call|>[{"name": "f"}`, []string{`text "<|tool_call|>[{\"name\": \"f\"}"`, incomplete}},
	})
	runJSONCases(t, "phi4-mini", Options{}, []jsonCase{
		{"a word", `functools is no call, functools[{"name": "f"}] is.`, []string{`text "functools is no call, "`, `call f {}`, `text " is."`}},
		{"the form of its template", `<|tool_call|>{"name": "f"}<|/tool_call|>`, []string{`call f {}`}},
	})
	runJSONCases(t, "gigachat3", Options{}, []jsonCase{
		{"with its end", "a<|function_call|>{\"name\": \"f\", \"arguments\": {}}</s>", []string{`text "a"`, `call f {}`, `control "</s>"`}},
		{"no arguments", `<|function_call|>{"name": "f"}`, []string{`text "<|function_call|>{\"name\": \"f\"}"`, `invalid: the JSON has no arguments`}},
		{"arguments in a string", `<|function_call|>{"name": "f", "arguments": "{}"}`,
			[]string{`text "<|function_call|>{\"name\": \"f\", \"arguments\": \"{}\"}"`, `invalid: "arguments" is not an object`}},
	})
}

func TestBareJSON(t *testing.T) {
	t.Parallel()
	runJSONCases(t, "json-raw", Options{Tools: jsonTools}, []jsonCase{
		{"one", `{"name": "f", "arguments": {"x": "}"}}`, []string{`call f {"x": "}"}`}},
		{"amid prose", `Well, {"name": "f", "parameters": {}} it is.`, []string{`text "Well, "`, `call f {}`, `text " it is."`}},
		{"back to back", `{"name": "f", "arguments": {}}{"name": "g", "arguments": {}}`, []string{`call f {}`, `call g {}`}},
		{"an array", `[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]`, []string{`call f {}`, `call g {}`}},
		{"a bracket too many", `{"name": "f", "arguments": {}}}.`, []string{`call f {}`, `control "}"`, `text "."`}},
		{"in a fence", "Now:\n```json\n{\"name\": \"f\", \"arguments\": {}}\n```\nDone.", []string{`text "Now:\n"`, `call f {}`, `text "\nDone."`}},
		{"in a fence without a word", "```\n[{\"name\": \"f\", \"arguments\": {}}]\n```", []string{`call f {}`}},
		{"a fence of something else", "```js\n{\"name\": \"f\", \"arguments\": {}}\n```", []string{"text \"```js\\n{\\\"name\\\": \\\"f\\\", \\\"arguments\\\": {}}\\n```\""}},
		{"a fence of other JSON, then a call", "```json\n{\"a\": 1}\n```\n{\"name\": \"f\", \"arguments\": {}}",
			[]string{"text \"```json\\n{\\\"a\\\": 1}\\n```\\n\"", `call f {}`}},
		{"code in a line", "`{\"name\": \"f\", \"arguments\": {}}`", []string{"text \"`{\\\"name\\\": \\\"f\\\", \\\"arguments\\\": {}}`\""}},
		{"an answer", `{"name": "Alice", "age": 30}`, []string{`text "{\"name\": \"Alice\", \"age\": 30}"`}},
		{"an answer that has the tool's name", `{"name": "f", "age": 30}`, []string{`text "{\"name\": \"f\", \"age\": 30}"`}},
		{"not declared", `{"name": "h", "arguments": {}}`, []string{`text "{\"name\": \"h\", \"arguments\": {}}"`}},
		{"a call inside other JSON", `{"data": {"name": "f", "arguments": {}}} and {"name": "g", "arguments": {}}`,
			[]string{`text "{\"data\": {\"name\": \"f\", \"arguments\": {}}} and "`, `call g {}`}},
		{"a list that begins with no call", "{\"a\": 1}\n{\"name\": \"f\", \"arguments\": {}}", []string{`text "{\"a\": 1}\n{\"name\": \"f\", \"arguments\": {}}"`}},
		{"an array that begins with no call", `[{"a": 1}, {"name": "f", "arguments": {}}]`, []string{`text "[{\"a\": 1}, {\"name\": \"f\", \"arguments\": {}}]"`}},
		{"a brace in prose", `{hello {"name": "f", "arguments": {}}`, []string{`text "{hello "`, `call f {}`}},
		{"a quote in a brace in prose", "The set {\"a, b\nand {\"name\": \"f\", \"arguments\": {}}", []string{`text "The set {\"a, b\nand "`, `call f {}`}},
		{"cut", `{"name": "f", "arguments": {"x": 1}`, []string{`text "{\"name\": \"f\", \"arguments\": {\"x\": 1}"`}},
		{"cut in the key", `{"na`, []string{`text "{\"na"`}},
	})
	runJSONCases(t, "json-array", Options{Tools: jsonTools}, []jsonCase{
		{"the closer is missing", `[{"name": "f", "arguments": {}}`, []string{`call f {}`}},
		{"an element is cut", `[{"name": "f", "arguments": {}}, {"name": "g"`, []string{`text "[{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"g\""`}},
		{"an object", `{"name": "f", "arguments": {}}`, []string{`text "{\"name\": \"f\", \"arguments\": {}}"`}},
	})
	runJSONCases(t, "xlam", Options{Tools: jsonTools}, []jsonCase{
		{"a marker of another format", `[TOOL_CALLS][{"name": "f", "arguments": {}}]`, []string{`call f {}`}},
		{"half of that marker", `[TOOL and [T`, []string{`text "[TOOL and [T"`}},
		{"in tags", `a<tool_call>[{"name": "f", "arguments": {}}]</tool_call>b`, []string{`text "a"`, `call f {}`, `text "b"`}},
	})
	runJSONCases(t, "llama3-json", Options{Tools: jsonTools}, []jsonCase{
		{"semicolons", `{"name": "f", "parameters": {}}; {"name": "g", "parameters": {}}`, []string{`call f {}`, `control ";"`, `text " "`, `call g {}`}},
		{"the marker", `<|python_tag|>{"name": "f", "parameters": {}}<|python_tag|>{"name": "g"}<|eom_id|>`, []string{`call f {}`, `call g {}`, `control "<|eom_id|>"`}},
		{"Python behind the marker", `<|python_tag|>print({"a": 1})`, []string{`text "<|python_tag|>print({\"a\": 1})"`}},
	})
}

func TestNameBeforeJSON(t *testing.T) {
	t.Parallel()
	runJSONCases(t, "calling-tool", Options{Tools: jsonTools}, []jsonCase{
		{"in brackets", `[Calling tool: f({"x": "})]"})] ok`, []string{`call f {"x": "})]"}`, `text " ok"`}},
		{"without brackets", `Calling tool: f({})`, []string{`call f {}`}},
		{"a bracket missing", `[Calling tool: f({}) and more`, []string{`call f {}`, `text " and more"`}},
		{"prose", "Calling tool: the doctor.\nCalling tool: f(1)", []string{`text "Calling tool: the doctor.\nCalling tool: f(1)"`}},
		{"not closed", `[Calling tool: f({"x": "[Calling tool: g({})]"`, []string{`text "[Calling tool: f({\"x\": \"[Calling tool: g({})]\""`}},
	})
	runJSONCases(t, "functionary-v3.1", Options{Tools: jsonTools}, []jsonCase{
		{"two", `<function=f>{"x": 1}</function><function=g>{}</function>.`, []string{`call f {"x": 1}`, `call g {}`, `text "."`}},
		{"elements", `<function><name>f</name><arguments>{"x": 1}</arguments></function>`, []string{`call f {"x": 1}`}},
		{"a tag in prose", `The <function> and <function=f> tags`, []string{`text "The <function> and <function=f> "`, noJSON, `text "tags"`}},
		{"no name", `<function=>{}</function>`, []string{`text "<function="`, `invalid: no tool's name follows the marker`, `text ">{}</function>"`}},
		{"a name that is too long", `<function=` + strings.Repeat("x", 2*maxHeader) + `>{}</function>`,
			[]string{`text "<function=` + strings.Repeat("x", maxHeader) + `"`, `invalid: the name before the JSON is too long`,
				`text "` + strings.Repeat("x", maxHeader) + `>{}</function>"`}},
	})
	runJSONCases(t, "functionary-v3.2", Options{Tools: jsonTools}, []jsonCase{
		{"the first name is at the start", "f\n{\"x\": 1}>>>g\n{}", []string{`call f {"x": 1}`, `call g {}`}},
		{"text for everyone", "all\nHello.>>>f\n{}", []string{`control "all\n"`, `text "Hello."`, `call f {}`}},
		{"a word alone", "f", []string{`text "f"`}},
		{"a word in a line", "f\nand more", []string{`text "f\nand more"`}},
		{"another word", "h\n{}", []string{`text "h\n{}"`}},
		{"a prompt of Python", ">>> f\n>>> h\n{}", []string{`text ">>> f\n>>> h\n{}"`}},
		{"the older form", "<|from|>assistant\n<|recipient|>f\n<|content|>{\"x\": 1}<|stop|>", []string{`call f {"x": 1}`, `control "<|stop|>"`}},
		{"the older form for everyone", "<|from|>assistant\n<|recipient|>all\n<|content|>Hi<|stop|>",
			[]string{`control "<|from|>assistant\n<|recipient|>all\n<|content|>"`, `text "Hi"`, `control "<|stop|>"`}},
	})
}

func TestCohereAnswers(t *testing.T) {
	t.Parallel()
	runJSONCases(t, "cohere", Options{Tools: jsonTools}, []jsonCase{
		{"calls", `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "f", "parameters": {"x": 1}} {"tool_name": "g"}]<|END_ACTION|>`,
			[]string{`call f {"x":1}`, `call g {}`}},
		{"frames", `<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>hi<|END_RESPONSE|><|END_OF_TURN_TOKEN|>`,
			[]string{`control "<|START_THINKING|>"`, `reasoning "hm"`, `control "<|END_THINKING|><|START_RESPONSE|>"`, `text "hi"`,
				`control "<|END_RESPONSE|><|END_OF_TURN_TOKEN|>"`}},
		{"an answer in a call's clothes", `<|START_ACTION|>[{"tool_name": "direct_answer", "parameters": {"n": 1, "message": "Hi there"}}]<|END_ACTION|>`,
			[]string{`control "<|START_ACTION|>[{\"tool_name\": \"direct_answer\", \"parameters\": {\"n\": 1, \"message\": \""`, `text "Hi there"`,
				`control "\"}}]<|END_ACTION|>"`}},
		{"no answer in a call's clothes", `<|START_ACTION|>[{"tool_name": "directly_answer", "parameters": {}}]<|END_ACTION|>Hi`,
			[]string{`control "<|START_ACTION|>[{\"tool_name\": \"directly_answer\", \"parameters\": {}}]<|END_ACTION|>"`, `text "Hi"`}},
	})
	runJSONCases(t, "cohere-r-plus", Options{Tools: jsonTools}, []jsonCase{
		{"a plan and a call", "Plan: look.\nAction:\n```json\n[{\"tool_name\": \"f\", \"parameters\": {}}]\n```<|END_OF_TURN_TOKEN|>",
			[]string{`text "Plan: look.\n"`, `call f {}`, `control "<|END_OF_TURN_TOKEN|>"`}},
	})
}

// An answer in JSON is not held once it shows that it is no call.
func TestBareJSONThatIsNoCallIsNotHeld(t *testing.T) {
	t.Parallel()
	for text, held := range map[string]bool{
		`{`: true, `{ `: true, `{"`: true, `{"na`: true, `{"name": "`: true, `{"name": "f"`: true, `{"name": "f", "age": 3`: true, `{name: f`: true, `{"name" : 'f'`: true,
		`{x`: false, `{"age`: false, `{"name_`: false, `{"name": "Alice"`: false, `[{"name": "Alice"`: false, `{"name": ""`: false, `{"names": ["f"`: false,
		`[{"label`: false, `[1`: false, `{"name": "Alice", "bio": "` + strings.Repeat("long ", 100): false,
	} {
		decoder := jsonRaw.NewDecoder(Options{Tools: jsonTools})
		var events []Event
		for i := range len(text) {
			events = append(events, decoder.Feed(text[i:i+1])...)
		}
		if got := allText(events) == ""; got != held || !held && allText(events) != text {
			t.Errorf("of %s came out %q", text, allText(events))
		}
	}
}

// A call comes out with the byte that completes it, where nothing has to follow.
func TestJSONCallsAreNotDelayed(t *testing.T) {
	t.Parallel()
	for dialect, text := range map[string]string{
		"json-raw":         `{"name": "f", "arguments": {}}`,
		"json-array":       `[{"name": "f", "arguments": {}}]`,
		"xlam":             `[{"name": "f", "arguments": {}}]`,
		"llama3-json":      `<|python_tag|>{"name": "f", "arguments": {}}`,
		"granite3":         `<|tool_call|>[{"name": "f"}]`,
		"gigachat3":        `<|function_call|>{"name": "f", "arguments": {}}`,
		"functionary-v3.2": "f\n{}",
		"hermes":           `<tool_call>{"name": "f"}</tool_call>`,
	} {
		d, err := Lookup(dialect)
		if err != nil {
			t.Fatal(err)
		}
		decoder := d.NewDecoder(Options{})
		decoder.Feed(text[:len(text)-1])
		if events := decoder.Feed(text[len(text)-1:]); len(events) != 1 || events[0].Kind != ToolCall {
			t.Errorf("%s: the last byte of %s gave %v", dialect, text, events)
		}
	}
}

// Mends are reported, also those in arguments that are a string.
func TestJSONRepairsAreReported(t *testing.T) {
	t.Parallel()
	events := decodeIn(&hermes, Options{}, `<tool_call>{"name": "f", "arguments": "{'x': 1}",}</tool_call>`, 0)
	want := []Repair{{40, TrailingComma}, {1, SingleQuotes}}
	if len(events) != 1 || events[0].Call == nil {
		t.Fatalf("got %v", events)
	}
	if diff := cmp.Diff(want[1], events[0].Call.Repairs[1]); diff != "" || events[0].Call.Repairs[0].Kind != want[0].Kind {
		t.Errorf("got %v, want %v", events[0].Call.Repairs, want)
	}
}

// jsonFormats are the dialects that FuzzJSONFormats tries.
var jsonFormats = []*Dialect{
	&hermes, &xlam, &jsonRaw, &jsonArray, &llama3JSON, &callingTool, &functionaryV31, &functionaryV32, &cohere, &cohereRPlus,
	&apertus, &gigachat3, &granite3, &phi4Mini, &internlm2, &hunyuanA13B, &apriel,
}

func FuzzJSONFormats(f *testing.F) {
	for i, d := range jsonFormats {
		for _, calls := range roundTrips() {
			f.Add("Hi. "+d.Write(calls)+" Done.", uint8(i), uint64(1), false)
		}
	}
	for _, text := range plainTexts {
		f.Add(text, uint8(2), uint64(2), true)
	}
	f.Add("f\n{\"x\": 1}>>>all\nHello", uint8(7), uint64(3), true)
	f.Add("```json\n[{\"name\": \"f\", \"arguments\": {}}]\n```x", uint8(1), uint64(3), true)
	f.Fuzz(func(t *testing.T, text string, which uint8, seed uint64, declared bool) {
		d := jsonFormats[int(which)%len(jsonFormats)]
		o := Options{}
		if declared {
			o.Tools = jsonTools
		}
		whole := decodeIn(d, o, text, 0)
		if got := allText(whole); got != text {
			t.Fatalf("%s: the events' text is %q, want %q", d, got, text)
		}
		for _, e := range whole {
			if e.Kind != ToolCall {
				continue
			}
			if arguments := e.Call.Arguments; !json.Valid(arguments) || arguments[0] != '{' || e.Call.Name == "" {
				t.Fatalf("%s: %q is no call", d, e.Call.Arguments)
			}
			if declared && e.Call.Name != "f" && e.Call.Name != "g" {
				t.Fatalf("%s: %s is not declared", d, e.Call.Name)
			}
		}
		want := outline(whole)
		if diff := cmp.Diff(want, outline(decodeIn(d, o, text, 1))); diff != "" {
			t.Fatalf("%s: %q in single bytes (-whole +pieces):\n%s", d, text, diff)
		}
		random := rand.New(rand.NewPCG(seed, 0))
		decoder := d.NewDecoder(o)
		var pieces []Event
		for rest := text; rest != ""; {
			n := 1 + random.IntN(min(len(rest), 12))
			pieces = append(pieces, decoder.Feed(rest[:n])...)
			rest = rest[n:]
		}
		if diff := cmp.Diff(want, outline(merged(append(pieces, decoder.End()...)))); diff != "" {
			t.Fatalf("%s: %q in random pieces (-whole +pieces):\n%s", d, text, diff)
		}
	})
}
