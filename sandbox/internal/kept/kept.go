// Package kept keeps a bounded part of what a program prints.
package kept

// Text is the beginning, or the end, of what is added to it. The zero value keeps nothing.
type Text struct {
	Most int  // bytes that are kept
	End  bool // the last of them, and not the first

	data []byte // at most Most, and twice as many for the end: so each byte is moved once
	cut  bool
}

// Add adds p, and keeps none of it but a copy.
func (t *Text) Add(p []byte) {
	if !t.End {
		room := min(t.Most-len(t.data), len(p))
		t.data = append(t.data, p[:room]...)
		t.cut = t.cut || room < len(p)
		return
	}
	if len(p) > t.Most {
		p, t.data, t.cut = p[len(p)-t.Most:], t.data[:0], true
	}
	if len(t.data)+len(p) > 2*t.Most {
		n := copy(t.data, t.last())
		t.data = t.data[:n]
	}
	t.data = append(t.data, p...)
	t.cut = t.cut || len(t.data) > t.Most
}

// last is the end of what is kept.
func (t *Text) last() []byte { return t.data[max(0, len(t.data)-t.Most):] }

// Bytes are what was kept.
func (t *Text) Bytes() []byte { return t.last() }

// Cut says whether there was more.
func (t *Text) Cut() bool { return t.cut }
