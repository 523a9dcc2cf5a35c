package sandbox

import (
	"strings"
	"sync/atomic"
	"testing"
)

func TestCollector(t *testing.T) {
	t.Parallel()
	const text = "0123456789abcdefghij"
	for _, test := range []struct {
		end        bool
		most       int
		want       string
		cut, stops bool
	}{
		{false, 30, text, false, false},
		{false, 20, text, false, false},
		{false, 5, "01234", true, false},
		{true, 5, "fghij", true, false},
		{true, 19, text[1:], true, false},
		{true, 20, text, false, false},
		{false, 0, "", true, true},
	} {
		for _, chunk := range []int{1, 3, 7, 100} {
			stopped := false
			limit := int64(len(text))
			if test.stops {
				limit--
			}
			c := collector{end: test.end, most: test.most, total: new(atomic.Int64), limit: limit, over: func() { stopped = true }}
			c.readAll(chunked{strings.NewReader(text), chunk})
			if string(c.kept) != test.want || c.cut != test.cut || stopped != test.stops {
				t.Errorf("%+v by %d: got %q, %v, %v", test, chunk, c.kept, c.cut, stopped)
			}
		}
	}
}

// chunked hands out a few bytes at a time.
type chunked struct {
	from *strings.Reader
	n    int
}

func (c chunked) Read(p []byte) (int, error) { return c.from.Read(p[:min(c.n, len(p))]) }
