package dataanalysis

import (
	"bytes"
	"fmt"
	"image/color"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The colours of the series are those of Okabe and Ito (2008), which people with
// any kind of colour blindness can tell apart, without the yellow, which is
// hardly seen on white.
var palette = []color.RGBA{
	{0x00, 0x72, 0xB2, 0xFF}, // blue
	{0xE6, 0x9F, 0x00, 0xFF}, // orange
	{0x00, 0x9E, 0x73, 0xFF}, // green
	{0xD5, 0x5E, 0x00, 0xFF}, // vermilion
	{0xCC, 0x79, 0xA7, 0xFF}, // purple
	{0x56, 0xB4, 0xE9, 0xFF}, // sky blue
	{0x59, 0x59, 0x59, 0xFF}, // grey
}

var (
	ink      = color.RGBA{0x22, 0x26, 0x2B, 0xFF} // title
	softInk  = color.RGBA{0x55, 0x5B, 0x63, 0xFF} // labels
	gridLine = color.RGBA{0xE4, 0xE6, 0xE9, 0xFF}
	axisLine = color.RGBA{0x9A, 0xA0, 0xA8, 0xFF}
)

// colour is that of series i. From the eighth on the colours come again, lighter;
// lines are dashed then, too.
func colour(i int) color.RGBA {
	c := palette[i%len(palette)]
	if i >= len(palette) {
		c = lighter(c, 0.5)
	}
	return c
}

func lighter(c color.RGBA, by float64) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(float64(v) + (255-float64(v))*by) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), c.A}
}

const (
	margin     = 16 // points, around everything
	pngDPI     = 144
	titleSize  = 15
	labelSize  = 11
	tickSize   = 10
	legendSize = 10.5
)

// painter draws one chart.
type painter struct {
	chart         *chart
	width, height vg.Length
	handler       *handwriting
}

// render returns the picture's bytes.
func (p *artist) render(c *chart, in plotInput) ([]byte, error) {
	handler, missing := p.fonts.forText(c.texts())
	a := painter{c, vg.Length(in.Width), vg.Length(in.Height), handler}
	if missing != "" {
		c.note("%s", missingNote(missing, in.Format))
	}
	var b bytes.Buffer
	var err error
	if in.Format == "svg" {
		canvas := vgsvg.New(a.width, a.height)
		a.draw(draw.New(canvas))
		_, err = canvas.WriteTo(&b)
	} else {
		canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(a.width, a.height), vgimg.UseDPI(pngDPI))}
		a.draw(draw.New(canvas))
		_, err = canvas.WriteTo(&b)
	}
	if err != nil {
		return nil, fmt.Errorf("plot_tool: %w", err)
	}
	if b.Len() > maxPicture {
		return nil, fmt.Errorf("plot_tool: the picture has %s, more than the %s that are allowed: draw fewer points, make it smaller, or take the format png", kilobytes(int64(b.Len())), kilobytes(maxPicture))
	}
	return b.Bytes(), nil
}

func missingNote(missing, format string) string {
	what := fmt.Sprintf("no font on this machine has the characters %s", shorten(missing, 20))
	if format == "svg" {
		return what + "; whoever opens the SVG sees them in a font of their own, perhaps not spaced well"
	}
	return what + ", so they are boxes in the picture: write the labels in Latin letters, take the format svg, or ask the person to install a font such as fonts-noto-cjk"
}

// texts is all that the picture will say.
func (c *chart) texts() []string {
	texts := append([]string{c.title, c.xLabel, c.yLabel, "…"}, c.categories...)
	for _, s := range c.series {
		texts = append(texts, s.name)
	}
	return texts
}

func (a *painter) style(size font.Length, ink color.Color) text.Style {
	return text.Style{Color: ink, Font: font.From(sans, size), Handler: a.handler}
}

// draw puts title and legend above the plot, so that neither covers a value.
func (a *painter) draw(canvas draw.Canvas) {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	inner := draw.Crop(canvas, margin, -margin, margin, -margin)
	inner.Max.Y -= a.title(inner)
	inner.Max.Y -= a.legend(inner)
	p := a.plot(inner)
	p.Draw(inner)
}

// title returns the height it took.
func (a *painter) title(c draw.Canvas) vg.Length {
	if a.chart.title == "" {
		return 0
	}
	style := a.style(titleSize, ink)
	style.Font.Weight = xfont.WeightBold
	style.YAlign = draw.YTop
	lines := wrap(a.chart.title, 2, func(s string) bool { return style.Width(s) <= c.Size().X })
	y := c.Max.Y
	for _, line := range lines {
		c.FillText(style, vg.Point{X: c.Min.X, Y: y}, line)
		y -= titleSize * 1.3
	}
	return c.Max.Y - y + 8
}

// wrap cuts text into at most n lines that fit, between words where it can, and
// shortens what is left over.
func wrap(text string, n int, fits func(string) bool) []string {
	var lines []string
	rest := []rune(text)
	for len(rest) > 0 {
		end := fitting(rest, fits)
		if end == len(rest) {
			return append(lines, string(rest))
		}
		if len(lines) == n-1 {
			return append(lines, strings.TrimSpace(string(rest[:max(end-1, 0)]))+"…")
		}
		if space := strings.LastIndexByte(string(rest[:end]), ' '); space > 0 {
			end = len([]rune(string(rest[:end])[:space]))
		}
		lines = append(lines, strings.TrimSpace(string(rest[:end])))
		rest = []rune(strings.TrimSpace(string(rest[end:])))
	}
	return lines
}

// fitting is how many characters of text fit, at least one.
func fitting(text []rune, fits func(string) bool) int {
	low, high := 1, len(text)
	for low < high {
		middle := (low + high + 1) / 2
		if fits(string(text[:middle])) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// legend draws a row of names with their colours, or more than one row. It
// returns the height it took.
func (a *painter) legend(c draw.Canvas) vg.Length {
	if len(a.chart.series) < 2 || a.chart.kind == "box" {
		return 0
	}
	const swatch, row = 12, legendSize * 1.6
	style := a.style(legendSize, softInk)
	style.YAlign = draw.YCenter
	x, y := c.Min.X, c.Max.Y-row/2
	for i, s := range a.chart.series {
		name := shorten(s.name, 40)
		width := vg.Length(swatch+5) + style.Width(name)
		if x > c.Min.X && x+width > c.Max.X {
			x, y = c.Min.X, y-row
		}
		a.swatch(c, i, vg.Point{X: x, Y: y - 1}, swatch)
		c.FillText(style, vg.Point{X: x + swatch + 5, Y: y}, name)
		x += width + 16
	}
	return c.Max.Y - y + row/2 + 8
}

// swatch shows series i as it is drawn: a line, a dot or an area.
func (a *painter) swatch(c draw.Canvas, i int, at vg.Point, width vg.Length) {
	switch a.chart.kind {
	case "line":
		c.StrokeLine2(lineStyle(i), at.X, at.Y, at.X+width, at.Y)
	case "scatter":
		c.DrawGlyphNoClip(glyphStyle(i, 4), vg.Point{X: at.X + width/2, Y: at.Y})
	default:
		half := width * 0.42
		c.FillPolygon(a.fill(i), []vg.Point{
			{X: at.X + width/2 - half, Y: at.Y - half}, {X: at.X + width/2 + half, Y: at.Y - half},
			{X: at.X + width/2 + half, Y: at.Y + half}, {X: at.X + width/2 - half, Y: at.Y + half},
		})
	}
}

// plot makes the plot proper: axes, grid and values.
func (a *painter) plot(c draw.Canvas) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.TextHandler = a.handler
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle = a.labelStyle(axis.Label.TextStyle, labelSize)
		axis.Tick.Label = a.labelStyle(axis.Tick.Label, tickSize)
		axis.Label.Padding = 6
		axis.Tick.LineStyle.Color = axisLine
		axis.LineStyle.Color = axisLine
		axis.Padding = 0
	}
	p.X.Label.Text, p.Y.Label.Text = a.fitted(a.chart.xLabel, c.Size().X), a.fitted(a.chart.yLabel, c.Size().Y)
	p.X.Tick.Length = 6
	p.Y.LineStyle.Width = 0
	p.Y.Tick.Length = 0
	p.Y.Tick.Label.XAlign = draw.XRight
	p.Y.Padding = 6
	a.axes(p, c)
	a.values(p, c)
	return p
}

// labelStyle keeps how gonum aligns the text.
func (a *painter) labelStyle(was text.Style, size font.Length) text.Style {
	style := a.style(size, softInk)
	style.XAlign, style.YAlign, style.Rotation = was.XAlign, was.YAlign, was.Rotation
	return style
}

// fitted is an axis' label, cut to the length of its side.
func (a *painter) fitted(label string, length vg.Length) string {
	if label == "" {
		return ""
	}
	style := a.style(labelSize, ink)
	return wrap(label, 1, func(s string) bool { return style.Width(s) <= length*0.8 })[0]
}
