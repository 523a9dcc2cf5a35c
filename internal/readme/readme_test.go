// Package readme holds the test that keeps README.md true.
package readme

import (
	"io/fs"
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
	code := regexp.MustCompile("(?ms)^```.*?^```") // a call of a generic function looks like a link
	for _, page := range []string{"README.md", "README.zh-CN.md", "CONTRIBUTING.md", "docs/design.md", "docs/requirements.md", "docs/performance.md", "docs/dialects.md", "docs/agents.md", "docs/tool_sets.md", "docs/workspace.md", "docs/state.md", "docs/native_tools.md", "docs/telemetry.md", "docs/data_analysis.md", "docs/go_tools.md", "docs/mcp.md", "docs/sandbox.md", "docs/scripts.md", "docs/skills.md"} {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(read(t, page), ""), -1) {
			target := filepath.Join("..", "..", filepath.Dir(page), m[1])
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
}

// TestTheRequirementsMapIsTrue looks for every test and scenario that
// docs/requirements.md names.
func TestTheRequirementsMapIsTrue(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/requirements.md")
	have := testNames(t)
	named := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(page, -1)
	if len(named) < 30 {
		t.Fatalf("the page names %d tests", len(named))
	}
	for _, name := range named {
		if !have[name] {
			t.Errorf("docs/requirements.md names %s, which does not exist", name)
		}
	}
	for _, m := range regexp.MustCompile(`(txtar|script) ([a-z0-9_, \n]+)`).FindAllStringSubmatch(page, -1) {
		dir := map[string]string{"txtar": "agent/testdata", "script": "cmd/helve/testdata/script"}[m[1]]
		for name := range strings.SplitSeq(m[2], ",") {
			if name = strings.TrimSpace(name); name == "" || strings.Contains(name, " ") {
				continue // prose
			}
			if _, err := os.Stat(filepath.Join("..", "..", dir, name+".txtar")); err != nil {
				t.Errorf("docs/requirements.md names the scenario %s: %v", name, err)
			}
		}
	}
}

// testNames returns the names of all test functions.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(data, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
