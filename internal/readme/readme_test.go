// Package readme holds the test that keeps README.md true.
package readme

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestTheExampleIsTheOneThatRuns compares the Go code of both pages with the
// program that examples/weather compiles and tests.
func TestTheExampleIsTheOneThatRuns(t *testing.T) {
	t.Parallel()
	_, code, _ := strings.Cut(read(t, "examples/weather/main.go"), "from here …\n")
	code, _, found := strings.Cut(code, "// … to here.")
	if !found {
		t.Fatal("examples/weather/main.go has lost its marks")
	}
	for _, page := range []string{"README.md", "README.zh-CN.md"} {
		_, shown, _ := strings.Cut(read(t, page), "```go\n")
		shown, _, _ = strings.Cut(shown, "```")
		if strings.TrimSpace(shown) != strings.TrimSpace(code) {
			t.Errorf("the example in %s is not that of examples/weather/main.go", page)
		}
	}
}

// TestLinksLead checks that the files which the pages name are there.
func TestLinksLead(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	for _, page := range []string{"README.md", "README.zh-CN.md", "CONTRIBUTING.md", "docs/design.md", "docs/requirements.md", "docs/performance.md"} {
		for _, m := range link.FindAllStringSubmatch(read(t, page), -1) {
			target := filepath.Join("..", "..", filepath.Dir(page), m[1])
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
}
