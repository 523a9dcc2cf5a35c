package sandbox

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// reducedQuiet are the outcomes that are other ones without namespaces.
var reducedQuiet = map[string]string{}

func TestReducedEscape(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{Level: Reduced, NoCgroup: true})
	tg, untouched := house(t)
	data, _ := json.Marshal(tg)
	r, err := s.Run(t.Context(), Spec{
		Args:     []string{attacker, "attack", string(data)},
		ReadOnly: []Mount{{Source: filepath.Dir(attacker)}, {Source: tg.ReadOnly}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.ExitCode != 0 {
		t.Fatalf("%+v\n%s", r, r.Stderr)
	}
	got := outcomes(t, r.Stdout)
	for _, p := range quiet {
		want, ok := reducedQuiet[p.name]
		if !ok {
			want = p.want
		}
		if !slices.Contains(strings.Split(want, "|"), got[p.name]) {
			t.Errorf("%s: got %q, want %s", p.name, got[p.name], want)
		}
	}
	untouched(t)
	_ = os.Getpid
}
