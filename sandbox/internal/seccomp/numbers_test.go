//go:build linux

package seccomp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestNumbers compares both tables with the source of package unix.
func TestNumbers(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		t.Skip("no go command to ask where golang.org/x/sys is: ", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "unix")
	for name, a := range arches {
		source := systemCalls(t, filepath.Join(dir, "zsysnum_linux_"+name+".go"))
		for _, c := range a.calls {
			if number, ok := source[c.name]; !ok || number != c.number {
				t.Errorf("%s: %s is %d, and %d in package unix", name, c.name, c.number, number)
			}
			delete(source, c.name)
		}
		if !slices.IsSortedFunc(a.calls, func(x, y call) int { return int(x.number) - int(y.number) }) {
			t.Errorf("%s: the table is out of order", name)
		}
		// A name that the policy has and the table lacks would be unknown to the filter.
		for _, r := range policy(Options{Reduced: true}) {
			for call := range strings.FieldsSeq(r.calls) {
				if number, ok := source[call]; ok {
					t.Errorf("%s: %s (%d) is in the policy and not in the table", name, call, number)
				}
			}
		}
	}
}

// TestNamesAreCalls finds a name that is misspelled: amd64 has them all.
func TestNamesAreCalls(t *testing.T) {
	t.Parallel()
	a := x86_64()
	seen := map[string]bool{}
	for _, r := range []rule{refused(), allowed()} {
		for name := range strings.FieldsSeq(r.calls) {
			if _, ok := a.number(name); !ok {
				t.Errorf("%s is no call", name)
			}
			if seen[name] {
				t.Errorf("%s is listed twice", name)
			}
			seen[name] = true
		}
	}
	for _, r := range policy(Options{Reduced: true}) {
		for name := range strings.FieldsSeq(r.calls) {
			if _, ok := a.number(name); !ok {
				t.Errorf("%s is no call", name)
			}
		}
	}
}

func systemCalls(t *testing.T, path string) map[string]uint32 {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]uint32{}
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			name, ours := strings.CutPrefix(v.Names[0].Name, "SYS_")
			number, err := strconv.ParseUint(v.Values[0].(*ast.BasicLit).Value, 10, 32)
			if ours && err == nil {
				calls[strings.ToLower(name)] = uint32(number)
			}
		}
		return true
	})
	if len(calls) < 300 {
		t.Fatalf("%s: %d calls", path, len(calls))
	}
	return calls
}
