package executor_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
	"helve/message"
	"helve/tool"
)

func TestLimitResult(t *testing.T) {
	t.Parallel()
	small, large := make([]byte, 1<<10), make([]byte, 20<<20+1)
	cut := func(s string) message.Part { return message.Text("\n[cut: " + s + " bytes are shown; ask for less]") }
	leftOut := message.Text("[left out: 20971521 bytes of media, and at most 20971520 are passed on]")
	for _, tt := range []struct {
		name     string
		in, want []message.Part
	}{
		{"fits", []message.Part{message.Text("0123456789")}, []message.Part{message.Text("0123456789")}},
		{"nothing", nil, nil},
		{"too long", []message.Part{message.Text("0123456789a")}, []message.Part{message.Text("0123456789"), cut("the first 10 of 11")}},
		{
			"not through a character",
			[]message.Part{message.Text("01234567é世")},
			[]message.Part{message.Text("01234567é"), cut("the first 10 of 13")},
		}, {
			"not through a character of four bytes",
			[]message.Part{message.Text("0123456🙂")},
			[]message.Part{message.Text("0123456"), cut("the first 7 of 11")},
		}, {
			"several parts",
			[]message.Part{message.Text("01234"), message.Text("56789a"), message.Text("never"), message.Image{Data: small}},
			[]message.Part{message.Text("01234"), message.Text("56789"), message.Image{Data: small}, cut("the first 10 of 16")},
		}, {
			"resource",
			[]message.Part{message.Resource{URI: "file:///a", Text: "0123456789a"}, message.Resource{URI: "file:///b", Text: "b"}},
			[]message.Part{message.Resource{URI: "file:///a", Text: "0123456789"}, message.Resource{URI: "file:///b"}, cut("the first 10 of 12")},
		},
		{"image", []message.Part{message.Text("see"), message.Image{Data: large}}, []message.Part{message.Text("see"), leftOut}},
		{"audio", []message.Part{message.Audio{Data: large}}, []message.Part{leftOut}},
		{"file", []message.Part{message.File{Data: large}}, []message.Part{leftOut}},
		{"resource's data", []message.Part{message.Resource{URI: "file:///a", Data: large}}, []message.Part{leftOut}},
		{"media within its own limit", []message.Part{message.Image{Data: large[1:]}}, []message.Part{message.Image{Data: large[1:]}}},
		{"not UTF-8", []message.Part{message.Text(strings.Repeat("\xbf", 11))}, []message.Part{message.Text(strings.Repeat("\xbf", 10)), cut("the first 10 of 11")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			parts := tool.Must(tool.New("parts", "Returns parts.", func(context.Context, struct{}) (tool.Result, error) {
				return tool.Result{Content: tt.in, Artifact: "kept"}, nil
			}))
			r := execute1(newExecutor(t, executor.Config{MaxResult: 10}, parts), call("1", "parts", ""))
			if diff := cmp.Diff(tt.want, r.Output.Content, cmp.Comparer(bytes.Equal)); diff != "" {
				t.Error(diff)
			}
			if r.Output.Artifact != "kept" {
				t.Error("the artifact is gone")
			}
		})
	}
}

func TestLimitResultOfSomeTools(t *testing.T) {
	t.Parallel()
	e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{executor.LimitResult(3, "a")}}, answers("a", "12345"), answers("b", "12345"))
	got := e.Execute(t.Context(), []tool.Call{call("1", "a", ""), call("2", "b", ""), call("3", "c", "")})
	if text := got[0].Output.Text(); text != "123\n[cut: the first 3 of 5 bytes are shown; ask for less]" {
		t.Errorf("a: %q", text)
	}
	if text := got[1].Output.Text(); text != "12345" {
		t.Errorf("b: %q", text)
	}
	if kind(got[2]) != tool.KindNotFound {
		t.Errorf("c: %v", got[2].Err)
	}
}

func FuzzLimitResult(f *testing.F) {
	f.Add("0123456789a", 10)
	f.Add("日本語", 4)
	f.Add("🙂", 0)
	f.Add("🙂", 3)
	f.Add("\xf0\x9f", 1)
	f.Add("", -39)
	f.Fuzz(func(t *testing.T, text string, most int) {
		handler := executor.LimitResult(most)(func(context.Context, executor.Request) (tool.Result, error) { return tool.Text(text), nil })
		r, err := handler(t.Context(), executor.Request{})
		if err != nil {
			t.Fatal(err)
		}
		got := r.Text()
		if len(text) <= max(most, 0) {
			if got != text {
				t.Errorf("%q became %q", text, got)
			}
			return
		}
		shown, note, ok := strings.Cut(got, "\n[cut: the first ")
		if strings.Contains(text, "\n[cut: the first ") {
			return // can't tell the text from the note
		}
		if !ok || len(shown) > max(most, 0) || !strings.HasPrefix(text, shown) || (utf8.ValidString(text) && !utf8.ValidString(shown)) {
			t.Errorf("%q, cut to %d: %q and %q", text, most, shown, note)
		}
	})
}
