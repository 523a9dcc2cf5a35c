package schema

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Sample returns a value to show in the place of p: its first example, the first
// that it allows, its default, or else one that is made up to its type, format
// and limits. Of an object it holds the required keys. The same schema gives the
// same bytes.
//
// It is for people and models to read. Conditions and hard patterns are not
// solved: ask [Schema.Validate] where it matters.
func (p Property) Sample() json.RawMessage {
	s := sampler{depth: 6, values: 100}
	return s.sample(p)
}

// sampler is what is left to spend: a schema may require itself.
type sampler struct{ depth, values int }

func (r *sampler) sample(p Property) json.RawMessage {
	r.depth, r.values = r.depth-1, r.values-1
	defer func() { r.depth++ }()
	switch {
	case len(p.Examples) > 0:
		return p.Examples[0]
	case len(p.Enum) > 0:
		return p.Enum[0]
	case len(p.Default) > 0:
		return p.Default
	case r.depth < 0 || r.values < 0:
		return json.RawMessage("null")
	}
	limits := chosen([]*shape{p.shape}, typeNamed(p.Type))
	switch p.Type {
	case "object":
		return r.object(p)
	case "array":
		return r.array(p, limits)
	case "integer", "number":
		return sampleNumber(limits, p.Type == "integer")
	case "boolean":
		return json.RawMessage("true")
	case "null":
		return json.RawMessage("null")
	}
	return newString(p.sampleText(limits)).appendCompact(nil)
}

func (r *sampler) object(p Property) json.RawMessage {
	out := []byte{'{'}
	for _, member := range p.Properties() {
		if !member.Required {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(newString(member.Name).appendCompact(out), ':')
		out = append(out, r.sample(member)...)
	}
	return append(out, '}')
}

func (r *sampler) array(p Property, limits []*shape) json.RawMessage {
	const most = 16 // a sample that nobody reads to its end teaches nothing
	count := 1
	for _, s := range limits {
		count = max(count, min(s.minItems, most))
		if s.maxItems == 0 {
			count = 0
		}
	}
	item, ok := p.Items()
	out := []byte{'['}
	for i := range count {
		if i > 0 {
			out = append(out, ',')
		}
		if ok {
			out = append(out, r.sample(item)...)
		} else {
			out = append(out, strconv.Itoa(i+1)...)
		}
	}
	return append(out, ']')
}

// sampleNumber is 1, or what comes nearest to it within the limits.
func sampleNumber(limits []*shape, whole bool) json.RawMessage {
	low, high := math.Inf(-1), math.Inf(1)
	step := 0.0
	keeps := func(n float64) bool {
		for _, s := range limits {
			for _, b := range s.bounds {
				if !b.keepsFloat(n) && (b.exclusive || n != b.approx) {
					return false
				}
			}
		}
		return true
	}
	for _, s := range limits {
		for _, b := range s.bounds {
			if b.upper {
				high = min(high, b.approx)
			} else {
				low = max(low, b.approx)
			}
		}
		if m := s.node.get("multipleOf"); m != nil {
			step, _ = strconv.ParseFloat(string(m.raw), 64)
		}
	}
	candidates := []float64{1, math.Ceil(low), math.Ceil(low) + 1, math.Floor(high), math.Floor(high) - 1}
	if step > 0 {
		candidates = []float64{step, math.Ceil(low/step) * step, math.Ceil(low/step)*step + step, math.Floor(high/step) * step}
	}
	if !whole {
		candidates = append(candidates, low, (low+high)/2)
	}
	for _, n := range candidates {
		if !math.IsInf(n, 0) && !math.IsNaN(n) && keeps(n) {
			return json.RawMessage(strconv.FormatFloat(n, 'f', -1, 64))
		}
	}
	return json.RawMessage("1")
}

// formatSamples are values of the formats that are checked.
var formatSamples = map[string]string{
	"date": "2026-01-31", "time": "09:30:00Z", "date-time": "2026-01-31T09:30:00Z", "duration": "PT1H",
	"email": "name@example.com", "idn-email": "name@example.com", "hostname": "example.com", "idn-hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uuid": "123e4567-e89b-12d3-a456-426614174000",
	"uri": "https://example.com", "uri-reference": "/page", "iri": "https://example.com", "iri-reference": "/page",
	"uri-template": "/page/{n}", "json-pointer": "/a/b", "relative-json-pointer": "0/a", "regex": "a+",
}

// sampleText is a word that says what goes there, or what the format or the
// pattern wants.
func (p Property) sampleText(limits []*shape) string {
	if s, ok := formatSamples[p.Format]; ok {
		return s
	}
	candidates := []string{"text"}
	if p.Name != "" {
		candidates = []string{"some " + strings.ReplaceAll(p.Name, "_", " ")}
	}
	candidates = append(candidates, "text", "TEXT", "a", "A", "ab", "AB", "abc", "ABC", "ABCD", "1", "12", "123", "1234", "12345", "a1", "A1")
	for _, c := range candidates {
		if c, ok := fitText(c, limits); ok {
			return c
		}
	}
	return candidates[0]
}

// fitText makes s as long as it may be, and reports whether the pattern takes it.
func fitText(s string, limits []*shape) (string, bool) {
	const most = 200
	for _, l := range limits {
		for utf8.RuneCountInString(s) < min(l.minLength, most) {
			s += s[len(s)-1:]
		}
		if r := []rune(s); l.maxLength >= 0 && len(r) > l.maxLength {
			s = strings.TrimSpace(string(r[:l.maxLength]))
		}
	}
	for _, l := range limits {
		if l.pattern != nil && !l.pattern.MatchString(s) {
			return "", false
		}
	}
	return s, true
}
