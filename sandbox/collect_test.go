package sandbox

import (
	"strings"
	"testing"
)

func TestCollectors(t *testing.T) {
	t.Parallel()
	const text = "0123456789abcdefghij"
	for _, test := range []struct {
		total int
		stops bool
	}{{2 * len(text), false}, {2*len(text) - 1, true}, {len(text), true}} {
		stopped := false
		stdout, stderr := collectors(Limits{Output: 5, OutputTotal: test.total}, func() { stopped = true })
		stdout.readAll(strings.NewReader(text))
		stderr.readAll(strings.NewReader(text))
		if out, end := string(stdout.Bytes()), string(stderr.Bytes()); out != "01234" || end != "fghij" || !stdout.Cut() || !stderr.Cut() || stopped != test.stops {
			t.Errorf("%d: got %q, %q, %v", test.total, out, end, stopped)
		}
	}
}
