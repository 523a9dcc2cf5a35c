package kept

import (
	"slices"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	t.Parallel()
	const text = "0123456789abcdefghij"
	for most := range len(text) + 3 {
		for chunk := 1; chunk <= len(text); chunk++ {
			first, last := Text{Most: most}, Text{Most: most, End: true}
			for part := range slices.Chunk([]byte(text), chunk) {
				first.Add(part)
				last.Add(part)
			}
			n := min(most, len(text))
			if got := string(first.Bytes()); got != text[:n] || first.Cut() != (most < len(text)) {
				t.Errorf("%d by %d: got %q, %v", most, chunk, got, first.Cut())
			}
			if got := string(last.Bytes()); got != text[len(text)-n:] || last.Cut() != (most < len(text)) {
				t.Errorf("the end, %d by %d: got %q, %v", most, chunk, got, last.Cut())
			}
		}
	}
}

// BenchmarkEnd is a program that prints byte by byte.
func BenchmarkEnd(b *testing.B) {
	text := Text{Most: 64 << 10, End: true}
	one := []byte(strings.Repeat("x", 1))
	b.ReportAllocs()
	for b.Loop() {
		text.Add(one)
	}
}
