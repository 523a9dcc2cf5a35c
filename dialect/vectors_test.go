package dialect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"helve/schema"
	"helve/tool"
)

// vectorsDir holds the public vectors. They are not part of the project.
var vectorsDir = filepath.Join("..", "..", "shared", "vectors")

var showVectors = flag.String("vectors", "", "print why the vectors of this dialect fail")

type vector struct {
	ID       string
	Format   string
	Class    string
	Typing   string
	Note     string
	Source   string `json:"source_path"`
	Input    string
	Tools    json.RawMessage
	Calls    []vectorCall `json:"expected_calls"`
	Content  *string      `json:"expected_content"`
	Thoughts *string      `json:"expected_reasoning"`
}

type vectorCall struct {
	Name      string
	Arguments map[string]any
}

func readVectors(t testing.TB, name string) []vector {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(vectorsDir, name+".jsonl"))
	if err != nil {
		t.Skipf("the public vectors are not here: %v", err)
	}
	var all []vector
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, v)
	}
	return all
}

// deliverAnyName are the suites whose references do not look at the tools' names.
var deliverAnyName = []string{"test_gemma4_tool_parser.py", "test_minicpm_tool_parser.py"}

// options are those that the vector was made with.
func (v *vector) options(t testing.TB, d *Dialect) Options {
	var o Options
	if len(v.Tools) > 0 && string(v.Tools) != "null" {
		o.Tools = vectorTools(t, v.Tools)
		o.AnyName = slices.Contains(deliverAnyName, filepath.Base(v.Source))
	}
	if d.openers != nil && o.Tools == nil { // their suites name them in a note
		for _, c := range v.Calls {
			o.Tools = append(o.Tools, tool.Definition{Name: c.Name})
		}
	}
	// A source that was in reasoning from the start says so, or shows it by a closer
	// without an opener; one that does not split has the markers in its text.
	thinks := strings.Contains(v.Note, "starts in thinking state") || strings.Contains(v.Note, "enable_thinking True")
	for _, s := range d.reasoning {
		i, j := strings.Index(v.Input, s.open), strings.Index(v.Input, s.close)
		thought := v.Thoughts != nil && *v.Thoughts != ""
		switch {
		case v.Content != nil && i >= 0 && strings.Contains(*v.Content, s.open), strings.Contains(v.Note, "REASONING_FORMAT_NONE"):
			o.Reasoning = ReasoningNone
		case j > 0 && (i < 0 || j < i) && (thinks || thought), thinks && thought && i != 0:
			o.Reasoning = ReasoningOpen
		}
	}
	return o
}

func vectorTools(t testing.TB, raw json.RawMessage) []tool.Definition {
	t.Helper()
	var list []struct {
		Name        string
		Description string
		Parameters  json.RawMessage
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	definitions := []tool.Definition{}
	for _, l := range list {
		if len(l.Parameters) == 0 || string(l.Parameters) == "null" {
			l.Parameters = json.RawMessage(`{"type":"object"}`)
		}
		s, _, err := schema.CompileLenient(l.Parameters)
		if err != nil {
			s = schema.MustCompile(`{"type":"object"}`)
		}
		definitions = append(definitions, tool.Definition{Name: l.Name, Description: l.Description, Parameters: s})
	}
	return definitions
}

// decodeIn decodes input in chunks of n bytes, 0 meaning whole.
func decodeIn(d *Dialect, o Options, input string, n int) []Event {
	if n <= 0 {
		n = max(len(input), 1)
	}
	decoder := d.NewDecoder(o)
	var all []Event
	for at := 0; at < len(input); at += n {
		all = append(all, decoder.Feed(input[at:min(at+n, len(input))])...)
	}
	return merged(append(all, decoder.End()...))
}

// merged joins adjacent text.
func merged(events []Event) []Event {
	var out []Event
	for _, e := range events {
		if n := len(out); n > 0 && e.Call == nil && out[n-1].Call == nil && out[n-1].Kind == e.Kind {
			out[n-1].Text += e.Text
			continue
		}
		out = append(out, e)
	}
	return out
}

func textOf(events []Event, kind Kind) string {
	var b strings.Builder
	for _, e := range events {
		if e.Kind == kind {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// judge says what is wrong with events, or "".
func (v *vector) judge(t testing.TB, events []Event) string {
	var got []vectorCall
	for _, e := range events {
		if e.Kind != ToolCall {
			continue
		}
		c := vectorCall{Name: e.Call.Name}
		if err := json.Unmarshal(e.Call.Arguments, &c.Arguments); err != nil {
			return fmt.Sprintf("arguments of %s: %v: %s", c.Name, err, e.Call.Arguments)
		}
		got = append(got, c)
	}
	if len(got) != len(v.Calls) {
		return fmt.Sprintf("%d calls, want %d", len(got), len(v.Calls))
	}
	for i := range got {
		want := v.Calls[i]
		if want.Arguments == nil {
			want.Arguments = map[string]any{}
		}
		if !reflect.DeepEqual(got[i], want) {
			return fmt.Sprintf("call %d is %v, want %v", i, got[i], want)
		}
	}
	if v.Content != nil {
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if text := textOf(events, Text); squeeze(text) != squeeze(*v.Content) {
			return fmt.Sprintf("text is %q, want %q", text, *v.Content)
		}
	}
	return ""
}

// exempt reads the allow-list: why a vector need not pass, by ID.
func exempt(t testing.TB) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "exempt.txt"))
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for line := range strings.Lines(string(data)) {
		id, reason, ok := strings.Cut(strings.TrimSpace(line), " ")
		if ok && id != "#" {
			reasons[id] = reason
		}
	}
	return reasons
}

// share counts how many of some vectors passed.
type share struct{ passed, all int }

func (s *share) add(o share)           { s.passed += o.passed; s.all += o.all }
func (s share) atLeast(p float64) bool { return float64(s.passed) >= p*float64(s.all) }
func (s share) String() string         { return fmt.Sprintf("%4d of %4d", s.passed, s.all) }

// TestVectors measures every dialect against the public vectors, at several chunk
// sizes. Run it with -v to see the figures, and with -vectors NAME for the reasons.
func TestVectors(t *testing.T) {
	reasons := exempt(t)
	var sound, malformed, found share // found: with the vectors that only we say contradict the promises
	for _, d := range dialects {
		if _, err := os.Stat(filepath.Join(vectorsDir, d.name+".jsonl")); err != nil {
			continue
		}
		var mine, broken share
		for _, v := range readVectors(t, d.name) {
			if v.Class == "policy" || v.Typing == "inferred" {
				continue
			}
			why := ""
			for _, n := range []int{0, 1, 7} {
				if w := v.judge(t, decodeIn(d, v.options(t, d), v.Input, n)); w != "" {
					why = fmt.Sprintf("chunks of %d: %s", n, w)
				}
			}
			if *showVectors == d.name && why != "" {
				t.Logf("%s (%s) %s\n  in  %q\n  why %s", v.ID, v.Class, reasons[v.ID], v.Input, why)
			}
			one := share{all: 1}
			if why == "" {
				one.passed = 1
			}
			reason, isExempt := reasons[v.ID]
			if isExempt && why == "" {
				t.Errorf("%s passes: take it off testdata/exempt.txt", v.ID)
			}
			if v.Class != "malformed" && !strings.HasPrefix(reason, "named") {
				found.add(one)
			}
			switch {
			case isExempt:
			case v.Class == "malformed":
				broken.add(one)
			default:
				mine.add(one)
			}
		}
		t.Logf("%-22s %s, malformed %s", d.name, mine, broken)
		if !mine.atLeast(0.95) {
			t.Errorf("%s passes too few: %s", d.name, mine)
		}
		sound.add(mine)
		malformed.add(broken)
	}
	if sound.all == 0 {
		t.Skip("the public vectors are not here")
	}
	t.Logf("call, text, nocall     %s (%.1f %%); with those that only we found to contradict the promises %s (%.1f %%)",
		sound, 100*float64(sound.passed)/float64(sound.all), found, 100*float64(found.passed)/float64(found.all))
	t.Logf("malformed              %s (%.1f %%)", malformed, 100*float64(malformed.passed)/float64(malformed.all))
	if !sound.atLeast(0.98) || !malformed.atLeast(0.85) {
		t.Errorf("all together too few: %s, malformed %s", sound, malformed)
	}
}

// TestVectors_Auto asks how many of the calls of the formats that auto knows it
// reads as they do.
func TestVectors_Auto(t *testing.T) {
	for _, name := range []string{"hermes", "qwen3-coder", "glm-4.5", "glm-4.7", "mistral", "deepseek-v3", "deepseek-v3.1", "kimi-k2", "minimax-m2", "gemma4", "longcat", "seed-oss"} {
		all, passed := 0, 0
		for _, v := range readVectors(t, name) {
			if v.Class != "call" || v.Typing == "inferred" {
				continue
			}
			all++
			why := v.judge(t, decodeIn(&auto, v.options(t, &auto), v.Input, 7))
			if why == "" {
				passed++
			} else if *showVectors == "auto" {
				t.Logf("%s\n  in  %q\n  why %s", v.ID, v.Input, why)
			}
		}
		t.Logf("%-14s %3d of %3d", name, passed, all)
		if passed*100 < all*80 {
			t.Errorf("auto reads too few of %s", name)
		}
	}
}
