package tool

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type plainInput struct {
	Text   string  `json:"text"`
	Small  int8    `json:"small"`
	Big    int64   `json:"big"`
	Count  uint16  `json:"count"`
	Single float32 `json:"single"`
	Double float64 `json:"double"`
	Flag   bool    `json:"flag,omitempty"`
	Bare   string
	Skip   string        `json:"-"`
	Wait   time.Duration `json:"wait"`
}

func TestPlanFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value any
		want  plan
	}{
		{plainInput{}, plan{"text": 0, "small": 1, "big": 2, "count": 3, "single": 4, "double": 5, "flag": 6, "Bare": 7, "wait": 9}},
		{struct{}{}, plan{}},
		{map[string]string{}, nil},
		{struct{ List []string }{}, nil},
		{struct{ Pointer *string }{}, nil},
		{struct{ Time time.Time }{}, nil},
		{struct{ plainInput }{}, nil},
		{struct {
			N int `json:"n,string"`
		}{}, nil},
		{struct{ Any any }{}, nil},
	} {
		if diff := cmp.Diff(tt.want, planFor(reflect.TypeOf(tt.value))); diff != "" {
			t.Errorf("%T (-want +got):\n%s", tt.value, diff)
		}
	}
}

func TestPlanTakesPlainArguments(t *testing.T) {
	t.Parallel()
	args := ` { "text" : "Zürich" , "small":-128,"big":9223372036854775807,"count":65535,"single":1.5,"double":-1e-3,"flag":true,"Bare":"","wait":7 } `
	want := plainInput{Text: "Zürich", Small: -128, Big: 1<<63 - 1, Count: 65535, Single: 1.5, Double: -1e-3, Flag: true, Wait: 7}
	var got plainInput
	if !planFor(reflect.TypeFor[plainInput]()).fill([]byte(args), reflect.ValueOf(&got).Elem()) {
		t.Fatal("the plan was not sure")
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// FuzzDecode holds the plan to encoding/json: what it takes, that takes too, and
// makes the same of it.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` { } `, `{"text":"a","flag":true}`, `{"text":"\u0041"}`, `{"TEXT":"a"}`, `{"text":null}`, `{"text":"a","text":"b"}`,
		`{"small":128}`, `{"small":1.0}`, `{"small":-0}`, `{"small":01}`, `{"small":+1}`, `{"count":-1}`, `{"big":1e3}`,
		`{"double":1e400}`, `{"double":0x1p-2}`, `{"double":1.}`, `{"double":.5}`, `{"double":Inf}`, `{"double":1_0}`, `{"single":1e39}`,
		`{"double":1e}`, `{"double":1e+}`, `{"double":1-2}`, `{"double":0.1.2}`,
		`{"text":"a",}`, `{"text":"a"}}`, `{"text" "a"}`, `{"text":"` + "\xff" + `"}`, `{"text":"` + "\n" + `"}`, `{"flag":truex}`, `{"flag":true false}`,
		`{"-":"x"}`, `{"Skip":"y"}`, `[]`, ``, `null`, `{"hidden":1}`,
	} {
		f.Add([]byte(seed))
	}
	p := planFor(reflect.TypeFor[plainInput]())
	f.Fuzz(func(t *testing.T, args []byte) {
		var got, want plainInput
		if !p.fill(args, reflect.ValueOf(&got).Elem()) {
			return
		}
		if err := json.Unmarshal(args, &want); err != nil {
			t.Fatalf("%q: the plan took what encoding/json refuses: %v", args, err)
		}
		if got != want {
			t.Fatalf("%q: got %+v, want %+v", args, got, want)
		}
	})
}
