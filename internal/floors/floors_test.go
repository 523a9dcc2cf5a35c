// Package floors holds the test that keeps the house in order: docs/design.md,
// section 2, says which package may know which.
package floors

import (
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// floors gives each package its floor. A package imports only from lower ones.
var floors = map[string]int{
	// The ground knows nothing of helve.
	"helve/internal/excerpt":    -1,
	"helve/internal/jsonc":      -1,
	"helve/internal/jsonobject": -1,
	"helve/internal/jsontext":   -1,
	"helve/internal/nearest":    -1,
	"helve/internal/keylike":    -1,
	"helve/internal/overmcp":    -1,

	"helve/internal/secret":   0,
	"helve/internal/yamlfile": 0,
	"helve/message":           0,
	"helve/schema":            0,

	"helve/internal/httpbody":   1,
	"helve/internal/parameters": 1,
	"helve/session":             1,
	"helve/tool":                1,

	"helve/model":               2,
	"helve/netpolicy":           2,
	"helve/session/sessiontest": 2,
	"helve/tool/args":           2,
	"helve/tool/storetest":      2,
	"helve/tool/tooltest":       2,

	"helve/sandbox/internal/cgroup":   2,
	"helve/sandbox/internal/kept":     2,
	"helve/sandbox/internal/landlock": 2,
	"helve/sandbox/internal/memfs":    2,
	"helve/sandbox/internal/seatbelt": 2,
	"helve/sandbox/internal/seccomp":  2,
	"helve/sandbox/internal/takeout":  2,
	"helve/sandbox/internal/wire":     2,
	"helve/sandbox/internal/jail":     3,

	"helve/database":        3,
	"helve/dialect":         3,
	"helve/executor":        3,
	"helve/gen":             3,
	"helve/model/modeltest": 3,
	"helve/model/openai":    3,

	"helve/agent":                4,
	"helve/builtin":              4,
	"helve/database/postgres":    4,
	"helve/database/sqlite":      4,
	"helve/gofunc/internal/wire": 4,
	"helve/internal/tail":        4,
	"helve/mcp/internal/asked":   4,
	"helve/mcp/internal/mend":    4,
	"helve/mcp/internal/rawjson": 4,
	"helve/model/sim":            4,
	"helve/sandbox":              4,

	"helve/builtin/dataanalysis":   5,
	"helve/catalog":                5,
	"helve/gofunc/serve":           5,
	"helve/mcp/internal/badserver": 5,
	"helve/mcp/internal/oauth":     5,
	"helve/mcp/internal/remote":    5,
	"helve/mcp/internal/rest":      5,
	"helve/mcp/internal/stdio":     5,
	"helve/sandbox/wasm":           5,
	"helve/telemetry":              5,

	"helve/gofunc":    6,
	"helve/httptool":  6,
	"helve/mcp":       6,
	"helve/mcp/serve": 6,
	"helve/script":    6,
	"helve/skill":     6,

	"helve/httptool/openapi":  7,
	"helve/mcp/serve/library": 7,

	"helve/cmd/helve":                               9,
	"helve/e2e":                                     9,
	"helve/e2e/conformance/client":                  9,
	"helve/examples/data_analysis/generate":         9,
	"helve/examples/scripts/tools/script/hash_text": 9,
	"helve/examples/weather":                        9,
	"helve/e2e/conformance/workspace/tools/builtin": 9,
}

// outside lists the modules that a package of the core may import besides the
// standard library. A package that is not here may import any that
// docs/design.md, section 7, names.
var outside = map[string][]string{
	"helve/internal/excerpt":  nil,
	"helve/internal/jsonc":    nil,
	"helve/internal/jsontext": nil,
	"helve/internal/keylike":  nil,
	"helve/internal/nearest":  nil,
	"helve/internal/overmcp":  nil,
	"helve/message":           nil,
	"helve/schema":            {"github.com/invopop/jsonschema", "github.com/santhosh-tekuri/jsonschema/v6", "github.com/pb33f/ordered-map/v2", "golang.org/x/text"},
	"helve/session":           nil,
	"helve/tool":              nil,
	"helve/model":             {"github.com/cenkalti/backoff/v5", "golang.org/x/time/rate"},
	"helve/dialect":           {"go.yaml.in/yaml/v3"},
	"helve/executor":          {"github.com/cenkalti/backoff/v5", "golang.org/x/time/rate", "golang.org/x/sync"},
	"helve/agent":             nil,
}

func TestImportsOnlyGoDown(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for path, imports := range packages(t) {
		floor, known := floors[path]
		if !known {
			t.Errorf("%s has no floor: give it one here and in docs/design.md", path)
			continue
		}
		seen[path] = true
		for _, i := range imports {
			if below, ours := floors[i]; ours && below >= floor {
				t.Errorf("%s (floor %d) imports %s (floor %d)", path, floor, i, below)
			}
		}
	}
	for path := range floors {
		if !seen[path] {
			t.Errorf("%s has a floor and does not exist", path)
		}
	}
}

func TestTheCoreImportsLittle(t *testing.T) {
	t.Parallel()
	found := packages(t)
	for path, allowed := range outside {
		for _, i := range found[path] {
			first, _, _ := strings.Cut(i, "/")
			standard := !strings.Contains(first, ".") && first != "helve"
			if standard || first == "helve" || slices.ContainsFunc(allowed, func(a string) bool { return i == a || strings.HasPrefix(i, a+"/") }) {
				continue
			}
			t.Errorf("%s imports %s: the core is for everybody who compiles it; put what needs a library into a package of its own", path, i)
		}
	}
}

// packages returns the imports of each of our packages, tests left out.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	root := filepath.Join("..", "..")
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if dir != root {
			if name := d.Name(); strings.HasPrefix(name, ".") || name == "testdata" {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				return filepath.SkipDir // another module
			}
		}
		p, err := build.ImportDir(dir, 0)
		if _, empty := err.(*build.NoGoError); empty {
			return nil
		}
		if err != nil {
			return err
		}
		if len(p.GoFiles) == 0 {
			return nil // tests only
		}
		rel, err := filepath.Rel(root, dir)
		found["helve/"+filepath.ToSlash(rel)] = slices.Sorted(slices.Values(p.Imports))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("no packages: the test looks in the wrong place")
	}
	return found
}
