package dialect

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

// roundTripTools are declared to the decoder. Formats with raw values need the types.
var roundTripTools = []tool.Definition{
	{Name: "write_file", Parameters: schema.MustCompile(`{"type": "object", "properties": {
			"path": {"type": "string"}, "content": {"type": "string"}, "mode": {"type": "string"},
			"count": {"type": "integer"}, "ratio": {"type": "number"}, "force": {"type": "boolean"},
			"lines": {"type": "array", "items": {"type": "integer"}},
			"tags": {"type": "array", "items": {"type": "string"}},
			"options": {"type": "object"}}}`)},
	{Name: "ping", Parameters: schema.MustCompile(`{"type": "object"}`)},
	{Name: "get-weather", Parameters: schema.MustCompile(`{"type": "object", "properties": {"city": {"type": "string"}}}`)},
}

func roundTripCall(name, arguments string) message.ToolCall {
	return message.ToolCall{Name: name, Arguments: json.RawMessage(arguments)}
}

func withContent(content string) message.ToolCall {
	return roundTripCall("write_file", `{"path": "a.txt", "content": `+quote(content)+`}`)
}

// roundTrips are what a model may want to call.
func roundTrips() map[string][]message.ToolCall {
	return map[string][]message.ToolCall{
		"no arguments":      {roundTripCall("ping", `{}`)},
		"missing arguments": {{Name: "ping"}},
		"a hyphen":          {roundTripCall("get-weather", `{"city": "Paris"}`)},
		"several": {
			roundTripCall("get-weather", `{"city": "Zürich"}`),
			roundTripCall("ping", `{}`),
			roundTripCall("get-weather", `{"city": "東京"}`),
		},
		"scalars": {roundTripCall("write_file", `{"count": 42, "ratio": -1.5, "force": true}`)},
		"text that looks like something else": {
			roundTripCall("write_file", `{"path": "007", "content": "true", "mode": "null"}`),
			roundTripCall("write_file", `{"path": "1e3", "content": "[1, 2]", "mode": "{\"a\": 1}"}`),
		},
		"nested":         {roundTripCall("write_file", `{"lines": [1, 2, 3], "tags": ["a", "b, c", "d\"e"], "options": {"a": {"b": [true, null, "x"]}, "": 1}}`)},
		"empty values":   {roundTripCall("write_file", `{"content": "", "lines": [], "tags": [], "options": {}}`)},
		"quotes":         {withContent(`He said "hi", 'there' and ` + "`now`" + `; "}" too`)},
		"newlines":       {withContent("one\ntwo\n\n  three\r\n\tfour")},
		"newlines round": {withContent("\nfirst\nlast\n")},
		"spaces":         {withContent("  two  ")},
		"backslashes":    {withContent(`C:\new\table \\ \" \u0041 \d+`)},
		"markup":         {withContent(`<a href="x">1 < 2 && 3 > 2; &lt;&amp;</a>`)},
		"closers":        {withContent("</tool_call> </function> </think> </tool_calls> ]</TOOLCALL> )] <|eom_id|> } ] }]")},
		"openers":        {withContent(`<tool_call> {"name": "ping", "arguments": {}} [Calling tool: ping({})] <function=ping>`)},
		"fences":         {withContent("```json\n{\"name\": \"ping\"}\n```\n")},
		"unicode":        {withContent("é 漢字 😀 \u2028 \ufeff ｜▁")},
		"controls":       {withContent("a\x00b\x1fc\x7f")},
	}
}

// What a dialect writes it must read: the same calls, and nothing for the user.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		if d.write == nil {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for name, calls := range roundTrips() {
				text := d.Write(calls)
				for _, n := range []int{0, 1, 7} {
					events := decodeIn(d, Options{Tools: roundTripTools}, text, n)
					if why := sameCalls(calls, events); why != "" {
						t.Errorf("%s, in chunks of %d: %s\nwritten: %q", name, n, why, text)
						break
					}
					if got := allText(events); got != text {
						t.Errorf("%s, in chunks of %d: the events' text is\n%q, written was\n%q", name, n, got, text)
						break
					}
				}
			}
		})
	}
}

// sameCalls says in what events differ from calls, or "".
func sameCalls(calls []message.ToolCall, events []Event) string {
	var want, got []message.ToolCall
	for _, c := range calls {
		want = append(want, roundTripCall(c.Name, compactJSON(string(objectOf(c.Arguments)))))
	}
	for _, e := range events {
		switch {
		case e.Kind == ToolCall:
			got = append(got, roundTripCall(e.Call.Name, compactJSON(string(e.Call.Arguments))))
		case e.Kind != Control && strings.TrimSpace(e.Text) != "":
			return "an event of kind " + e.Kind.String() + " holds " + e.Text
		}
	}
	return cmp.Diff(want, got)
}

// compactJSON brings values that are equal into one form: sorted keys,
// no white space and no needless escapes.
func compactJSON(text string) string {
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return "not JSON: " + text
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		return err.Error()
	}
	return b.String()
}

// allText is the text of all events, which must be the answer.
func allText(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		if e.Kind != Invalid {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}
