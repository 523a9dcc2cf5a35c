package sandbox

import (
	"os"
	"strings"
	"testing"
)

// TestThePageTellsOfEachAttack compares the tables of docs/sandbox.md with the attacks: it
// tells of each, of no other, and what is right.
func TestThePageTellsOfEachAttack(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/sandbox.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(page), "\n## What was tried\n")
	told := map[string]string{}
	for line := range strings.Lines(tables) {
		cells := strings.Split(strings.ReplaceAll(strings.TrimSpace(line), `\|`, ""), " | ")
		if name, isRow := strings.CutPrefix(cells[0], "| "); isRow && len(cells) == 3 && name != "attack" {
			told[name] = strings.TrimSuffix(cells[2], " |")
		}
	}
	attacks := map[string]bool{}
	for _, p := range quiet {
		name := p.name
		if p.bite {
			name += " *"
		}
		attacks[name] = true
		if want := inWords(p.want); told[name] != want {
			t.Errorf("the page says of %q that it gets %q, and it must get %q", name, told[name], want)
		}
	}
	for _, w := range []way{{}, {cgroup: true}} {
		for _, v := range violentCases(w) {
			attacks[v.name] = true
			if told[v.name] == "" {
				t.Errorf("the page does not tell of %q", v.name)
			}
		}
	}
	for name := range told {
		if !attacks[name] {
			t.Errorf("the page tells of %q, which is not tried", name)
		}
	}
}

// inWords is what is right, as the page says it.
func inWords(want string) string {
	var words []string
	for w := range strings.SplitSeq(want, "|") {
		switch w {
		case "ok":
			w = "it works"
		case "exit":
			w = "it fails"
		default:
			w = "`" + w + "`"
		}
		words = append(words, w)
	}
	return strings.Join(words, ", ")
}
