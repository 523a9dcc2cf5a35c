package dataanalysis

import (
	"fmt"
	"math"
	"slices"
)

// maxOverlaid is how many histograms can lie over each other.
const maxOverlaid = 3

// histogram counts the values of each column in bins that all columns share.
func (c *chart) histogram(t *table, wanted int) error {
	if err := c.distributions(t); err != nil {
		return err
	}
	if n := len(c.series); n > maxOverlaid {
		return fmt.Errorf("a histogram shows at most %d columns over each other, the query gave %d: name fewer, or use kind box", maxOverlaid, n)
	}
	c.along, c.categories = alongNumbers, nil
	low, high := c.spread()
	if !drawable(low) || !drawable(high) {
		return fmt.Errorf("numbers from %.3g to %.3g are too large to draw", low, high)
	}
	if tooClose(low, high) {
		return errTooClose(low, high)
	}
	longest := 0
	for _, s := range c.series {
		longest = max(longest, len(s.y))
	}
	if wanted <= 0 {
		wanted = min(max(int(math.Ceil(math.Sqrt(float64(longest)))), 5), 30)
	}
	first, width, n := bins(low, high, wanted)
	c.binWidth = width
	for i, s := range c.series {
		c.note("%s: %s, mean %s, median %s, from %s to %s", s.name, count(len(s.y), "value"),
			short(mean(s.y)), short(median(s.y)), short(slices.Min(s.y)), short(slices.Max(s.y)))
		c.series[i] = s.binned(first, width, n)
	}
	return nil
}

// bins are about wanted bins of a round width that hold low and high. The last
// one may end below high by what a float64 can't tell apart.
func bins(low, high float64, wanted int) (first, width float64, n int) {
	if low == high {
		return low - 0.5, 1, 1
	}
	width = roundStep((high - low) / float64(wanted))
	first = math.Floor(low/width) * width
	n = int(min(math.Floor((high-first)/width)+1, 1000))
	return first, width, n
}

func (s series) binned(first, width float64, n int) series {
	out := series{name: s.name, x: make([]float64, n), y: make([]float64, n)}
	for i := range out.x {
		out.x[i] = first + float64(i)*width
	}
	for _, v := range s.y {
		i := int(math.Floor((v - first) / width))
		out.y[min(max(i, 0), n-1)]++
	}
	return out
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v / float64(len(values))
	}
	return sum
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return sorted[half-1]/2 + sorted[half]/2
}
