package schema_test

import (
	"encoding/json"
	"image"
	"math/big"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"helve/schema"
)

type (
	color string
	names []string

	shade struct{ v string }

	point struct {
		X int `json:"x"`
		Y int `json:"y,omitempty"`
	}

	tree struct {
		Value int    `json:"value"`
		Left  *tree  `json:"left"`
		Kids  []tree `json:"kids,omitempty"`
	}

	forest struct {
		Trees []tree `json:"trees"`
	}

	base struct {
		ID string `json:"id"`
	}

	pair[A, B any] struct {
		First  A `json:"first"`
		Second B `json:"second"`
	}

	shape struct {
		Kind string `json:"kind"`
	}

	level int
	rose  []rose

	Point struct {
		Lat float64 `json:"lat"`
	}
)

// JSONSchema makes shade a union.
func (shade) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "integer"}}}
}

func (s *shade) UnmarshalJSON(b []byte) error { s.v = string(b); return nil }

// JSONSchemaExtend adds to what was inferred.
func (shape) JSONSchemaExtend(s *jsonschema.Schema) {
	s.Properties.Set("sides", &jsonschema.Schema{Type: "integer"})
	s.Required = append(s.Required, "sides")
}

func (l *level) UnmarshalText(b []byte) error { *l = level(len(b)); return nil }

func property(s string) string {
	return `{"type":"object","properties":{"f":` + s + `},"required":["f"],"additionalProperties":false}`
}

func optional(s string) string {
	return `{"type":"object","properties":{"f":` + s + `},"additionalProperties":false}`
}

const treeSchema = `{"type":"object","properties":{"value":{"type":"integer"},"left":{"$ref":"#/$defs/tree"},"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"required":["value"],"additionalProperties":false}`

// of wraps a type as the only field of a struct.
type of[T any] struct {
	F T `json:"f"`
}

// inferred has a row for every kind of parameter that DESIGN section 5 names.
// accepts is a document that must prepare and decode.
func TestForKinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		infer   func() (*schema.Schema, error)
		want    string
		accepts string
		decode  func([]byte) error
	}{
		kind[of[string]]("string", property(`{"type":"string"}`), `{"f":"x"}`),
		kind[of[int]]("integer", property(`{"type":"integer"}`), `{"f":-7}`),
		kind[of[uint]]("unsigned", property(`{"type":"integer","minimum":0}`), `{"f":7}`),
		kind[of[int8]]("small integer", property(`{"type":"integer","maximum":127,"minimum":-128}`), `{"f":7.0}`),
		kind[of[float64]]("number", property(`{"type":"number"}`), `{"f":1.5e3}`),
		kind[of[bool]]("boolean", property(`{"type":"boolean"}`), `{"f":true}`),
		kind[of[[]string]]("slice", property(`{"type":"array","items":{"type":"string"}}`), `{"f":["a"]}`),
		kind[of[names]]("named slice", property(`{"type":"array","items":{"type":"string"}}`), `{"f":["a"]}`),
		kind[of[[2]int]]("array", property(`{"type":"array","items":{"type":"integer"},"maxItems":2,"minItems":2}`), `{"f":[1,2]}`),
		kind[of[map[string]int]]("map", property(`{"type":"object","additionalProperties":{"type":"integer"}}`), `{"f":{"a":1}}`),
		kind[of[map[string]any]]("map of anything", property(`{"type":"object"}`), `{"f":{"a":[1]}}`),
		kind[of[schema.Set[string]]]("set", property(`{"type":"array","items":{"type":"string"},"uniqueItems":true}`), `{"f":["a","b"]}`),
		kind[of[schema.Set[point]]]("set of structs", property(`{"type":"array","items":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"],"additionalProperties":false},"uniqueItems":true}`), `{"f":[{"x":1}]}`),
		kind[of[point]]("struct", property(`{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"],"additionalProperties":false}`), `{"f":{"x":1}}`),
		kind[of[struct {
			A int `json:"a"`
		}]]("anonymous struct", property(`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}`), `{"f":{"a":1}}`),
		kind[tree]("recursive root", strings.TrimSuffix(treeSchema, "}")+`,"$defs":{"tree":`+treeSchema+`}}`, `{"value":1,"left":{"value":2},"kids":[{"value":3}]}`),
		kind[forest]("recursive inside", `{"type":"object","properties":{"trees":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"required":["trees"],"additionalProperties":false,"$defs":{"tree":`+treeSchema+`}}`, `{"trees":[{"value":1}]}`),
		kind[of[*string]]("pointer", optional(`{"type":"string"}`), `{"f":null}`),
		kind[of[color]]("named string", property(`{"type":"string"}`), `{"f":"red"}`),
		kind[of[shade]]("union", property(`{"anyOf":[{"type":"string"},{"type":"integer"}]}`), `{"f":7}`),
		kind[of[json.RawMessage]]("raw", property(`{"description":"Any JSON value."}`), `{"f":[null,{"a":1}]}`),
		kind[of[any]]("any", property(`{"description":"Any JSON value."}`), `{"f":null}`),
		kind[of[[]any]]("list of anything", property(`{"type":"array","items":{"description":"Any JSON value."}}`), `{"f":[1,"a",null]}`),
		kind[of[time.Time]]("time", property(`{"type":"string","format":"date-time"}`), `{"f":"2026-01-02T03:04:05+08:00"}`),
		kind[of[time.Duration]]("duration", property(`{"type":"integer","description":"Duration in nanoseconds; 1000000000 is one second."}`), `{"f":1500000000}`),
		kind[of[[]byte]]("bytes", property(`{"type":"string","contentEncoding":"base64"}`), `{"f":"aGVsdmU="}`),
		kind[of[json.Number]]("json.Number", property(`{"type":"number"}`), `{"f":1e400}`),
		kind[of[*big.Int]]("big integer", optional(`{"type":"integer"}`), `{"f":1234567890123456789012345678901234567890}`),
		kind[of[netip.Addr]]("text", property(`{"type":"string"}`), `{"f":"10.0.0.1"}`),
		kind[of[level]]("named integer that reads text", property(`{"type":"string"}`), `{"f":"high"}`),
		kind[of[pair[int, point]]]("generic", property(`{"type":"object","properties":{"first":{"type":"integer"},"second":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"],"additionalProperties":false}},"required":["first","second"],"additionalProperties":false}`), `{"f":{"first":1,"second":{"x":1}}}`),
		kind[struct {
			base
			N int `json:"n"`
		}]("embedded", `{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer"}},"required":["id","n"],"additionalProperties":false}`, `{"id":"a","n":1}`),
		kind[struct {
			Base base `json:"base"`
			*base
		}]("embedded pointer to an unexported struct", "", ``),
		kind[pair[point, *point]]("shared struct", `{"type":"object","properties":{"first":{"$ref":"#/$defs/point"},"second":{"$ref":"#/$defs/point"}},"required":["first"],"additionalProperties":false,"$defs":{"point":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"],"additionalProperties":false}}}`, `{"first":{"x":1}}`),
		kind[shape]("extended", `{"type":"object","properties":{"kind":{"type":"string"},"sides":{"type":"integer"}},"required":["kind","sides"],"additionalProperties":false}`, `{"kind":"square","sides":4}`),
		kind[rose]("recursive slice", `{"type":"array","items":{"$ref":"#/$defs/rose"},"$defs":{"rose":{"type":"array","items":{"$ref":"#/$defs/rose"}}}}`, `[[],[[]]]`),
		kind[struct {
			A, B pair[image.Point, Point]
		}]("same name in two packages", `{"type":"object","properties":{"A":{"$ref":"#/$defs/pair_Point_Point"},"B":{"$ref":"#/$defs/pair_Point_Point"}},"required":["A","B"],"additionalProperties":false,"$defs":{"pair_Point_Point":{"type":"object","properties":{`+
			`"first":{"type":"object","properties":{"X":{"type":"integer"},"Y":{"type":"integer"}},"required":["X","Y"],"additionalProperties":false},`+
			`"second":{"type":"object","properties":{"lat":{"type":"number"}},"required":["lat"],"additionalProperties":false}},"required":["first","second"],"additionalProperties":false}}}`,
			`{"A":{"first":{"X":1,"Y":2},"second":{"lat":3}},"B":{"first":{"X":1,"Y":2},"second":{"lat":3}}}`),
		kind[struct{}]("empty", `{"type":"object","properties":{},"additionalProperties":false}`, ``),
		kind[map[string]string]("root map", `{"type":"object","additionalProperties":{"type":"string"},"properties":{}}`, `{"a":"b"}`),
		kind[[]string]("root slice", `{"type":"array","items":{"type":"string"}}`, `["a"]`),
		kind[string]("root string", `{"type":"string"}`, `"a"`),
		kind[any]("root anything", `{"description":"Any JSON value."}`, `[1]`),
		kind[struct {
			A int    `json:"-"`
			b int    //nolint:unused // must not appear
			C string `json:"c,omitzero"`
			D string
		}]("skipped and renamed", `{"type":"object","properties":{"c":{"type":"string"},"D":{"type":"string"}},"required":["D"],"additionalProperties":false}`, `{"D":"x"}`),
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := tt.infer()
			if tt.want == "" {
				if err == nil {
					t.Fatalf("got %s, want an error", s)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, s.String()); diff != "" {
				t.Errorf("schema (-want +got):\n%s", diff)
			}
			args, err := s.Prepare([]byte(tt.accepts))
			if err != nil {
				t.Fatalf("prepare: %v", err)
			}
			if err := tt.decode(args); err != nil {
				t.Errorf("decode %s: %v", args, err)
			}
		})
	}
}

// kind makes a row of TestForKinds that also decodes into T.
func kind[T any](name, want, accepts string) struct {
	name    string
	infer   func() (*schema.Schema, error)
	want    string
	accepts string
	decode  func([]byte) error
} {
	return struct {
		name    string
		infer   func() (*schema.Schema, error)
		want    string
		accepts string
		decode  func([]byte) error
	}{name, schema.For[T], want, accepts, func(b []byte) error { var v T; return json.Unmarshal(b, &v) }}
}

func TestForTags(t *testing.T) {
	t.Parallel()
	type args struct {
		Q  string        `json:"q" jsonschema:"title=Query,description=What,minLength=1,maxLength=9,pattern=^a{1\\,3}$,format=email,example=aa,examples=aaa"`
		N  int           `json:"n" jsonschema:"minimum=1,maximum=9,multipleOf=2,default=4,enum=2,enum=4,example=2"`
		F  float64       `json:"f,omitempty" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1.5,default=0.5"`
		B  bool          `json:"b" jsonschema:"default=true"`
		L  []string      `json:"l" jsonschema:"minItems=1,maxItems=3,uniqueItems,enum=x,enum=y,default=x,default=y"`
		I  []int         `json:"i,omitempty" jsonschema:"minimum=1,default=1,default=2"`
		M  names         `json:"m,omitempty" jsonschema:"pattern=^z,uniqueItems=true"`
		R  *int          `json:"r,omitempty" jsonschema:"required"`
		D  string        `json:"d" jsonschema:"description=short" jsonschema_description:"Long, with commas"`
		O  point         `json:"o" jsonschema:"default={\"x\":1}"`
		A  any           `json:"a" jsonschema:"default=[1\\,2],description=Whatever"`
		T  time.Time     `json:"t,omitempty" jsonschema:"default=2026-01-02T03:04:05Z"`
		W  time.Duration `json:"w,omitempty" jsonschema:"description=How long to wait"`
		Id int64         `json:"id,omitempty" jsonschema:"default=9007199254740993"`
	}
	s, err := schema.For[args]()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"q":  `{"type":"string","title":"Query","description":"What","format":"email","maxLength":9,"minLength":1,"pattern":"^a{1,3}$","examples":["aa","aaa"]}`,
		"n":  `{"type":"integer","enum":[2,4],"multipleOf":2,"maximum":9,"minimum":1,"default":4,"examples":[2]}`,
		"f":  `{"type":"number","exclusiveMaximum":1.5,"exclusiveMinimum":0,"default":0.5}`,
		"b":  `{"type":"boolean","default":true}`,
		"l":  `{"type":"array","items":{"type":"string","enum":["x","y"]},"maxItems":3,"minItems":1,"default":["x","y"],"uniqueItems":true}`,
		"i":  `{"type":"array","items":{"type":"integer","minimum":1},"default":[1,2]}`,
		"m":  `{"type":"array","items":{"type":"string","pattern":"^z"},"uniqueItems":true}`,
		"r":  `{"type":"integer"}`,
		"d":  `{"type":"string","description":"Long, with commas"}`,
		"o":  `{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"],"additionalProperties":false,"default":{"x":1}}`,
		"a":  `{"description":"Whatever","default":[1,2]}`,
		"t":  `{"type":"string","format":"date-time","default":"2026-01-02T03:04:05Z"}`,
		"w":  `{"type":"integer","description":"How long to wait (in nanoseconds; 1000000000 is one second)"}`,
		"id": `{"type":"integer","default":9007199254740993}`,
	}
	var got struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if err := json.Unmarshal(s.JSON(), &got); err != nil {
		t.Fatal(err)
	}
	for name, w := range want {
		if diff := cmp.Diff(w, string(got.Properties[name])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff([]string{"q", "r", "d"}, got.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}

type (
	selfDecoder   struct{}
	pointerSchema struct{}
	Cyclic        struct{ *Cyclic }
	stringer      interface{ String() string }
)

func (*selfDecoder) UnmarshalJSON([]byte) error       { return nil }
func (*pointerSchema) JSONSchema() *jsonschema.Schema { return nil }

// TestForRefuses lists what can't be described, and the words that must help:
// the Go field and the remedy.
func TestForRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		infer func() (*schema.Schema, error)
		words []string
	}{
		{"channel", schema.For[struct {
			In struct{ Out []chan int }
		}], []string{"In.Out[]", "chan int", `json:"-"`}},
		{"function", schema.For[struct{ F func() }], []string{".F", "func"}},
		{"complex", schema.For[struct{ C complex128 }], []string{".C", "complex128"}},
		{"uintptr", schema.For[struct{ P uintptr }], []string{".P"}},
		{"map with other keys", schema.For[struct{ M map[int]string }], []string{".M", "string keys"}},
		{"map as a set", schema.For[struct{ M map[string]struct{} }], []string{".M", "schema.Set"}},
		{"interface with methods", schema.For[struct{ S stringer }], []string{".S", "any"}},
		{"URL", schema.For[struct{ U url.URL }], []string{".U", "use string"}},
		{"decodes itself", schema.For[struct{ D selfDecoder }], []string{".D", "JSONSchema()"}},
		{"pointer receiver", schema.For[struct{ D pointerSchema }], []string{".D", "value receiver"}},
		{"embedded in itself", schema.For[Cyclic], []string{"embedded in itself"}},
		{"keys differ in case", schema.For[struct {
			A int `json:"userid"`
			B int `json:"userID"`
		}], []string{"userid", "userID", "letter case"}},
		{"same key twice", schema.For[struct {
			base
			ID string `json:"id"`
		}], []string{"ID", `"id"`}},
		{"option string", schema.For[struct {
			N int `json:"n,string"`
		}], []string{".N", "string"}},
		{"option inline", schema.For[struct {
			N point `json:",inline"`
		}], []string{".N", "inline"}},
		{"unknown tag", schema.For[struct {
			N int `json:"n" jsonschema:"bogus=3"`
		}], []string{".N", "bogus", "minimum"}},
		{"comma in a description", schema.For[struct {
			C []string `json:"c" jsonschema:"description=Cities, comma separated"`
		}], []string{".C", "comma separated", `jsonschema_description:"`}},
		{"comma and equals in a description", schema.For[struct {
			C []string `json:"c" jsonschema:"description=Cities, x=1"`
		}], []string{".C", `jsonschema_description:"`}},
		{"comma in a pattern", schema.For[struct {
			P string `json:"p" jsonschema:"pattern=^a{1,3}$"`
		}], []string{".P", `\\,`}},
		{"length of a number", schema.For[struct {
			N int `json:"n" jsonschema:"minLength=1"`
		}], []string{".N", "minLength", "strings"}},
		{"limit of a string", schema.For[struct {
			S string `json:"s" jsonschema:"minimum=1"`
		}], []string{".S", "minimum", "numbers"}},
		{"items of a scalar", schema.For[struct {
			S string `json:"s" jsonschema:"minItems=1"`
		}], []string{".S", "minItems"}},
		{"enum of integers", schema.For[struct {
			N int `json:"n" jsonschema:"enum=one"`
		}], []string{".N", "enum", `"one"`, "integer"}},
		{"default of an integer", schema.For[struct {
			N int `json:"n" jsonschema:"default=1.5"`
		}], []string{".N", "default", "integer"}},
		{"count", schema.For[struct {
			S string `json:"s" jsonschema:"minLength=-1"`
		}], []string{".S", "minLength", "-1"}},
		{"hexadecimal limit", schema.For[struct {
			N float64 `json:"n" jsonschema:"minimum=0x1p3"`
		}], []string{".N", "0x1p3"}},
		{"default breaks its schema", schema.For[struct {
			N int `json:"n" jsonschema:"minimum=5,default=1"`
		}], []string{"/properties/n", "default", "at least 5"}},
		{"default not in its enum", schema.For[struct {
			S string `json:"s" jsonschema:"enum=a,default=b"`
		}], []string{"/properties/s", "default", `"a"`}},
		{"bad pattern", schema.For[struct {
			S string `json:"s" jsonschema:"pattern=(?=x)"`
		}], []string{"/properties/s", "pattern"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := tt.infer()
			if err == nil {
				t.Fatalf("got %s, want an error", s)
			}
			for _, w := range tt.words {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error %q lacks %q", err, w)
				}
			}
		})
	}
}

// TestForStable: map order must never reach a prompt.
func TestForStable(t *testing.T) {
	t.Parallel()
	type args struct {
		A pair[point, tree] `json:"a"`
		B pair[tree, point] `json:"b"`
		C map[string]forest `json:"c"`
	}
	first, err := schema.For[args]()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := schema.For[args]()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.String(), again.String()); diff != "" {
			t.Fatalf("schema changed:\n%s", diff)
		}
	}
}
