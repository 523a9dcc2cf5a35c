package dataanalysis

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// values adds what the chart shows.
func (a *painter) values(p *plot.Plot, c draw.Canvas) {
	switch a.chart.kind {
	case "line":
		a.lines(p)
	case "scatter":
		a.dots(p)
	case "bar":
		p.Add(a.bars())
	case "histogram":
		p.Add(a.columns())
	case "box":
		a.drawBoxes(p, c)
	}
	if low, high := a.chart.heights(); low < 0 && high > 0 || a.chart.kind == "bar" {
		p.Add(baseline{})
	}
}

func lineStyle(i int) draw.LineStyle {
	s := draw.LineStyle{Color: palette[i%len(palette)], Width: 2}
	if i >= len(palette) {
		s.Dashes = []vg.Length{5, 3}
	}
	return s
}

func glyphStyle(i int, radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: colour(i), Radius: radius, Shape: draw.CircleGlyph{}}
}

// lines draws a line a series, broken where a value is missing, with dots where
// they can be told apart.
func (a *painter) lines(p *plot.Plot) {
	for i, s := range a.chart.series {
		runs := s.runs()
		for _, run := range runs {
			if line, err := plotter.NewLine(run); err == nil {
				line.LineStyle = lineStyle(i)
				p.Add(line)
			}
			if len(s.x) <= 40 || len(run) == 1 {
				a.addDots(p, run, i, 3)
			}
		}
	}
}

// runs are the stretches of s without a gap.
func (s series) runs() []plotter.XYs {
	var runs []plotter.XYs
	var run plotter.XYs
	for i, y := range s.y {
		if !math.IsNaN(y) {
			run = append(run, plotter.XY{X: s.x[i], Y: y})
			continue
		}
		if len(run) > 0 {
			runs, run = append(runs, run), nil
		}
	}
	if len(run) > 0 {
		runs = append(runs, run)
	}
	return runs
}

// dots draws many points smaller and clearer, so that a crowd shows as one.
func (a *painter) dots(p *plot.Plot) {
	total := 0
	for _, s := range a.chart.series {
		total += len(s.y)
	}
	radius := vg.Length(min(max(5-math.Log10(float64(total)), 1.5), 4))
	for i, s := range a.chart.series {
		for _, run := range s.runs() {
			a.addDots(p, run, i, radius)
		}
	}
}

func (a *painter) addDots(p *plot.Plot, points plotter.XYs, i int, radius vg.Length) {
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return // points are checked: it has none
	}
	dots.GlyphStyle = glyphStyle(i, radius)
	if a.chart.kind == "scatter" {
		dots.GlyphStyle.Color = clearer(colour(i), 0.7)
	}
	p.Add(dots)
}

// clearer is c with an opacity.
func clearer(c color.RGBA, opacity float64) color.Color {
	return color.NRGBA{c.R, c.G, c.B, uint8(255 * opacity)}
}

// fill is the colour of an area. Histograms lie over each other.
func (a *painter) fill(i int) color.Color {
	if a.chart.kind == "histogram" && len(a.chart.series) > 1 {
		return clearer(colour(i), 0.55)
	}
	return colour(i)
}

// rectangle is an area in the units of the axes.
type rectangle struct {
	x0, x1, y0, y1 float64
	color          color.Color
}

// rectangles draws bars whose width is a part of the x axis, however wide the
// picture. gap is left free on the right of each, in points.
type rectangles struct {
	all []rectangle
	gap vg.Length
}

func (r rectangles) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for _, b := range r.all {
		x0, x1, y0, y1 := trX(b.x0), trX(b.x1), trY(b.y0), trY(b.y1)
		if x1-x0 > 4*r.gap {
			x1 -= r.gap
		}
		c.FillPolygon(b.color, c.ClipPolygonXY([]vg.Point{{X: x0, Y: y0}, {X: x0, Y: y1}, {X: x1, Y: y1}, {X: x1, Y: y0}}))
	}
}

// bars are side by side within their category, or piled up: what is above zero
// upwards, what is below downwards.
func (a *painter) bars() rectangles {
	const group = 0.8 // of a category's width
	n := len(a.chart.series)
	up, down := map[float64]float64{}, map[float64]float64{}
	out := rectangles{gap: 1}
	for i, s := range a.chart.series {
		for j, y := range s.y {
			if math.IsNaN(y) {
				continue
			}
			width := group / float64(n)
			left := s.x[j] - group/2 + width*float64(i)
			from := 0.0
			if a.chart.stacked {
				width, left = group*0.85, s.x[j]-group*0.85/2
				pile := up
				if y < 0 {
					pile = down
				}
				from = pile[s.x[j]]
				pile[s.x[j]] += y
			} else if n == 1 {
				width, left = group*0.85, s.x[j]-group*0.85/2
			}
			out.all = append(out.all, rectangle{left, left + width, from, from + y, a.fill(i)})
		}
	}
	return out
}

// columns are the bars of a histogram, each as wide as its bin.
func (a *painter) columns() rectangles {
	out := rectangles{gap: 1}
	for i, s := range a.chart.series {
		for j, y := range s.y {
			if y > 0 {
				out.all = append(out.all, rectangle{s.x[j], s.x[j] + a.chart.binWidth, 0, y, a.fill(i)})
			}
		}
	}
	return out
}

func (a *painter) drawBoxes(p *plot.Plot, c draw.Canvas) {
	n := len(a.chart.series)
	width := min((c.Size().X-60)/vg.Length(n)*0.55, 90)
	for i, s := range a.chart.series {
		b, err := plotter.NewBoxPlot(width, float64(i), plotter.Values(s.y))
		if err != nil {
			continue // its values are checked: it has none
		}
		hue := colour(i % len(palette))
		if n > len(palette) {
			hue = colour(0) // the names tell them apart, and colours would repeat
		}
		b.FillColor = lighter(hue, 0.7)
		b.BoxStyle = draw.LineStyle{Color: hue, Width: 1.25}
		b.MedianStyle = draw.LineStyle{Color: hue, Width: 2.5}
		b.WhiskerStyle = draw.LineStyle{Color: hue, Width: 1.25}
		b.CapWidth = width / 3
		b.GlyphStyle = draw.GlyphStyle{Color: clearer(hue, 0.6), Radius: 2.25, Shape: draw.CircleGlyph{}}
		p.Add(b)
	}
	p.X.Min, p.X.Max = -0.5, float64(n)-0.5 // a box wants no room at the sides
}

// baseline is the line at zero, on which bars stand.
type baseline struct{}

func (baseline) Plot(c draw.Canvas, p *plot.Plot) {
	_, trY := p.Transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: axisLine, Width: 1}, c.Min.X, trY(0), c.Max.X, trY(0))
}
