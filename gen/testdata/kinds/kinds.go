// Package kinds has a tool for every kind of parameter that helve gen knows. Its
// test compares them with what tool.New makes of the same types.
package kinds

import (
	"context"
	"encoding/json"
	"errors"
	"image"
	"math/big"
	"net/netip"
	"time"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

//go:generate go run helve/cmd/helve gen

type (
	// Order is an enumeration.
	Order string
	// Color has a single constant, which is a special value and no list.
	Color string
	Names []string
	Level int8

	Point struct {
		X int `json:"x"`
		Y int `json:"y,omitempty"`
	}

	Tree struct {
		Value int     `json:"value"`
		Left  *Tree   `json:"left"`
		Kids  []Tree  `json:"kids,omitempty"`
		By    *Forest `json:"by"`
	}

	Forest struct {
		Trees map[string]Tree `json:"trees"`
	}

	Rose []Rose

	Base struct {
		ID string `json:"id"`
	}

	hidden struct {
		Note string `json:"note,omitempty"`
	}

	Pair[A, B any] struct {
		First  A `json:"first"`
		Second B `json:"second"`
	}

	// IntOrText is a union.
	//
	//helve:schema {"anyOf":[{"type":"integer"},{"type":"string"}]}
	IntOrText struct{ Value any }
)

const (
	Asc  Order = "asc"
	Desc Order = "desc"

	Red Color = "red"
)

// UnmarshalJSON takes an integer or a text.
func (u *IntOrText) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &u.Value) }

// Tags carries every keyword.
type Tags struct {
	Q  string            `json:"q" jsonschema:"title=Query,description=What,minLength=1,maxLength=9,pattern=^a{1\\,3}$,example=aa,examples=aaa"`
	N  int               `json:"n" jsonschema:"minimum=1,maximum=9,multipleOf=2,default=4,enum=2,enum=4,example=2"`
	F  float64           `json:"f,omitempty" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1.5,default=0.5"`
	B  bool              `json:"b" jsonschema:"default=true"`
	L  []string          `json:"l" jsonschema:"minItems=1,maxItems=3,uniqueItems,enum=x,enum=y,default=x,default=y"`
	M  Names             `json:"m,omitempty" jsonschema:"pattern=^z,uniqueItems=true"`
	R  *int              `json:"r,omitempty" jsonschema:"required"`
	D  string            `json:"d" jsonschema:"description=short" jsonschema_description:"Long, with commas & <marks>"`
	O  Point             `json:"o" jsonschema:"default={\"x\":1}"`
	A  any               `json:"a" jsonschema:"default=[1\\,2],description=Whatever"`
	T  time.Time         `json:"t,omitempty" jsonschema:"default=2026-01-02T03:04:05Z"`
	W  time.Duration     `json:"w,omitempty" jsonschema:"description=How long to wait"`
	S  schema.Set[Point] `json:"s,omitempty" jsonschema:"description=Some points"`
	Id int64             `json:"id,omitempty" jsonschema:"default=9007199254740993"`
	P  []Point           `json:"p,omitempty" jsonschema:"description=Points"`
}

// Everything has a field of each kind.
type Everything struct {
	Base
	hidden
	*Sub
	Text     string                     `json:"text"`
	Color    Color                      `json:"color"`
	Int      int                        `json:"int"`
	Small    Level                      `json:"small"`
	Big      uint64                     `json:"big"`
	Single   float32                    `json:"single"`
	Flag     bool                       `json:"flag"`
	Bytes    []byte                     `json:"bytes"`
	Raw      json.RawMessage            `json:"raw"`
	Any      any                        `json:"any"`
	Anys     []any                      `json:"anys"`
	Time     time.Time                  `json:"time"`
	Wait     time.Duration              `json:"wait"`
	Waits    []time.Duration            `json:"waits"`
	Number   json.Number                `json:"number"`
	Huge     *big.Int                   `json:"huge"`
	Addr     netip.Addr                 `json:"addr"`
	Set      schema.Set[string]         `json:"set"`
	Names    Names                      `json:"names"`
	Map      map[string]int             `json:"map"`
	Maps     map[Color]map[string]Point `json:"maps"`
	Free     map[string]any             `json:"free"`
	Array    [2]int                     `json:"array"`
	Arrays   [][2]*Point                `json:"arrays"`
	Once     Pair[int, Base]            `json:"once"`
	Image    image.Point                `json:"image"`
	Again    image.Point                `json:"again"`
	Tree     *Tree                      `json:"tree"`
	Rose     Rose                       `json:"rose"`
	Inline   struct{ A, B int }         `json:"inline"`
	Optional *string                    `json:"optional,omitempty"`
	Skipped  int                        `json:"-"`
	Bare     string
}

// Sub is embedded by its pointer.
type Sub struct {
	Depth int `json:"depth,omitempty"`
}

// TakeTags keeps what it gets.
//
//helve:tool
func TakeTags(in Tags) Tags { return in }

// TakeEverything keeps what it gets.
//
//helve:tool
func TakeEverything(_ context.Context, in Everything) (Everything, error) { return in, nil }

// TakePointer keeps what it gets.
//
//helve:tool
func TakePointer(in *Point) *Point { return in }

// TakeTree keeps what it gets.
//
//helve:tool
func TakeTree(in Tree) Tree { return in }

// TakeUnion keeps what it gets.
//
//helve:tool
func TakeUnion(v IntOrText, list []IntOrText) []any {
	out := []any{v.Value}
	for _, v := range list {
		out = append(out, v.Value)
	}
	return out
}

// Search looks in the handbook. query is what to look for; limit is how many
// passages to return (default 10). from and to are dates.
//
//	An example, which stays.
//
// It reads no other book.
//
//helve:tool name=search_handbook read_only idempotent timeout=5s
func Search(ctx context.Context, query string, limit int, order Order, from, to *time.Time, wait time.Duration, tags ...string) (string, error) {
	if query == "fail" {
		return "", errors.New("the handbook is closed")
	}
	data, err := json.Marshal([]any{query, limit, order, from, to, wait, tags})
	return string(data), err
}

// Forecast tells the weather.
//
// Args:
//   - city: the city's name
//   - days (int): how many days ahead,
//     today included: at most 14 (default 3)
//   - units: metric or imperial (default "metric")
//
// Returns:
//
//	the weather in a line
//
//helve:tool
func Forecast(city string, days int, units string) string { return city }

// Remember keeps a note.
//
//helve:tool sequential return_direct
func Remember(ctx context.Context, id tool.CallID, text string, store tool.Store, state tool.State, rt *tool.Runtime) error {
	rt.Progress(1, 2, "half")
	return store.Put(ctx, string(id), []byte(text), 0)
}

// Nothing has no parameters and gives nothing back.
//
//helve:tool
func Nothing() {}

// Picture paints.
//
//helve:tool
func Picture() message.Image { return message.Image{MediaType: "image/png", Data: []byte{1}} }

// type is a key word of Go's, and so are the names of the generated variables.
//
//helve:tool name=shadow
func shadow(r, o, in, ctx, raw, err, out, rt, args, tool, string int) int {
	return r + o + in + ctx + raw + err + out + rt + args + tool + string
}
