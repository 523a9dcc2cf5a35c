package badserver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// fault is the words that a server was told.
type fault map[string]string

// known are the words of doc.go.
var known = strings.Fields(`
	discover hang hang-discover list-hang list-error
	endless-pages repeating-cursor tools-5000 duplicate-names odd-names
	schema-null schema-true schema-array schema-recursive schema-huge schema-missing description-huge
	list-changed-burst rug-pull elicit-out-of-the-blue
	flood wrong-jsonrpc unknown-id batch string-ids

	exit exit-on-discover banner grandchild ignore-eof ignore-term stderr-flood never-reads

	json status key html html-discover redirect-302 redirect-307 redirect-same session-lost get-405 get-closed
	legacy-sse rest slow-headers gzip content-type stale

	orphan`) // orphan is the process that grandchild leaves behind

func parse(words string) fault {
	f := fault{}
	for _, w := range strings.FieldsFunc(words, func(r rune) bool { return r == '+' }) {
		name, value, _ := strings.Cut(w, "=")
		if !slices.Contains(known, name) {
			panic(fmt.Sprintf("badserver: no fault is named %q: see doc.go", name))
		}
		f[name] = value
	}
	return f
}

func (f fault) has(word string) bool {
	_, ok := f[word]
	return ok
}

// number returns the value of a word, and 0 if it has none.
func (f fault) number(word string) int {
	n, err := strconv.Atoi(f[word])
	if err != nil && f.has(word) {
		panic(fmt.Sprintf("badserver: %s wants a number, as in %s=2, not %q", word, word, f[word]))
	}
	return n
}
