package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/tool"
)

func TestFramesTravel(t *testing.T) {
	t.Parallel()
	frames := []Frame{
		{Kind: Call, ID: 1, Tool: "add", CallID: "c", Arguments: json.RawMessage(`{"a":1}`), Messages: []message.Message{message.User("hi")}, Values: map[string]any{"n": 1.0}},
		{Kind: Result, ID: 1, Error: &Error{Kind: tool.KindExecution, Message: "no", Cause: "stack"}},
		{Kind: Given, ID: 2, Ask: &Ask{N: 3, Value: []byte{0, 255}, Old: []byte{}, OK: true}},
	}
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, f := range frames {
		if err := w.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	r := NewReader(&b)
	for _, want := range frames {
		got, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if _, err := r.Read(); !errors.Is(err, io.EOF) {
		t.Errorf("error %v, want EOF", err)
	}
}

func TestErrorsTravel(t *testing.T) {
	t.Parallel()
	e := &tool.Error{Kind: tool.KindUnavailable, Message: "later", Detail: map[string]any{"n": func() {}}, Retryable: true, Err: errors.New("why")}
	got := NewError(e).Tool()
	if got.Kind != e.Kind || got.Message != e.Message || got.Detail != nil || !got.Retryable || got.Err.Error() != "why" {
		t.Errorf("got %+v", got)
	}
}

func TestFramesAreBounded(t *testing.T) {
	t.Parallel()
	var form *FormError
	if err := NewWriter(io.Discard).Write(Frame{Tool: strings.Repeat("x", MaxFrame)}); !errors.As(err, &form) || !errors.Is(err, ErrTooLarge) {
		t.Errorf("writing: %v", err)
	}
	if err := NewWriter(io.Discard).Write(Frame{Values: map[string]any{"f": func() {}}}); !errors.As(err, &form) {
		t.Errorf("writing what has no JSON form: %v", err)
	}
	if _, err := NewReader(strings.NewReader("\xff\xff\xff\xff{}")).Read(); !errors.Is(err, ErrTooLarge) {
		t.Errorf("reading: %v", err)
	}
	if _, err := NewReader(strings.NewReader("\x00\x00\x00\x09{}")).Read(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("reading half a frame: %v", err)
	}
}

// FuzzRead: no bytes make a panic, and a frame that was read can be written and read
// again.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x02{}"))
	f.Add([]byte("\x00\x00\x00\x15{\"kind\":\"call\",\"id\":1}"))
	f.Add([]byte("\x00\x00\x00\x04null"))
	f.Add([]byte("\x00\x00\x00\x46{\"ask\":{\"questions\":[{\"form\":{\"message\":\"m\",\"fields\":{ }}},{\"roots\":{}}]}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := NewReader(bytes.NewReader(data)).Read()
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := NewWriter(&b).Write(first); err != nil {
			t.Fatalf("%q can't be written: %v", data, err)
		}
		second, err := NewReader(&b).Read()
		if err != nil || first.Kind != second.Kind || first.ID != second.ID {
			t.Fatalf("%q came back as %+v, %v", data, second, err)
		}
		if err := NewWriter(&b).Write(second); err != nil {
			t.Fatalf("%q can't be written twice: %v", data, err)
		}
		third, err := NewReader(&b).Read() // writing made its JSON compact
		if err != nil || !cmp.Equal(second.Ask, third.Ask) {
			t.Fatalf("%q came back as %+v, then as %+v, %v", data, second.Ask, third.Ask, err)
		}
	})
}
