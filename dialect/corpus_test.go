package dialect

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What fuzzing found interesting is kept in testdata/corpus, one file a target: a
// line an input, its arguments as Go writes them. After a long run
//
//	go test ./dialect -run SaveCorpus -corpus $(go env GOCACHE)/fuzz/helve/dialect
//
// takes over what the run's cache holds.

var corpusCache = flag.String("corpus", "", "a fuzz cache whose inputs are to be kept")

// corpusTargets are the fuzz tests of the promises.
var corpusTargets = []string{"FuzzEveryCut", "FuzzValues", "FuzzHalfACall", "FuzzNothingIsHeld"}

func TestSaveCorpus(t *testing.T) {
	if *corpusCache == "" {
		t.Skip("no -corpus given")
	}
	for _, target := range corpusTargets {
		files, err := filepath.Glob(filepath.Join(*corpusCache, target, "*"))
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			values := strings.Split(strings.TrimSpace(string(data)), "\n")[1:] // behind the version
			lines = append(lines, strings.Join(values, "\t")+"\n")
		}
		slices.Sort(lines)
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := io.WriteString(w, strings.Join(slices.Compact(lines), "")); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(corpusFile(target), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d inputs", target, len(lines))
	}
}

func corpusFile(target string) string {
	return filepath.Join("testdata", "corpus", target+".txt.gz")
}

// addCorpus gives a fuzz test the inputs that are kept for it.
func addCorpus(f *testing.F, target string) {
	f.Helper()
	data, err := os.ReadFile(corpusFile(target))
	if err != nil {
		f.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		f.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var values []any
		for _, v := range strings.Split(strings.TrimSuffix(line, "\n"), "\t") {
			values = append(values, corpusValue(f, v))
		}
		f.Add(values...)
	}
}

// corpusValue reads one argument: byte('x'), uint64(5), uint16(5) or string("…").
func corpusValue(f *testing.F, s string) any {
	f.Helper()
	kind, inner, ok := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	if !ok {
		f.Fatalf("the corpus holds %q", s)
	}
	switch kind {
	case "string":
		if text, err := strconv.Unquote(inner); err == nil {
			return text
		}
	case "byte":
		if r, _, _, err := strconv.UnquoteChar(inner[1:len(inner)-1], '\''); err == nil {
			return uint8(r)
		}
	case "uint16", "uint64":
		n, err := strconv.ParseUint(inner, 10, 64)
		if err == nil && kind == "uint16" {
			return uint16(n)
		}
		if err == nil {
			return n
		}
	}
	f.Fatalf("the corpus holds %q", s)
	return nil
}
