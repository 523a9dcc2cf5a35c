package wasm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"log/slog"
	"testing"

	"helve/sandbox"
)

// nested is a module with locals that each of many loops in one another changes: a few
// kilobytes that would keep the compiler busy for minutes.
func nested(locals, loops int) []byte {
	number := func(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }
	var body []byte
	body = append(body, 1)
	body = append(append(body, number(locals)...), 0x7f)
	for range loops {
		body = append(body, 0x03, 0x40)
	}
	for i := range locals {
		body = append(append(body, 0x20), number(i)...)
		body = append(append(body, 0x41, 0x01, 0x6a, 0x21), number(i)...)
	}
	body = append(body, bytes.Repeat([]byte{0x0b}, loops+1)...)
	section := func(id byte, content []byte) []byte {
		return append(append([]byte{id}, number(len(content))...), content...)
	}
	return bytes.Join([][]byte{
		magic,
		section(1, []byte{1, 0x60, 0, 0}),
		section(3, []byte{1, 0}),
		section(7, append([]byte{1, 6}, append([]byte("_start"), 0, 0)...)),
		section(10, append([]byte{1}, append(number(len(body)), body...)...)),
	}, nil)
}

func TestModuleThatCompilesForEver(t *testing.T) {
	t.Parallel()
	r, err := New(t.Context(), Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	spec := files("x.wasm", string(nested(3000, 300)))
	spec.Args = []string{"x.wasm"}
	if _, err := r.Run(t.Context(), spec); !errors.Is(err, sandbox.ErrSpec) && !errors.Is(err, sandbox.ErrExec) {
		t.Errorf("got %v", err)
	}
	spec = files("x.wasm", string(nested(20, 20)))
	spec.Args = []string{"x.wasm"}
	if got, err := r.Run(t.Context(), spec); err != nil || got.ExitCode != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestLoops(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		body []byte
		want int
	}{
		{"none", []byte{0x01, 0x0b}, 0},
		{"one after the other", []byte{0x03, 0x40, 0x0b, 0x03, 0x40, 0x0b, 0x0b}, 1},
		{"in one another", []byte{0x03, 0x40, 0x02, 0x40, 0x03, 0x40, 0x0b, 0x0b, 0x0b, 0x0b}, 2},
		{"in a constant", []byte{0x41, 0x03, 0x1a, 0x44, 3, 3, 3, 3, 3, 3, 3, 3, 0x1a, 0x0b}, 0},
		{"in a table of labels", []byte{0x0e, 2, 3, 3, 3, 0x0b}, 0},
		{"in a vector", append(append([]byte{0xfd, 12}, bytes.Repeat([]byte{3}, 16)...), 0x0b), 0},
		{"cut", []byte{0x03}, 1},
		{"no instruction", []byte{0xff, 0x03, 0x40}, 0},
	} {
		if got := loops(&reader{data: test.body}); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}
