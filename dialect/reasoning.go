package dialect

import "strings"

// reason enters the reasoning of a span, or of any of them.
func (d *Decoder) reason(span int) {
	d.span = span
	spans := d.dialect.reasoning
	var markers []marker
	if span < len(spans) {
		spans = spans[span : span+1]
	} else {
		for _, s := range spans { // the opener that the prompt had already
			markers = append(markers, marker{text: s.open, where: answerStart})
		}
	}
	for _, s := range spans {
		markers = append(markers, marker{text: s.close, span: -1})
	}
	if d.dialect.interrupts || d.options.CallsInReasoning {
		for _, mk := range d.calls {
			if mk.open != nil {
				markers = append(markers, mk)
			}
		}
	}
	d.reasoner = newMatcher(markers, "")
}

// inReasoning goes on to the end of reasoning.
func (d *Decoder) inReasoning(in string, at int, eof bool) int {
	seek := d.reasoner.seek(in)
	start := at
	for at < len(in) {
		stop := seek.next(at)
		d.thought = d.thought || strings.TrimSpace(in[at:stop]) != ""
		if at = stop; at == len(in) {
			break
		}
		mk, held := d.reasoner.match(in[at:], eof, spot{begun: d.thought})
		switch {
		case held:
			d.emit(Reasoning, in[start:at])
			d.held = in[at:]
			return len(in)
		case mk == nil:
			d.thought = true
			at++
			continue
		}
		d.emit(Reasoning, in[start:at])
		if mk.open != nil {
			d.scanner = mk.open(d)
			d.opener = len(mk.text)
			d.paused, d.span = d.span, -1
			return at
		}
		if mk.span < 0 {
			d.span = -1
		}
		d.emit(Control, in[at:at+len(mk.text)])
		d.code = newCode(d.code.on)
		return at + len(mk.text)
	}
	d.emit(Reasoning, in[start:])
	return len(in)
}
