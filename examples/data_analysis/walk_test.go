// Package dataanalysis_test walks through README.md: it runs each command with
// the offline model and the three tools, and holds the page to what comes out.
package dataanalysis_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"image"
	"image/png"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"helve/agent"
	"helve/builtin/dataanalysis"
	"helve/model/sim"
)

var update = flag.Bool("update", false, "write what comes out into README.md and pictures/")

// command is a prompt on the page with the answer behind it.
var command = regexp.MustCompile("(?s)```sh\nhelve run --agent analyst \"([^\n]*)\"\n```\n\n```text\n(.*?)```\n")

func TestThePageSaysWhatHappens(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	output := t.TempDir()
	ask := analyst(t, output)
	found := 0
	fresh := command.ReplaceAllStringFunc(string(page), func(block string) string {
		found++
		m := command.FindStringSubmatch(block)
		prompt := strings.ReplaceAll(m[1], `\"`, `"`)
		answer := strings.TrimRight(ask(prompt), "\n") + "\n"
		if m[2] != answer && !*update {
			t.Errorf("%s\nanswers\n%s\nand the page says\n%s", prompt, answer, m[2])
		}
		return strings.Replace(block, "```text\n"+m[2], "```text\n"+answer, 1)
	})
	if found < 6 {
		t.Errorf("the page has %d commands", found)
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	samePictures(t, output, string(page))
}

// analyst answers as helve run does in this folder. Its output goes elsewhere.
func analyst(t *testing.T, output string) func(prompt string) string {
	t.Helper()
	var config dataanalysis.Config
	for dir, root := range map[string]**os.Root{"data": &config.Data, output: &config.Output} {
		r, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		*root = r
	}
	tools, err := dataanalysis.Tools(config)
	if err != nil {
		t.Fatal(err)
	}
	server, err := sim.Start(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	client, err := server.Client()
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{Client: client, Tools: tools, MaxIterations: 8})
	if err != nil {
		t.Fatal(err)
	}
	return func(prompt string) string {
		reply, err := a.Run(t.Context(), prompt)
		if err != nil {
			t.Fatalf("%s: %v", prompt, err)
		}
		return reply.Text
	}
}

// samePictures compares the pictures that were made with those that the page
// shows. Machines differ in the last bit of a float, so nearly the same is the same.
func samePictures(t *testing.T, output, page string) {
	t.Helper()
	made, err := filepath.Glob(filepath.Join(output, "*.png"))
	if err != nil || len(made) == 0 {
		t.Fatalf("no picture was made: %v", err)
	}
	for _, from := range made {
		name := filepath.Base(from)
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		kept := filepath.Join("pictures", name)
		if *update {
			if err := os.WriteFile(kept, content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.Contains(page, "(pictures/"+name+")") {
			t.Errorf("the page does not show %s", name)
		}
		want, err := os.ReadFile(kept)
		if err != nil {
			t.Fatal(err)
		}
		if far := difference(t, content, want); far > 0.005 {
			t.Errorf("%s differs in %.2f %% of its pixels from what the tool makes: run go test -update and look at it", kept, 100*far)
		}
	}
}

// difference is the part of the pixels that differ so that it can be seen.
func difference(t *testing.T, a, b []byte) float64 {
	t.Helper()
	if bytes.Equal(a, b) {
		return 0
	}
	var images [2]image.Image
	for i, content := range [][]byte{a, b} {
		decoded, err := png.Decode(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		images[i] = decoded
	}
	bounds := images[0].Bounds()
	if bounds != images[1].Bounds() {
		return 1
	}
	far := 0
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			r0, g0, b0, _ := images[0].At(x, y).RGBA()
			r1, g1, b1, _ := images[1].At(x, y).RGBA()
			if max(apart(r0, r1), apart(g0, g1), apart(b0, b1)) > 0x1000 {
				far++
			}
		}
	}
	return float64(far) / float64(bounds.Dx()*bounds.Dy())
}

func apart(a, b uint32) uint32 { return max(a, b) - min(a, b) }

// The sums that the model reads are those of the file, to the cent.
func TestTheSumsAreRight(t *testing.T) {
	f, err := os.Open("data/sales.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	region, amount := slices.Index(lines[0], "region"), slices.Index(lines[0], "amount")
	sums := map[string]*big.Rat{}
	for _, line := range lines[1:] {
		v, ok := new(big.Rat).SetString(line[amount])
		if !ok {
			t.Fatalf("amount %q", line[amount])
		}
		if sums[line[region]] == nil {
			sums[line[region]] = new(big.Rat)
		}
		sums[line[region]].Add(sums[line[region]], v)
	}
	if len(sums) != 4 || len(lines) < 500 {
		t.Fatalf("%d regions in %d lines", len(sums), len(lines))
	}
	answer := analyst(t, t.TempDir())("SELECT region, SUM(amount) AS total FROM sales GROUP BY region ORDER BY total DESC")
	for name, sum := range sums {
		exact, _ := sum.Float64()
		if want := fmt.Sprint(exact); !regexp.MustCompile(regexp.QuoteMeta(name) + `\D+` + regexp.QuoteMeta(want) + `\b`).MatchString(answer) {
			t.Errorf("the sum of %s is %s; the answer is %s", name, want, answer)
		}
	}
}
