package dialect

import (
	"fmt"
	"strings"
	"testing"

	"helve/schema"
	"helve/tool"
)

// transcript writes events in one line: "text", think "…", f{"a":1} for a call and
// !f for a notice. Control is left out.
func transcript(events []Event) string {
	var all []string
	for _, e := range events {
		switch e.Kind {
		case Text:
			all = append(all, fmt.Sprintf("%q", e.Text))
		case Reasoning:
			all = append(all, fmt.Sprintf("think %q", e.Text))
		case ToolCall:
			all = append(all, e.Call.Name+string(e.Call.Arguments))
		case Invalid:
			all = append(all, "!"+e.Call.Name)
		}
	}
	return strings.Join(all, " ")
}

// transcripts are cases of one dialect.
type transcripts []struct{ name, input, want string }

func (cases transcripts) run(t *testing.T, d *Dialect, o Options) {
	t.Helper()
	for i, c := range cases {
		keepsPromises(t, d, o, c.input, uint64(i))
		if got := transcript(decodeIn(d, o, c.input, 0)); got != c.want {
			t.Errorf("%s: %s: %q\n gives %s\n want  %s", d, c.name, c.input, got, c.want)
		}
	}
}

// spell makes a text of pieces: each byte of program is one.
func spell(pieces []string, program []byte) string {
	var b strings.Builder
	for _, c := range program {
		b.WriteString(pieces[int(c)%len(pieces)])
	}
	return b.String()
}

// transcriptTools are a tool of one text, one of many types, and one whose name has
// a space.
var transcriptTools = []tool.Definition{
	{Name: "write", Parameters: schema.MustCompile(`{"type":"object","properties":{"text":{"type":"string"},"mode":{"type":"integer"}}}`)},
	{Name: "set", Parameters: schema.MustCompile(`{"type":"object","properties":{"on":{"type":"boolean"},"x":{"type":"number"},"list":{"type":"array"},"map":{"type":"object"}}}`)},
	{Name: "look up", Parameters: schema.MustCompile(`{"type":"object"}`)},
	{Name: "now"},
}
