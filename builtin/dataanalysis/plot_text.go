package dataanalysis

import (
	"math"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// handwriting writes a line in more than one font: each character in the first
// that has it. A font with Chinese may have no digits.
type handwriting struct {
	own    text.Plain
	others []*opentype.Font
}

var _ text.Handler = (*handwriting)(nil)

// none is the index of no font.
const none = -2

// fontOf is the index in others of the font for r, or -1 for our own.
func (h *handwriting) fontOf(r rune) int {
	var b sfnt.Buffer
	if i, err := h.own.Fonts.Lookup(sans, 1).Face.GlyphIndex(&b, r); err == nil && i != 0 {
		return -1
	}
	for n, face := range h.others {
		if i, err := face.GlyphIndex(&b, r); err == nil && i != 0 {
			return n
		}
	}
	return none
}

// run is a stretch of a line in one font.
type run struct {
	text string
	face font.Face
}

func (h *handwriting) runs(line string, f font.Font) []run {
	var out []run
	last := none - 1
	for _, r := range line {
		n := h.fontOf(r)
		if n != last {
			face := h.own.Fonts.Lookup(f, f.Size)
			if n >= 0 {
				face = font.Face{Font: f, Face: h.others[n]}
			}
			out = append(out, run{face: face})
			last = n
		}
		out[len(out)-1].text += string(r)
	}
	return out
}

func (h *handwriting) width(runs []run) (w vg.Length) {
	for _, r := range runs {
		w += r.face.Width(r.text)
	}
	return w
}

// Cache returns the fonts of our own.
func (h *handwriting) Cache() *font.Cache { return h.own.Fonts }

// Extents are those of our own font in any case: lines stand equally far apart.
func (h *handwriting) Extents(f font.Font) font.Extents { return h.own.Extents(f) }

// Lines returns txt alone: a label has no line breaks.
func (h *handwriting) Lines(txt string) []string { return []string{txt} }

// Box returns the size of a line.
func (h *handwriting) Box(txt string, f font.Font) (width, height, depth vg.Length) {
	e := h.Extents(f)
	return h.width(h.runs(txt, f)), e.Ascent, e.Descent
}

// Draw writes a line at pt.
func (h *handwriting) Draw(c vg.Canvas, txt string, style text.Style, pt vg.Point) {
	if txt == "" {
		return
	}
	c.SetColor(style.Color)
	if style.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(style.Rotation)
	}
	sin, cos := math.Sincos(style.Rotation)
	x := pt.Y*vg.Length(sin) + pt.X*vg.Length(cos)
	y := pt.Y*vg.Length(cos) - pt.X*vg.Length(sin)
	runs := h.runs(txt, style.Font)
	x += vg.Length(style.XAlign) * h.width(runs)
	y += style.Height(txt)*vg.Length(style.YAlign) - h.Extents(style.Font).Ascent + style.Font.Size
	for _, r := range runs {
		c.FillString(r.face, vg.Point{X: x, Y: y}, r.text)
		x += r.face.Width(r.text)
	}
}
