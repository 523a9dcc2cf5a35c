package dialect

import "slices"

// auto knows a call by its first marker, in any of the common formats that have
// one which ordinary text has not. It is what [Rescue] looks for. What it writes is
// in tags.
var auto = recognise(
	&tag, &hermes, &qwen3Coder, &glm45, &glm47, &mistral, &deepseekV3, &deepseekV31, &deepseekDSML, &kimiK2,
	&minimaxM2, &minimaxM3, &lfm2, &gemma4, &functionGemma, &llama4Pythonic, &seedOSS, &longcat, &jamba,
	&granite3, &internlm2, &apertus, &cohere, &step3, &dots, &anthropicInvoke, &nemotronNanoV2,
)

// Auto returns the dialect that recognises the common formats.
func Auto() *Dialect { return &auto }

func recognise(formats ...*Dialect) Dialect {
	d := tag
	d.name, d.purpose, d.models = "auto", "any model that writes calls in one of the common formats, known by its first marker", nil
	d.markers = nil
	d.read(formats...)
	return d
}

// withHabits returns d for a model that was taught it and may fall back into a format
// that it was trained on. The formats of models need no such thing.
func (d *Dialect) withHabits() *Dialect {
	if d != &tag && d != &decision && d != &structured {
		return d
	}
	both := *d
	both.read(&auto)
	return &both
}

// read adds what is needed to read the formats as well.
func (d *Dialect) read(formats ...*Dialect) {
	d.markers = slices.Clone(d.markers)
	var spellings []func(*Decoder, string) string
	if d.spelling != nil {
		spellings = append(spellings, d.spelling)
	}
	for _, f := range formats {
		for _, mk := range f.markers {
			if mk.open != nil && mk.where == anywhere && isMarkup(mk.text) {
				d.markers = addOpener(d.markers, mk)
			}
		}
		if f.spelling != nil {
			spellings = append(spellings, f.spelling)
		}
		for _, s := range f.reasoning {
			if !slices.Contains(d.reasoning, s) {
				d.reasoning = append(slices.Clip(d.reasoning), s)
			}
		}
	}
	d.spelling = func(dec *Decoder, name string) string {
		for _, spell := range spellings {
			if other := spell(dec, name); other != name {
				return other
			}
		}
		return name
	}
}

// isMarkup reports whether a marker is long enough not to be a stray bracket.
func isMarkup(text string) bool { return len(text) >= len("[f(") && text[0] != '`' }

// addOpener adds a marker. Where formats share one, each of them is asked in turn.
func addOpener(markers []marker, mk marker) []marker {
	for i, old := range markers {
		if old.text == mk.text {
			markers[i].open = func(d *Decoder) scanner {
				return &alternatives{open: []func(*Decoder) scanner{old.open, mk.open}, d: d}
			}
			return markers
		}
	}
	return append(markers, mk)
}

// alternatives are scanners of which the first that can read the markup does.
type alternatives struct {
	open    []func(*Decoder) scanner
	d       *Decoder
	now     scanner
	sure    bool // something was settled: there is no way back
	longest step // of those that failed
}

func (a *alternatives) scan(s string, eof bool) step {
	for {
		if a.now == nil {
			a.now = a.open[0](a.d)
			a.open = a.open[1:]
		}
		st := a.now.scan(s, eof)
		if st.verdict == more && eof {
			st = step{verdict: fail, n: len(s), err: ErrIncomplete}
		}
		if st.verdict != fail || a.sure {
			a.sure = a.sure || st.verdict != more
			return st
		}
		if a.longest.verdict == more || st.n > a.longest.n {
			a.longest = st
		}
		if len(a.open) == 0 {
			return a.longest
		}
		a.now = nil
	}
}
