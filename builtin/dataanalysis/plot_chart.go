package dataanalysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// chart is what will be drawn, all of it decided and checked.
type chart struct {
	kind                  string
	title, xLabel, yLabel string
	stacked               bool

	along      along    // what the x axis shows
	categories []string // along categories, x is an index of it
	series     []series
	binWidth   float64 // of a histogram, whose x are the left ends of its bins

	notes []string // for the model
}

// along says what x is.
type along int

const (
	alongCategories along = iota
	alongNumbers
	alongTime // x is in seconds since 1970, UTC
)

// series is what has one colour and one line of the legend. A y that is NaN is a
// gap. A box has its raw values as y, and no x.
type series struct {
	name string
	x, y []float64
}

func newChart(in plotInput, t *table) (*chart, error) {
	if len(t.rows) == 0 {
		return nil, errNoRows
	}
	if len(t.columns) == 0 {
		return nil, fmt.Errorf("the query gave no columns: write a SELECT")
	}
	if n := len(t.rows) * len(t.columns); n > 2*maxPoints {
		return nil, fmt.Errorf("%d rows of %d columns are too much for a picture: aggregate, or name fewer columns", len(t.rows), len(t.columns))
	}
	c := &chart{kind: in.Kind, title: in.Title, xLabel: in.XLabel, yLabel: in.YLabel, stacked: in.Stacked}
	c.notes = slices.Clone(t.notes)
	if t.cut {
		c.note("only the first %d rows are drawn, there are more: aggregate in the query", len(t.rows))
	}
	var err error
	switch in.Kind {
	case "histogram":
		err = c.histogram(t, in.Bins)
	case "box":
		err = c.boxes(t)
	case "line", "bar", "scatter":
		err = c.points(t)
	default:
		err = fmt.Errorf("kind %.50q is none of line, bar, scatter, histogram and box", in.Kind)
	}
	if err != nil {
		return nil, err
	}
	c.nameAxes(t)
	return c, c.check()
}

func (c *chart) note(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

// check holds the chart to what can be read and drawn.
func (c *chart) check() error {
	if len(c.series) > maxSeries && c.kind != "box" {
		return fmt.Errorf("%d series are too many to tell apart: at most %d; keep the largest (ORDER BY … LIMIT) or draw several pictures", len(c.series), maxSeries)
	}
	if len(c.categories) > maxCategories {
		return fmt.Errorf("%d categories are too many to read: at most %d; aggregate to fewer, or add ORDER BY … LIMIT %d", len(c.categories), maxCategories, maxCategories/5)
	}
	points, some := 0, false
	for _, s := range c.series {
		points += len(s.y)
		for i, y := range s.y {
			if x := s.at(i); !drawable(x) || !drawable(y) && !math.IsNaN(y) {
				return fmt.Errorf("series %.50q has a number too large to draw (%.3g, %.3g)", s.name, x, y)
			}
			some = some || !math.IsNaN(y)
		}
	}
	switch {
	case points > maxPoints:
		return fmt.Errorf("%d points are too many: at most %d; aggregate in the query", points, maxPoints)
	case !some:
		return fmt.Errorf("there are no numbers to draw: every value is empty")
	}
	if low, high := c.spread(); c.kind != "bar" && c.kind != "histogram" && tooClose(low, high) { // those stand on zero
		return errTooClose(low, high)
	}
	if low, high := c.span(); c.along == alongNumbers && c.kind != "histogram" && tooClose(low, high) {
		return errTooClose(low, high)
	}
	return nil
}

// tooClose reports whether numbers differ by so little of their size that an axis
// can't mark the difference.
func tooClose(low, high float64) bool {
	return low < high && high-low < 1e-12*max(math.Abs(low), math.Abs(high))
}

func errTooClose(low, high float64) error {
	return fmt.Errorf("numbers from %v to %v are too close to each other to draw: subtract %[1]v from all of them in the query", low, high)
}

// at is the x of point i; a box has none.
func (s series) at(i int) float64 {
	if s.x == nil {
		return 0
	}
	return s.x[i]
}

// drawable reports whether the axes' arithmetic can bear v.
func drawable(v float64) bool { return math.Abs(v) <= 1e100 }

// nameAxes fills in what the model left out.
func (c *chart) nameAxes(t *table) {
	var names []string
	for _, s := range c.series {
		names = append(names, s.name)
	}
	x := oneLine(t.columns[0])
	switch c.kind {
	case "histogram":
		x, names = strings.Join(names, ", "), []string{"count"}
		c.defaultTitle("Distribution of " + x)
	case "box":
		if len(c.series) > 0 && len(t.columns) == 2 && c.grouped(t) {
			names = []string{oneLine(t.columns[1])}
			c.defaultTitle(names[0] + " by " + x)
			break
		}
		c.defaultTitle("Distribution of " + strings.Join(names, ", "))
		x, names = "", nil
	default:
		if c.long(t) {
			names = []string{oneLine(t.columns[2])}
			x2 := oneLine(t.columns[1])
			c.defaultTitle(names[0] + " by " + x + " and " + x2)
			break
		}
		c.defaultTitle(strings.Join(names, ", ") + " by " + x)
	}
	if c.xLabel == "" {
		c.xLabel = shorten(x, 80)
	}
	if c.yLabel == "" && len(names) == 1 {
		c.yLabel = names[0]
	}
}

func (c *chart) defaultTitle(s string) {
	if c.title == "" {
		first, size := utf8.DecodeRuneInString(s)
		c.title = shorten(string(unicode.ToUpper(first))+s[size:], 100)
	}
}

// describe says what the picture shows, in a line: a model that can't see it
// must be able to speak of it.
func (c *chart) describe() string {
	s := fmt.Sprintf("a %s chart", c.kind)
	switch c.kind {
	case "scatter", "box":
		s = fmt.Sprintf("a %s plot", c.kind)
	case "histogram":
		s = "a histogram"
	}
	if c.stacked && c.kind == "bar" && len(c.series) > 1 {
		s = "a stacked bar chart"
	}
	s += fmt.Sprintf(" “%s”", c.title)
	var names []string
	points := 0
	for _, x := range c.series {
		points += len(x.y)
		names = append(names, shorten(x.name, 40))
	}
	switch {
	case c.kind == "box":
		s += fmt.Sprintf(" of %s in %s", count(points, "value"), count(len(c.series), "box"))
	case c.kind == "histogram":
		return s
	case c.along == alongCategories:
		s += fmt.Sprintf(" with %s", count(len(c.categories), "category"))
	default:
		s += fmt.Sprintf(" of %s", count(points, "point"))
	}
	if len(names) > 1 {
		s += " (" + strings.Join(names[:min(len(names), maxSeries)], ", ") + ")"
	}
	return s
}

func count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "x"):
		noun += "es"
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// spread is the least and the largest y of all series. check made sure that
// there is one.
func (c *chart) spread() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range c.series {
		for _, y := range s.y {
			if !math.IsNaN(y) {
				low, high = min(low, y), max(high, y)
			}
		}
	}
	return low, high
}

// span is the least and the largest x.
func (c *chart) span() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range c.series {
		if len(s.x) > 0 {
			low, high = min(low, slices.Min(s.x)), max(high, slices.Max(s.x))
		}
	}
	return low, high
}
