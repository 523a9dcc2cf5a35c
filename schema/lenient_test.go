package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompileLenient(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want, finding string }{
		{`{"type":"object","properties":{"a":{"type":"float"}}}`, `{"type":"object","properties":{"a":{"type":"number"}}}`, "/properties/a/type"},
		{`{"type":"dict","properties":{"a":{"type":["str","null"]}}}`, `{"type":"object","properties":{"a":{"type":["string","null"]}}}`, "/type"},
		{`{"properties":{"a":{"type":"","description":"x"}}}`, `{"properties":{"a":{"description":"x"}}}`, "/properties/a/type"},
		{`{"properties":{"type":{"type":"string","default":"float"}}}`, `{"properties":{"type":{"type":"string","default":"float"}}}`, ""},
		{`{"properties":{"a":{"default":{"type":"float"}}}}`, `{"properties":{"a":{"default":{"type":"float"}}}}`, ""},
		{`{"type":["what"]}`, `{}`, "/type"},
	} {
		s, findings, err := CompileLenient([]byte(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		if diff := cmp.Diff(tt.want, s.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.in, diff)
		}
		switch {
		case tt.finding == "" && len(findings) > 0:
			t.Errorf("%s: %v", tt.in, findings)
		case tt.finding != "" && (len(findings) == 0 || findings[0].Pointer != tt.finding):
			t.Errorf("%s: %v, want one at %s", tt.in, findings, tt.finding)
		}
	}
	for _, in := range []string{`{`, `5`, `{"minimum":"x"}`} {
		if _, _, err := CompileLenient([]byte(in)); err == nil {
			t.Errorf("%s is taken", in)
		}
	}
}
