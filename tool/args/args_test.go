package args_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/tool"
	"helve/tool/args"
)

type (
	order string
	level int8
	point struct {
		X int      `json:"x"`
		Y *float32 `json:"y"`
	}
	kinds struct {
		Text   order                      `json:"text"`
		Small  level                      `json:"small"`
		Big    uint64                     `json:"big"`
		Number float64                    `json:"number"`
		Flag   bool                       `json:"flag"`
		Bytes  []byte                     `json:"bytes"`
		Time   time.Time                  `json:"time"`
		Raw    json.RawMessage            `json:"raw"`
		Any    any                        `json:"any"`
		List   []point                    `json:"list"`
		Pair   [2]int                     `json:"pair"`
		Map    map[order]map[string]level `json:"map"`
	}
)

func readPoint(r *args.Reader) (v point) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key) {
		case "x":
			v.X = args.Int[int](r)
		case "y":
			v.Y = args.Pointer(r, args.Float[float32])
		default:
			r.Skip()
		}
	}
	return v
}

func readKinds(r *args.Reader) (v kinds) {
	for o := r.Object(); o.Next(); {
		switch string(o.Key) {
		case "text":
			v.Text = args.String[order](r)
		case "small":
			v.Small = args.Int[level](r)
		case "big":
			v.Big = args.Uint[uint64](r)
		case "number":
			v.Number = args.Float[float64](r)
		case "flag":
			v.Flag = args.Bool[bool](r)
		case "bytes":
			v.Bytes = args.Bytes[[]byte](r)
		case "time":
			v.Time = args.Text[time.Time](r)
		case "raw":
			v.Raw = args.Raw(r)
		case "any":
			v.Any = args.JSON[any](r)
		case "list":
			v.List = args.Slice[[]point](r, readPoint)
		case "pair":
			args.Array(r, v.Pair[:], args.Int[int])
		case "map":
			v.Map = args.Map[map[order]map[string]level](r, func(r *args.Reader) map[string]level {
				return args.Map[map[string]level](r, args.Int[level])
			})
		default:
			r.Skip()
		}
	}
	return v
}

func read(data string) (kinds, error) {
	r := args.New("record", json.RawMessage(data))
	v := readKinds(r)
	return v, r.Err()
}

var valid = []string{
	``, `{}`, ` { } `, `null`,
	`{"text":"asc","small":-128,"big":18446744073709551615,"number":-1.5e3,"flag":true}`,
	`{"text":"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83d中","bytes":"aGk=","time":"2026-01-02T03:04:05+08:00"}`,
	`{"text":"\ud800","raw":"\ud800\u0041"}`, `{"text":"` + "\xff" + `"}`, `{"te\u0078t":"x"}`,
	`{"raw": {"a": [1, "]"]} , "any":[1,{"b":null},"}"]}`,
	`{"list":[{"x":1,"y":2.5},{"x":2},{"y":null}, null],"pair":[1,2]}`,
	`{"pair":[1],"list":[]}`, `{"pair":[1,2,[3]]}`,
	`{"map":{"a":{"b":1},"c":null,"d":{}}}`,
	`{"text":null,"small":null,"big":null,"number":null,"flag":null,"bytes":null,"time":null,"raw":null,"any":null,"list":null,"pair":null,"map":null}`,
	`{"unknown":[[{"a":"\"]"}],1.5,true,null],"text":"x"}`,
}

var bad = map[string]string{
	`{"small":128}`:                      "small does not fit args_test.level",
	`{"big":-1}`:                         "big does not fit uint64",
	`{"big":1.0}`:                        "big does not fit uint64",
	`{"list":[{"x":1},{"x":"a"}]}`:       "list.x is not a number",
	`{"list":[{"x":1e3}]}`:               "list.x does not fit int",
	`{"list":[{"y":1e39}]}`:              "list.y does not fit float32",
	`{"map":{"a":{"b":1000}}}`:           "map.a.b does not fit args_test.level",
	`{"number":+5}`:                      "number is not a number",
	`{"number":05}`:                      "number is not a number",
	`{"number":1e999}`:                   "number does not fit float64",
	`{"flag":"yes"}`:                     "flag is not true or false",
	`{"text":5}`:                         "text is not a string",
	`{"bytes":"!"}`:                      "bytes is not base64",
	`{"time":"tomorrow"}`:                "time is refused",
	`{"time":5}`:                         "time is not a string",
	`{"any":[1,]}`:                       "any is refused",
	`{"raw":[1,]}`:                       "raw is not valid JSON",
	`{"list":{}}`:                        "list is not an array",
	`{"map":[]}`:                         "map is not an object",
	`[]`:                                 "is not an object",
	`{`:                                  "not valid JSON",
	`{"text"`:                            "not valid JSON",
	`{"text":"a`:                         "not valid JSON",
	`{"text":"a\`:                        "not valid JSON",
	`{"text":"\u12`:                      "unknown escape",
	`{"text":"a" "small":1}`:             "comma is missing",
	`{"text":"a",}`:                      "a key is missing",
	`{"raw":}`:                           "a value is missing",
	`{"raw":[`:                           "cut off",
	`{"text":"a"} x`:                     "something follows",
	"{\"text\":\"a\nb\"}":                "control character",
	`{"any":` + strings.Repeat("[", 9e4): "any is not valid JSON",
}

func TestReaderReadsAsEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, data := range valid {
		got, err := read(data)
		if err != nil {
			t.Errorf("%s: %v", data, err)
			continue
		}
		var want kinds
		if data != "" {
			if err := json.Unmarshal([]byte(data), &want); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-encoding/json +args):\n%s", data, diff)
		}
	}
}

func TestReaderSaysWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	for data, want := range bad {
		_, err := read(data)
		var e *tool.Error
		if !errors.As(err, &e) || e.Kind != tool.KindInvalidParameters {
			t.Errorf("%.60s: error %v, want one of kind %s", data, err, tool.KindInvalidParameters)
			continue
		}
		if !strings.HasPrefix(e.Message, "Invalid parameters for record: ") || !strings.Contains(e.Message, want) {
			t.Errorf("%.60s: %s\nwant %q in it", data, e.Message, want)
		}
	}
}

type node struct{ kids []node }

func readNode(r *args.Reader) (v node) {
	for o := r.Object(); o.Next(); {
		v.kids = args.Slice[[]node](r, readNode)
	}
	return v
}

func TestReaderBoundsNesting(t *testing.T) {
	t.Parallel()
	r := args.New("nest", json.RawMessage(strings.Repeat(`{"kids":[`, 1e5)))
	readNode(r)
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
		t.Errorf("error %.200v", err)
	}
}

func TestRawIsACopy(t *testing.T) {
	t.Parallel()
	data := json.RawMessage(`{"raw":[1]}`)
	r := args.New("record", data)
	v := readKinds(r)
	copy(data, `{"raw":[2]}`)
	if string(v.Raw) != "[1]" {
		t.Errorf("the arguments' bytes reached the function: %s", v.Raw)
	}
}

// FuzzReader holds the reader to encoding/json: what both take, they read alike,
// and what encoding/json takes, the reader takes too.
func FuzzReader(f *testing.F) {
	for _, seed := range valid {
		f.Add([]byte(seed))
	}
	for seed := range bad {
		if len(seed) < 1000 {
			f.Add([]byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := read(string(data))
		var want kinds
		if len(data) == 0 || json.Unmarshal(data, &want) != nil || ambiguous(data) {
			return
		}
		if err != nil {
			t.Fatalf("%q: encoding/json takes it: %v", data, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q (-encoding/json +args):\n%s", data, diff)
		}
	})
}

// ambiguous reports a key given twice, or in another letter case, which
// encoding/json merges; the executor lets no such arguments pass.
func ambiguous(data []byte) bool {
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var check func() bool
	check = func() bool {
		token, err := dec.Token()
		if err != nil {
			return true
		}
		seen := map[string]bool{}
		switch token {
		case json.Delim('{'):
			for dec.More() {
				key, _ := dec.Token()
				k, _ := key.(string)
				folded := strings.ToUpper(strings.ToLower(k))
				if seen[folded] || k != strings.ToLower(k) || strings.ContainsAny(k, "\u017f\u212a") || check() {
					return true
				}
				seen[folded] = true
			}
		case json.Delim('['):
			for dec.More() {
				if check() {
					return true
				}
			}
		default:
			return false
		}
		_, err = dec.Token()
		return err != nil
	}
	return check()
}
