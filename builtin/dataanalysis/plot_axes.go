package dataanalysis

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// axes sets the ranges and the marks of both axes, and adds the grid.
func (a *painter) axes(p *plot.Plot, c draw.Canvas) {
	low, high := a.chart.heights()
	marks, first, last := ticks(low, high, max(int(c.Size().Y/60), 2), a.chart.kind == "histogram")
	p.Y.Min, p.Y.Max = first, last
	p.Y.Tick.Marker = plot.ConstantTicks(marks)
	grid := &plotter.Grid{Horizontal: draw.LineStyle{Color: gridLine, Width: 0.75}}
	if a.chart.kind == "scatter" {
		grid.Vertical = grid.Horizontal
	}
	p.Add(grid)
	switch a.chart.along {
	case alongTime:
		a.timeAxis(p, c)
	case alongNumbers:
		a.numberAxis(p, c)
	default:
		a.categoryAxis(p, c)
	}
}

// heights is what the y axis has to show. Bars and counts stand on zero, since
// their length is what is read; lines and points do if zero is near.
func (c *chart) heights() (low, high float64) {
	low, high = c.spread()
	if c.kind == "bar" && c.stacked {
		low, high = c.piles()
	}
	switch {
	case c.kind == "bar" || c.kind == "histogram":
		low, high = min(low, 0), max(high, 0)
	case low > 0 && low < high*0.4:
		low = 0
	}
	return low, high
}

// piles is how far down and up stacked bars reach.
func (c *chart) piles() (low, high float64) {
	down, up := make([]float64, len(c.categories)), make([]float64, len(c.categories))
	for _, s := range c.series {
		for i, y := range s.y {
			at := int(s.x[i])
			down[at] += min(zero(y), 0)
			up[at] += max(zero(y), 0)
		}
	}
	for i := range up {
		low, high = min(low, down[i]), max(high, up[i])
	}
	return low, high
}

// zero is y, or 0 for a gap.
func zero(y float64) float64 {
	if math.IsNaN(y) {
		return 0
	}
	return y
}

func (a *painter) timeAxis(p *plot.Plot, c draw.Canvas) {
	low, high := a.chart.span()
	if low == high {
		low, high = low-43200, high+43200
	}
	p.X.Min, p.X.Max = low, high
	if a.chart.kind == "scatter" {
		p.X.Min, p.X.Max = low-(high-low)*0.02, high+(high-low)*0.02
	}
	a.mark(p, c, timeTicks(p.X.Min, p.X.Max, max(int(c.Size().X/60), 2)))
}

// mark puts marks on the x axis, as many as have room.
func (a *painter) mark(p *plot.Plot, c draw.Canvas, marks []plot.Tick) {
	scale := (p.X.Max - p.X.Min) / float64(max(c.Size().X-60, 1)) // the numbers of y take some room
	p.X.Tick.Marker = plot.ConstantTicks(apart(marks, func(label string) float64 {
		return float64(p.X.Tick.Label.Width(label)+8) * scale
	}))
}

// wholeX reports whether every x is a whole number, such as a year: marks between
// would mean nothing.
func (c *chart) wholeX() bool {
	for _, s := range c.series {
		for _, x := range s.x {
			if x != math.Trunc(x) {
				return false
			}
		}
	}
	return c.kind != "histogram"
}

func (a *painter) numberAxis(p *plot.Plot, c draw.Canvas) {
	low, high := a.chart.span()
	high += a.chart.binWidth
	marks, first, last := ticks(low, high, max(int(c.Size().X/80), 2), a.chart.wholeX())
	switch a.chart.kind {
	case "scatter":
		p.X.Min, p.X.Max = first, last
	case "histogram":
		p.X.Min, p.X.Max = low-a.chart.binWidth/4, high+a.chart.binWidth/4
	default:
		p.X.Min, p.X.Max = low, high
		if low == high {
			p.X.Min, p.X.Max = first, last
		}
	}
	a.mark(p, c, marks)
}

// categoryAxis writes the categories side by side, or aslant where they have no
// room.
func (a *painter) categoryAxis(p *plot.Plot, c draw.Canvas) {
	n := len(a.chart.categories)
	p.X.Min, p.X.Max = -0.5, float64(n)-0.5
	p.X.Tick.Length = 0
	p.X.LineStyle.Width = 0 // the line is that at zero
	p.X.Padding = 6
	style := &p.X.Tick.Label
	room := (c.Size().X - 50) / vg.Length(n)
	widest := vg.Length(0)
	marks := make([]plot.Tick, n)
	for i, name := range a.chart.categories {
		marks[i] = plot.Tick{Value: float64(i), Label: shorten(name, 40)}
		widest = max(widest, style.Width(marks[i].Label))
	}
	if widest > room-6 {
		a.slant(p, marks, room)
	}
	p.X.Tick.Marker = plot.ConstantTicks(marks)
}

// slant turns the labels by 45 degrees, or upright where they stand too close for
// that, and cuts the long ones.
func (a *painter) slant(p *plot.Plot, marks []plot.Tick, room vg.Length) {
	style := &p.X.Tick.Label
	style.Rotation, style.XAlign, style.YAlign = math.Pi/4, draw.XRight, draw.YCenter
	if room < tickSize*1.5 {
		style.Rotation = math.Pi / 2
	}
	if room < tickSize*1.1 {
		style.Font.Size = max(room/1.1, 6)
	}
	longest := a.height * 0.28
	for i := range marks {
		marks[i].Label = wrap(marks[i].Label, 1, func(s string) bool { return style.Font.Size*vg.Length(len([]rune(s)))*0.55 <= longest })[0]
	}
}
