package dialect

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestInnerQuotes(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{ // the string under "a", or the first of the array
		{`{"a": "use "strict"; x"}`, `use "strict"; x`},
		{`{"a": "He said "}" there"}`, `He said "}" there`},
		{`{"o": {"a": "He said "}" there"}}`, ``},
		{`{"a": "say "hi" now"}`, `say "hi" now`},
		{`["say "hi" now"]`, `say "hi" now`},
		{`["say "5" now", "x"]`, `say "5" now`},
		{`{"a": "say "hi"", "b": 1}`, `say "hi"`},
		{`{"a": "say "hi""}`, `say "hi"`},
		{`{"a": ""hi" he said"}`, `"hi" he said`},
		{`{"a": ""hi""}`, `"hi"`},
		{`{"a": "<a href="x">y</a>", "b": 1}`, `<a href="x">y</a>`},
		{`{"a": "f("x") + g("y")"}`, `f("x") + g("y")`},
		{`{"a": "the "größe", "东京" and "b""}`, `the "größe", "东京" and "b"`},
		{`{"a": "he said "yes", and left"}`, `he said "yes", and left`},
		{`["he said "yes", and left", 1]`, `he said "yes", and left`},
		{`{"a": "open "[x]" please"}`, `open "[x]" please`},
		{"{\"a\": \"one\n\"two\" three\"}", "one\n\"two\" three"},
	}
	for _, test := range tests {
		got, repairs, err := RepairJSON([]byte(test.in))
		if err != nil {
			t.Errorf("%s: %v", test.in, err)
			continue
		}
		quotes := 0
		for _, r := range repairs {
			if r.Kind == InnerQuote {
				quotes++
			}
		}
		if quotes != 1 {
			t.Errorf("%s: repairs %v, want one of inner quotes", test.in, repairs)
		}
		var object struct{ A string }
		var array []any
		if json.Unmarshal(got, &array) == nil {
			object.A = array[0].(string)
		} else if err := json.Unmarshal(got, &object); err != nil {
			t.Errorf("%s became %s: %v", test.in, got, err)
		}
		if object.A != test.want {
			t.Errorf("%s became %s, want %s", test.in, got, test.want)
		}
	}
}

func TestInnerQuotesRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"a": "value with ,"fake": inside"}`, // a member, or text
		`{"a": "value with ", "fake": inside"}`,
		`{"a": "say "hi", "b": 1}`, // a quote too few
		`{"a": "say "hi", note: that"}`,
		`["say "hi", "there", ok"]`,
		`{"a": "a 5" pipe"}`,      // inches
		`{"a": "say " hi " now"}`, // sum of strings
		`{"a": "x" + "y"}`,
		`{"a": "say "hi"there"}`,
		`{"a": "{"k": 1}"}`, // JSON in JSON
		`{"a": """x"""}`,
		`{"k "x" y": 1}`, // in a key
		`{'a': 'it's'}`,
	} {
		got, _, err := RepairJSON([]byte(text))
		if err == nil || errors.Is(err, ErrTruncated) {
			t.Errorf("%s became %s, %v, want an error other than ErrTruncated", text, got, err)
		}
	}
}

func TestRepairClosed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in, want string
		missing  int
	}{
		{`{"a":{"b":"x"}`, `{"a":{"b":"x"}}`, 1},
		{`{"a":{"b":"x"`, `{"a":{"b":"x"}}`, 2},
		{`[{"a":{"b":[1]`, `[{"a":{"b":[1]}}]`, 3},
		{`[{"a":{"b":1}]`, `[{"a":{"b":1}}]`, 1},
		{"{\"a\":{\"b\":true\n", `{"a":{"b":true}}`, 2},
		{`{'a':{'b':'东京'}`, `{"a":{"b":"东京"}}`, 1},
		{`{"a":"use "strict"; x"`, `{"a":"use \"strict\"; x"}`, 1},
		{`{"a":"use "strict""`, `{"a":"use \"strict\""}`, 1},
		{`{"a":1}}`, `{"a":1}`, 0},
		{`{"a":{},}`, `{"a":{}}`, 0},
	}
	for _, test := range tests {
		got, repairs, err := repairClosed([]byte(test.in))
		if err != nil || string(got) != test.want {
			t.Errorf("repairClosed(%s) = %s, %v, want %s", test.in, got, err, test.want)
			continue
		}
		missing := 0
		for _, r := range repairs {
			if r.Kind == MissingCloser {
				missing++
			}
			if r.Offset >= len(test.in) {
				t.Errorf("repairClosed(%s): %v is beyond the text", test.in, r)
			}
		}
		if missing != test.missing {
			t.Errorf("repairClosed(%s) added %d closers, want %d", test.in, missing, test.missing)
		}
	}
	for _, text := range []string{
		``, `{`, `[`, `{"a":{`, `{"a"`, `{"a":`, `{"a":"x`, `{"a":"x\`, `{"a":1`, `{"a":-`, `{"a":tru`, `{"a":true`, `{"a":None`, `{a:b`,
		`{"a":1,`, `[1,`, `{"a":"x",`, `{"a":{"b":1},`, `{"a":"C:\`,
	} {
		if got, _, err := repairClosed([]byte(text)); !errors.Is(err, ErrTruncated) {
			t.Errorf("repairClosed(%s) = %s, %v, want ErrTruncated", text, got, err)
		}
	}
	for _, text := range []string{`{"a":[1}, "b": 2}`, `[{"a":1], 2]`, `{"a":{"b":1]`} {
		if got, _, err := repairClosed([]byte(text)); err == nil || errors.Is(err, ErrTruncated) {
			t.Errorf("repairClosed(%s) = %s, %v, want an error other than ErrTruncated", text, got, err)
		}
	}
}

// Wherever a value was cut, nothing that is left of it may be half.
func TestRepairClosedCutAnywhere(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"name": "größe", "n": 12.5e3, "ok": true, "none": null, "list": [1, [2, "x\"y\\"], {"東京": "😀\u00e9"}], "o": {"a": {"b": {}}}}`,
		"[{'a': \"C:\\dir\\_x\", items: [10, 20,], \"say\": \"use \\\"strict\\\"; x\", b: {\"c\": True \"d\": 'y'}, // done\n}, {}]",
	} {
		whole := mendedTo(t, repairClosed, text)
		for i := range len(text) {
			got, _, err := repairClosed([]byte(text[:i]))
			if err != nil {
				continue
			}
			var part any
			if err := json.Unmarshal(got, &part); err != nil {
				t.Fatalf("the first %d bytes became %s: %v", i, got, err)
			}
			if !isPartOf(part, whole) {
				t.Errorf("the first %d bytes became %s, which is not part of the whole", i, got)
			}
		}
	}
}

func mendedTo(t *testing.T, read func([]byte) (json.RawMessage, []Repair, error), text string) any {
	t.Helper()
	got, _, err := read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(got, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// isPartOf reports whether part is whole, but for members and elements that are
// missing at the end.
func isPartOf(part, whole any) bool {
	switch part := part.(type) {
	case map[string]any:
		other, ok := whole.(map[string]any)
		for key, value := range part {
			ok = ok && isPartOf(value, other[key])
		}
		return ok
	case []any:
		other, ok := whole.([]any)
		ok = ok && len(part) <= len(other)
		for i := range part {
			ok = ok && isPartOf(part[i], other[i])
		}
		return ok
	}
	return part == whole
}

// Where quotes are looked at, a few bytes behind them are as well.
func TestInnerQuotesAreLinear(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{`"`, `""`, ` "a`, ` "a" `, ` "a" b`, ` "}`, ` "}" `, ` ", "`, ` ",`, ` "a", b`, ` "a", "b`, `"   `, ` "]}`, ` "\"`, ` "'`} {
		for _, opener := range []string{`{"a":"`, `["`, strings.Repeat(`[{"a":`, 200) + `"`} {
			text := opener + strings.Repeat(unit, 1<<17/len(unit))
			for _, closed := range []bool{false, true} {
				r := newRepairer([]byte(text))
				r.closed, r.tail = closed, len(text)
				_ = r.document() // whether it can be mended does not matter here
				if r.looks > 12*len(text) {
					t.Errorf("looked at %d bytes of %d of %q", r.looks, len(text), unit)
				}
			}
		}
	}
}

// What reads without the marker reads the same with it.
func FuzzRepairClosed(f *testing.F) {
	for _, seed := range []string{`{"a":{"b":"x"`, `[{"a":"use "strict"; x"}`, `{"a":[1, 2]`, `{"a":"He said "}" there"}}`, `[{"a":1]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, repairs, err := repairClosed(text)
		if err != nil {
			return
		}
		if !json.Valid(got) {
			t.Fatalf("%q became %q, which is not valid", text, got)
		}
		for i, r := range repairs {
			if r.Offset < 0 || r.Offset >= len(text) || i > 0 && r.Offset < repairs[i-1].Offset {
				t.Fatalf("%q: repairs out of order or place: %v", text, repairs)
			}
		}
		if open, _, err := RepairJSON(text); err == nil && compact(t, open) != compact(t, got) {
			t.Fatalf("%q became %q when closed and %q else", text, got, open)
		}
		if n := len(got); n > 6*len(text)+16 {
			t.Fatalf("%d bytes became %d", len(text), n)
		}
	})
}
