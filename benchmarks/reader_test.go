package main

import (
	"fmt"
	"testing"
)

// TestReaders shows that the readers did the same work: each finds the text and the
// call. IndexByte looks for no call, and Ollama's deepseek3 loses one whose marker
// comes in pieces.
func TestReaders(t *testing.T) {
	for _, r := range textReaders {
		for _, w := range append(texts, calls...) {
			if !r.reads(w) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", r.name, w.title), func(t *testing.T) {
				a := w.answer(r.dialect)
				want := readOut{text: a.prose, calls: 1, value: a.value}
				if r.name == "IndexByte" || r.name == "ollama deepseek3" && len(a.chunks[0]) == 4 {
					want = readOut{text: a.bytes}
				}
				if got := r.read(a.chunks); got != want {
					t.Errorf("got %+v, want %+v", got, want)
				}
			})
		}
	}
}

func TestPromised(t *testing.T) {
	for _, tt := range []struct {
		p      promised
		figure float64
		want   string
	}{
		{promised{least: 500}, 500, "500"},
		{promised{least: 500}, 499, "499, **missed**"},
		{promised{most: 1}, 0.95, "0.95"},
		{promised{most: 0}, 1, "1, **missed**"},
		{promised{least: 10}, 4000, "4,000"},
	} {
		if got := tt.p.verdict(tt.figure); got != tt.want {
			t.Errorf("verdict(%v) = %q, want %q", tt.figure, got, tt.want)
		}
	}
}
