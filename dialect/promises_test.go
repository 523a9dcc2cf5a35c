package dialect

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

// The promises of the package documentation, as properties that hold for every
// dialect, any text and any way of cutting it.

// promiseTools are declared wherever a test needs tools.
var promiseTools = []tool.Definition{
	{Name: "read_file", Description: "Read a file.", Parameters: schema.MustCompile(
		`{"type":"object","properties":{"path":{"type":"string"},"note":{"type":"string"}},"required":["path"]}`)},
	{Name: "add", Description: "Add.", Parameters: schema.MustCompile(
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"number"},"ok":{"type":"boolean"},"list":{"type":"array","items":{"type":"string"}},"deep":{"type":"object"}}}`)},
	{Name: "now", Description: "Tell the time."},
}

func promiseCall(name, arguments string) message.ToolCall {
	return message.ToolCall{ID: "c", Name: name, Arguments: json.RawMessage(arguments)}
}

// promiseInputs are answers in d's own words, and broken ones.
func promiseInputs(d *Dialect) []string {
	inputs := []string{"", "Plain text.\n", "a < b && `code` ```\nfence\n```\n", "<think>hm</think>Well.", "{\"a\": 1} [1, 2] <x>"}
	if d.write == nil {
		return inputs
	}
	one := d.Write([]message.ToolCall{promiseCall("read_file", `{"path":"/tmp/a.txt","note":"x < y"}`)})
	two := d.Write([]message.ToolCall{promiseCall("add", `{"a":1,"b":2.5,"ok":true,"list":["x"],"deep":{"k":null}}`), promiseCall("now", `{}`)})
	return append(inputs, one, two,
		"Let me look.\n"+one+"\nThen more: "+two+" done.",
		one[:len(one)*2/3]+one, one[:len(one)/2], "```\n"+one+"\n```\n"+two,
		"The `"+one+"` form.", "<think>"+one+"</think>"+one, strings.ReplaceAll(one, `"`, `'`), one+one)
}

var promiseOptions = []Options{
	{},
	{Tools: promiseTools},
	{Tools: promiseTools, AnyName: true, CallsInCode: true, CallsInReasoning: true},
	{Reasoning: ReasoningOpen},
	{Tools: promiseTools, Reasoning: ReasoningNone, MaxCall: 64},
}

// cut feeds input in pieces of random length.
func cut(d *Dialect, o Options, input string, r *rand.Rand) []Event {
	decoder := d.NewDecoder(o)
	longest := 1 << r.IntN(7)
	var all []Event
	for input != "" {
		n := min(1+r.IntN(longest), len(input))
		all = append(all, decoder.Feed(input[:n])...)
		input = input[n:]
	}
	return merged(append(all, decoder.End()...))
}

// keepsPromises checks P1, P2 and what every event must be.
func keepsPromises(t *testing.T, d *Dialect, o Options, input string, seed uint64) {
	t.Helper()
	whole := decodeIn(d, o, input, 0)
	if r := rand.New(rand.NewPCG(seed, 1)); !reflect.DeepEqual(whole, decodeIn(d, o, input, 1)) {
		t.Errorf("%s: %q: bytes one by one give other events:\n%s\n%s", d, input, describe(whole), describe(decodeIn(d, o, input, 1)))
	} else if pieces := cut(d, o, input, r); !reflect.DeepEqual(whole, pieces) {
		t.Errorf("%s: %q: random pieces give other events:\n%s\n%s", d, input, describe(whole), describe(pieces))
	}
	var all, shown strings.Builder
	for _, e := range whole {
		if e.Kind != Invalid && e.Kind != Reply {
			all.WriteString(e.Text)
		}
		if e.Kind == Text {
			shown.WriteString(e.Text)
		}
	}
	if all.String() != input {
		t.Errorf("%s: %q came out as %q:\n%s", d, input, all.String(), describe(whole))
	}
	for _, e := range whole {
		switch e.Kind {
		case ToolCall:
			if e.Call == nil || e.Call.Name == "" || !json.Valid(e.Call.Arguments) || e.Call.Arguments[0] != '{' {
				t.Errorf("%s: %q: a call that is none: %+v", d, input, e.Call)
			} else if o.Tools != nil && (!o.AnyName || d.weak) && !declared(o.Tools, e.Call.Name) {
				t.Errorf("%s: %q: %q is not declared and called", d, input, e.Call.Name)
			}
		case Invalid:
			if e.Call != nil && e.Call.Err == errStuck {
				t.Errorf("%s: %q: a scanner is stuck", d, input)
			}
			if e.Call == nil || e.Call.Err == nil || !strings.Contains(shown.String(), e.Text) {
				t.Errorf("%s: %q: a notice without its text: %s", d, input, describe(whole))
			}
		}
	}
}

func declared(tools []tool.Definition, name string) bool {
	for _, d := range tools {
		if d.Name == name {
			return true
		}
	}
	return false
}

func describe(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "  %s %q", e.Kind, e.Text)
		if e.Call != nil {
			fmt.Fprintf(&b, " %s %s %v", e.Call.Name, e.Call.Arguments, e.Call.Err)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestP1P2_EveryCutGivesTheSame runs our own answers, edited at random.
func TestP1P2_EveryCutGivesTheSame(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		r := rand.New(rand.NewPCG(7, 7))
		for _, input := range promiseInputs(d) {
			for i, o := range promiseOptions {
				keepsPromises(t, d, o, input, uint64(i))
				keepsPromises(t, d, o, edit(input, r), uint64(i))
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestP1P2_Vectors runs the public vectors, as they are and edited at random.
func TestP1P2_Vectors(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		if _, err := os.Stat(filepath.Join(vectorsDir, d.name+".jsonl")); err != nil {
			continue
		}
		r := rand.New(rand.NewPCG(3, 3))
		for i, v := range readVectors(t, d.name) {
			o := v.options(t, d)
			keepsPromises(t, d, o, v.Input, uint64(i))
			keepsPromises(t, d, o, edit(v.Input, r), uint64(i))
		}
		if t.Failed() {
			return
		}
	}
}

// edit changes some bytes of s, drops some and doubles some.
func edit(s string, r *rand.Rand) string {
	b := []byte(s)
	for range 1 + r.IntN(3) {
		if len(b) == 0 {
			break
		}
		i := r.IntN(len(b))
		switch r.IntN(4) {
		case 0:
			const bytes = "<>{}[]\"'\\/` \n,:=a\xff"
			b[i] = bytes[r.IntN(len(bytes))]
		case 1:
			b = append(b[:i], b[i+1:]...)
		case 2:
			j := min(i+r.IntN(20), len(b))
			b = append(b[:j:j], append([]byte(string(b[i:j])), b[j:]...)...)
		case 3:
			b = b[:i]
		}
	}
	return string(b)
}

// FuzzEveryCut is P1 and P2 for texts that nobody thought of.
func FuzzEveryCut(f *testing.F) {
	addCorpus(f, "FuzzEveryCut")
	for i, d := range dialects {
		for j, input := range promiseInputs(d) {
			f.Add(uint8(i), uint8(j), uint64(j), input)
		}
	}
	f.Fuzz(func(t *testing.T, which, options uint8, seed uint64, input string) {
		d := dialects[int(which)%len(dialects)]
		keepsPromises(t, d, promiseOptions[int(options)%len(promiseOptions)], input, seed)
	})
}

// TestP3_TextLeavesAtOnce feeds text in which no marker can begin: each piece
// comes out of the call that brought it.
func TestP3_TextLeavesAtOnce(t *testing.T) {
	t.Parallel()
	words := []string{"Hello", ", ", "world! ", "3 > 2", "; e.g. ", "ünïcödé ", "日本語", "\n\n", "- item", "? (yes) "}
	for _, d := range dialects {
		decoder := d.NewDecoder(Options{Tools: promiseTools})
		for i, w := range append([]string{"Well, "}, words...) {
			if got := textOf(decoder.Feed(w), Text); got != w {
				t.Errorf("%s: piece %d: %q came out as %q", d, i, w, got)
			}
		}
	}
}

// TestP3_HoldsNoMoreThanAMarkersPrefix looks at what is kept back, byte by byte,
// while no call is open.
func TestP3_HoldsNoMoreThanAMarkersPrefix(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		for _, input := range promiseInputs(d) {
			decoder := d.NewDecoder(Options{Tools: promiseTools})
			for i := range len(input) {
				decoder.Feed(input[i : i+1])
				holdsAPrefix(t, decoder)
			}
		}
	}
}

var linearSize = flag.Int("linear", 4<<10, "bytes of the inputs that look for quadratic time")

// TestP4_Linear runs what is worst for parsers that look back: pieces of markup,
// quotes and spaces without end, at every place of an answer, a byte at a time. It
// measures nothing. A quadratic scanner makes it take minutes with -linear 1000000,
// which is to be run after a change to a scanner; the default finds hangs.
func TestP4_Linear(t *testing.T) {
	t.Parallel()
	size := *linearSize
	for _, d := range dialects {
		units := []string{"[", "{", "<", "`", "<`", "\"", "'", "\\", " ", "\n", "}", "</", "{\"name\":\"", "<tool_cal", "[a("}
		for _, mk := range d.NewDecoder(Options{Tools: promiseTools}).matcher.markers {
			units = append(units, mk.text, mk.text+"{\"a")
		}
		answers := []string{""}
		if d.write != nil {
			answers = append(answers, d.Write([]message.ToolCall{promiseCall("read_file", `{"path":"a","note":"b"}`)}))
		}
		for i, unit := range units {
			answer := answers[i%len(answers)]
			at := (i * 7) % (len(answer) + 1)
			feedBytes(d, answer[:at]+strings.Repeat(unit, size/len(unit))+answer[at:])
		}
		if answer := answers[len(answers)-1]; d.write != nil {
			for at := 0; at < len(answer); at += 1 + len(answer)/12 {
				for _, unit := range []string{" ", "\"", "<", "x <"} {
					feedBytes(d, answer[:at]+strings.Repeat(unit, size/len(unit)/4)+answer[at:])
				}
			}
			feedBytes(d, strings.Repeat(answer, size/len(answer)))
		}
	}
}

// feedBytes takes an answer apart byte by byte.
func feedBytes(d *Dialect, answer string) {
	decoder := d.NewDecoder(Options{Tools: promiseTools})
	for i := range len(answer) {
		decoder.Feed(answer[i : i+1])
	}
	decoder.End()
}

// TestP4_PlainTextAllocatesNothing also when it looks like markup for a moment.
func TestP4_PlainTextAllocatesNothing(t *testing.T) {
	for _, d := range dialects {
		for _, text := range []string{"Some plain text that goes on and on. ", "if a <b && c> d then <i>x</i> "} {
			decoder := d.NewDecoder(Options{Tools: promiseTools})
			decoder.Feed("Well, so it begins. And on it goes for a while.")
			decoder.Feed("Well, so it begins. <b>x</b> And on it goes for a while.")
			n := testing.AllocsPerRun(100, func() {
				for i := 0; i < len(text); i += 4 {
					decoder.Feed(text[i:min(i+4, len(text))])
				}
			})
			if n > 0 && (d.name == "hermes" || d.name == "tag" || text[0] == 'S') {
				t.Errorf("%s: %q: %v allocations", d, text, n)
			}
		}
	}
}

// TestP5_HalfACallNeverRuns cuts a call behind each byte: what comes of it is the
// whole call or none.
func TestP5_HalfACallNeverRuns(t *testing.T) {
	t.Parallel()
	calls := []message.ToolCall{
		promiseCall("read_file", `{"path":"/etc/hosts.d/x","note":"say \"hi\"\nand <go> 12"}`),
		promiseCall("add", `{"a":1234,"b":2.5,"ok":true,"list":["x","yz"],"deep":{"k":[1,null]}}`),
		promiseCall("now", `{}`),
	}
	for _, d := range dialects {
		if d.write == nil {
			continue
		}
		text := d.Write(calls)
		want := callsOf(decodeIn(d, Options{Tools: promiseTools}, text, 0))
		for n := range len(text) {
			got := callsOf(decodeIn(d, Options{Tools: promiseTools}, text[:n], 0))
			if len(got) > len(want) || !reflect.DeepEqual(got, want[:len(got):len(got)]) && len(got) > 0 {
				t.Errorf("%s: %q calls %v", d, text[:n], got)
			}
		}
	}
}

func callsOf(events []Event) []string {
	var calls []string
	for _, e := range events {
		if e.Kind == ToolCall {
			calls = append(calls, e.Call.Name+compactJSON(string(e.Call.Arguments)))
		}
	}
	return calls
}

// TestP6_OrderIsKept puts text before, between and behind calls.
func TestP6_OrderIsKept(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		if d.write == nil || d.alone {
			continue
		}
		one := d.Write([]message.ToolCall{promiseCall("now", `{}`)})
		two := d.Write([]message.ToolCall{promiseCall("read_file", `{"path":"a"}`)})
		input := "Before.\n" + one + "\nBetween.\n" + two + "\nBehind."
		var got []string
		for _, e := range decodeIn(d, Options{Tools: promiseTools}, input, 3) {
			switch text := strings.TrimSpace(e.Text); {
			case e.Kind == ToolCall:
				got = append(got, e.Call.Name)
			case e.Kind == Text && text != "":
				got = append(got, text)
			}
		}
		if want := []string{"Before.", "now", "Between.", "read_file", "Behind."}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q gives %q", d, input, got)
		}
	}
}

// FuzzValues is P7: a value arrives as it was written, or its call is none. It
// never arrives changed.
func FuzzValues(f *testing.F) {
	addCorpus(f, "FuzzValues")
	for i := range dialects {
		for _, v := range []string{"", " x ", "a\nb", "\n", `"q"`, "'", `C:\dir`, "</tool_call>", "</parameter>", "</path>", "&amp;", "<a>&lt;</a>", "]]>", "007", "null", "true", "{}", "[1]", "日本", "\t", "`"} {
			f.Add(uint8(i), v)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, value string) {
		d := dialects[int(which)%len(dialects)]
		value = strings.ToValidUTF8(value, "?")
		if d.write != nil {
			arrives(t, d, value)
		}
	})
}

// FuzzHalfACall is P5: a call that is cut anywhere is the whole call or none.
func FuzzHalfACall(f *testing.F) {
	addCorpus(f, "FuzzHalfACall")
	for i := range dialects {
		for _, v := range []string{"", "/etc/passwd", "a\nb", `"`, "<", "日本"} {
			f.Add(uint8(i), v, uint16(20))
			f.Add(uint8(i), v, uint16(60))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, value string, cut uint16) {
		d := dialects[int(which)%len(dialects)]
		arguments, err := json.Marshal(map[string]string{"path": strings.ToValidUTF8(value, "?"), "note": "n"})
		if err != nil {
			t.Fatal(err)
		}
		text := d.Write([]message.ToolCall{promiseCall("read_file", string(arguments))})
		whole := callsOf(decodeIn(d, Options{Tools: promiseTools}, text, 0))
		half := callsOf(decodeIn(d, Options{Tools: promiseTools}, text[:min(int(cut), len(text))], 0))
		if len(half) > 0 && !reflect.DeepEqual(half, whole) {
			t.Errorf("%s: %q calls %v", d, text[:min(int(cut), len(text))], half)
		}
	})
}

// FuzzNothingIsHeld is P3: while no call is open, what is kept back begins a marker.
func FuzzNothingIsHeld(f *testing.F) {
	addCorpus(f, "FuzzNothingIsHeld")
	for i, d := range dialects {
		for j, input := range promiseInputs(d) {
			f.Add(uint8(i), uint8(j), input)
		}
	}
	f.Fuzz(func(t *testing.T, which, options uint8, input string) {
		d := dialects[int(which)%len(dialects)]
		decoder := d.NewDecoder(promiseOptions[int(options)%len(promiseOptions)])
		for i := range len(input) {
			decoder.Feed(input[i : i+1])
			holdsAPrefix(t, decoder)
		}
	})
}

func holdsAPrefix(t *testing.T, d *Decoder) {
	t.Helper()
	if d.scanner != nil || d.held == "" {
		return
	}
	matcher := d.matcher
	if d.span >= 0 {
		matcher = d.reasoner
	}
	if _, held := matcher.match(d.held, false, everywhere); !held {
		t.Fatalf("%s: %q is held, and begins no marker", d.dialect, d.held)
	}
}

func arrives(t *testing.T, d *Dialect, value string) {
	t.Helper()
	arguments, err := json.Marshal(map[string]string{"path": value})
	if err != nil {
		t.Fatal(err)
	}
	text := d.Write([]message.ToolCall{promiseCall("read_file", string(arguments))})
	for _, e := range decodeIn(d, Options{Tools: promiseTools}, text, 0) {
		if e.Kind != ToolCall {
			continue
		}
		var got map[string]any
		if err := json.Unmarshal(e.Call.Arguments, &got); err != nil {
			t.Fatalf("%s: %q: %v", d, text, err)
		}
		if e.Call.Name == "read_file" && got["path"] != value {
			t.Errorf("%s: %q arrives as %q, written as %q", d, value, got["path"], text)
		}
	}
}

// TestP5_Vectors cuts the well-formed answers of the public vectors behind each byte:
// what they call is what the whole answer calls first, or less.
func TestP5_Vectors(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		if _, err := os.Stat(filepath.Join(vectorsDir, d.name+".jsonl")); err != nil {
			continue
		}
		for _, v := range readVectors(t, d.name) {
			if v.Class != "call" || len(v.Input) > 1000 {
				continue
			}
			o := v.options(t, d)
			whole := callsOf(decodeIn(d, o, v.Input, 0))
			for n := range len(v.Input) {
				half := callsOf(decodeIn(d, o, v.Input[:n], 0))
				if len(half) > len(whole) || len(half) > 0 && !reflect.DeepEqual(half, whole[:len(half)]) {
					t.Errorf("%s: %q calls %v, all of it %v", v.ID, v.Input[:n], half, whole)
					break
				}
			}
		}
	}
}
