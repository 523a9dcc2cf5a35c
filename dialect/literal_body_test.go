package dialect

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"helve/message"
)

// shown is events in short: what is text, and calls as name{…} in their place.
func shown(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		switch e.Kind {
		case Text:
			b.WriteString(e.Text)
		case ToolCall:
			b.WriteString("«" + e.Call.Name + string(e.Call.Arguments) + "»")
		case Invalid:
			b.WriteString("‹!›")
		}
	}
	return b.String()
}

// decoded checks the events of input: in one piece, byte by byte, in pieces of seven
// and cut in two at every place.
func decoded(t *testing.T, d *Dialect, o Options, input, want string) {
	t.Helper()
	for _, n := range []int{0, 1, 7} {
		if got := shown(decodeIn(d, o, input, n)); got != want {
			t.Errorf("%s, pieces of %d: %q gives\n  %s, want\n  %s", d, n, input, got, want)
		}
	}
	for n := range min(len(input), 200) {
		decoder := d.NewDecoder(o)
		events := append(slices.Clone(decoder.Feed(input[:n])), decoder.Feed(input[n:])...)
		if got := shown(merged(append(events, decoder.End()...))); got != want {
			t.Errorf("%s, cut at %d: %q gives\n  %s, want\n  %s", d, n, input, got, want)
		}
	}
}

func TestLiteralBodies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		d        *Dialect
		in, want string
	}{
		// A list without markers.
		{&pythonic, `A [now()] b [read_file(path='x'), now(),] c`, `A «now{}» b «read_file{"path":"x"}»«now{}» c`},
		{&pythonic, "[\n  now( ),\n  now()\n]", `«now{}»«now{}»`},
		{&pythonic, `[read_file(path="[now()]")]`, `«read_file{"path":"[now()]"}»`},
		{&pythonic, `x[0] [1, 2, 3] [docs](https://x) [note: now()] [ ] [`, `x[0] [1, 2, 3] [docs](https://x) [note: now()] [ ] [`},
		{&pythonic, `[other(a=1)] [now()]`, `[other(a=1)] «now{}»`},
		{&pythonic, `[read_file('x')] [now()]`, `[read_file('x')] «now{}»`},
		{&pythonic, `[now() and [now()]`, `[now() and «now{}»`},
		{&pythonic, `[now()`, `[now()`},
		{&pythonic, `[now(), other()]`, `«now{}», other()]`},
		{&pythonic, "`[now()]` is the form", "`[now()]` is the form"},

		// The markers may be missing, on either side.
		{&llama4Pythonic, `<|python_start|>[now()]<|python_end|> b`, `«now{}» b`},
		{&llama4Pythonic, `<|python_start|>[now()] b [now()]`, `«now{}» b «now{}»`},
		{&llama4Pythonic, `<|python_start|>import os`, `<|python_start|>import ‹!›os`},
		{&llama4Pythonic, `<|python_start|>[now(`, `<|python_start|>[now(‹!›`},

		// A call a line.
		{&olmo3Pythonic, "<function_calls>now()\nread_file(path='x')\n</function_calls>b", `«now{}»«read_file{"path":"x"}»b`},
		{&olmo3Pythonic, "a<function_calls> </function_calls>b", `ab`},
		{&olmo3Pythonic, "The <function_calls> tag. <function_calls>now()</function_calls>", `The <function_calls> tag. ‹!›«now{}»`},
		{&olmo3Pythonic, "<function_calls>now(<function_calls>now()</function_calls>", `<function_calls>now(‹!›«now{}»`},
		{&olmo3Pythonic, "<function_calls>now()<function_calls>now()", `«now{}»«now{}»`},
		{&olmo3Pythonic, "<function_calls>now()</functi", `«now{}»`},
		{&olmo3Pythonic, "<function_calls>now()\nno", "<function_calls>now()\nno‹!›"},
		{&olmo3Pythonic, "<function_calls>other()</function_calls>", `<function_calls>other()</function_calls>‹!›`},

		// Brackets, JSON and doubled markers.
		{&lfm2, `<|tool_call_start|>now()<|tool_call_end|>`, `«now{}»`},
		{&lfm2, `<|tool_call_start|><|tool_call_start|>[now()]<|tool_call_end|><|tool_call_end|> b`, `«now{}» b`},
		{&lfm2, `<|tool_call_start|> [ {"name": "now", "arguments": {}}] <|tool_call_end|>`, `«now{}»`},
		{&lfm2, `<|tool_call_start|>[]<|tool_call_end|>`, `<|tool_call_start|>[‹!›]<|tool_call_end|>`},
		{&lfm2, `[Calling tool: read_file({"path": "x"})] [Calling now]`, `«read_file{"path":"x"}» [Calling now]`},

		// Fences.
		{&gemma4, `a <|tool_call>call:read_file{path:<|"|><tool_call|>}<|"|>}<tool_call|><|tool_response>`, `a «read_file{"path":"<tool_call|>}"}»`},
		{&gemma4, `call:now{} call:later call:other{} call:now{`, `«now{}» call:later call:other{} call:now{`},
		{&gemma4, `<|tool_call>call:read_file{path:<|tool_call>call:now{}<tool_call|>`, `<|tool_call>call:read_file{path:‹!›«now{}»`},
		{&gemma4, `<|tool_call>now{}<tool_call|>`, `<|tool_call>‹!›now{}<tool_call|>`},
		{&functionGemma, `<start_function_call>call:add{a:1}<end_function_call>`, `«add{"a":1}»`},
		{&functionGemma, `call:now{}`, `call:now{}`},
	} {
		decoded(t, tt.d, Options{Tools: promiseTools}, tt.in, tt.want)
	}
}

// A name may be too long, and the spaces around it too many.
func TestLiteralHeaderIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 2*maxHeader)
	spaces := strings.Repeat(" ", 2*maxHeader)
	for _, in := range []string{"[" + long + "(", "[now" + spaces + "()]", "[now", "<|tool_call_start|>[" + long, "<|tool_call_start|>[" + spaces + `{"a`} {
		for _, d := range []*Dialect{&pythonic, &lfm2} {
			for i, o := range promiseOptions {
				keepsPromises(t, d, o, in, uint64(i))
			}
		}
	}
	decoded(t, &pythonic, Options{}, "["+spaces+"now()]", "«now{}»")
}

// TestLiteralsRoundTrip writes what is hard to write and reads it back.
func TestLiteralsRoundTrip(t *testing.T) {
	t.Parallel()
	arguments := []string{
		`{}`,
		`{"a":"","b":"it's \"both\"","c":"\\n\\","d":"a\nb\tc\r\u0000\u007f"}`,
		`{"a":"</function_calls>]<|tool_call_end|><tool_call|><|python_end|>","b":"<|\"|>","c":"<escape>","d":"x<|\"|"}`,
		`{"a":"日本 😀 é","b":"007","c":"true","d":"None","e":"C:\\dir"}`,
		`{"a":12345678901234567890,"b":-1.50e-7,"c":true,"d":null,"e":[],"f":{}}`,
		`{"a":[[1],{"k":[{"l":null}]}],"b":{"x y":{"":1}},"c d":"e","ü":1,"":2}`,
	}
	for _, d := range []*Dialect{&pythonic, &llama4Pythonic, &olmo3Pythonic, &lfm2, &gemma4, &functionGemma} {
		for _, a := range arguments {
			text := d.Write([]message.ToolCall{promiseCall("now", a), promiseCall("f.g-h", a)})
			events := decodeIn(d, Options{}, text, 0)
			var names []string
			for _, e := range events {
				if e.Kind == ToolCall && sameJSON(e.Call.Arguments, []byte(a)) {
					names = append(names, e.Call.Name)
				}
			}
			if !reflect.DeepEqual(names, []string{"now", "f.g-h"}) || textOf(events, Text) != "" {
				t.Errorf("%s: %s is written as\n%s\nand read as\n%s", d, a, text, describe(events))
			}
		}
	}
}
