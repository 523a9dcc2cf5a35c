package dialect

import "strings"

// Some models write the tool's name on a line of its own in place of its tag:
//
//	get_weather:
//	<city>Rome</city>
//
// A parameter must follow that the tool declares. The tool's closing tag ends the
// call. Where it is missing, the call ends with its last parameter; see
// [elementScanner.endsAlone].

// lineMarkers are markers for the names of the declared tools at the beginning of a
// line.
func lineMarkers(d *Decoder, body *elementBody) []marker {
	var all []marker
	for _, def := range d.options.Tools {
		if name := def.Name; canNameElement(name) && len(def.Schema().Properties()) > 0 {
			all = append(all, marker{text: name, where: lineStart, open: func(d *Decoder) scanner {
				return &elementScanner{body: body, d: d, tool: name}
			}})
		}
	}
	return all
}

// readToolLine reads a name and perhaps a colon on their line, up to the next line's
// tag.
func readToolLine(s, tool string) (callTag, verdict) {
	bounded := s[:min(len(s), len(tool)+maxHeader)]
	blanks := func(at int) int { return len(bounded) - len(strings.TrimLeft(bounded[at:], " \t\r")) }
	at := blanks(len(tool))
	if at < len(bounded) && bounded[at] == ':' {
		at = blanks(at + 1)
	}
	if at < len(bounded) && bounded[at] == '\n' {
		at = skipSpace(bounded, at)
		if at < len(bounded) && bounded[at] == '<' {
			return callTag{name: tool, line: true, n: at}, done
		}
	}
	if at == len(s) && len(s) < len(tool)+maxHeader {
		return callTag{}, more
	}
	return callTag{n: at}, fail
}

// endsAlone reports whether the call ends with the value whose closing tag ends at
// e.closed. t and v are what stands behind it, at e.at.
//
// A value may hold its own closing tag, and here nothing behind the tag says that it
// doesn't. So the value must be one line, and no tag may follow but another tool's.
// And all that the tool requires must be there: more may have been cut off.
func (e *elementScanner) endsAlone(s string, t elementTag, v verdict) bool {
	for name, p := range e.parameters {
		if _, ok := e.index[name]; p.Required && !ok {
			return false
		}
	}
	switch {
	case e.at < len(s) && strings.IndexByte(s[e.closed:e.at], '\n') < 0,
		e.at < len(s) && v == more,
		v == done && (t.kind == closingTag || e.d.tools[t.name] == nil):
		return false
	}
	// To look again at every closing tag would take quadratic time.
	e.lines = e.lines || strings.IndexByte(s[e.start:e.end], '\n') >= 0
	return !e.lines
}
