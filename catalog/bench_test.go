package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// many makes a workspace of n tools, a set for each ten, and an agent with all sets.
func many(tb testing.TB, n int) string {
	dir := tb.TempDir()
	file := func(path, text string) {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	agent := "name: all\ntool_sets:\n"
	for i := range n {
		file(fmt.Sprintf("tools/plain/t%d.yaml", i), fmt.Sprintf("name: tool_%d\ndescription: Does thing number %d.\nanswer: \"%d\"\n", i, i, i))
		if i%10 == 0 {
			file(fmt.Sprintf("tool_sets/s%d.yaml", i), fmt.Sprintf("name: set_%d\ntools: [tool_%d, \"tool_%d*\"]\n", i, i, i))
			agent += fmt.Sprintf("  - set_%d\n", i)
		}
	}
	file("agents/all.yaml", agent)
	return dir
}

// TestTwoThousandTools are listed in the same order whenever they are loaded.
func TestTwoThousandTools(t *testing.T) {
	t.Parallel()
	dir := many(t, 2000)
	c := mustLoad(t, options(dir))
	if p := problems(c); p != nil {
		t.Fatal(p)
	}
	first := toolNames(c.Tools())
	if n := len(c.Tools()); n != 2001 {
		t.Errorf("got %d tools", n)
	}
	var names []string
	for _, x := range c.Tools() {
		names = append(names, x.Definition().Name)
	}
	if !slices.IsSorted(names) || toolNames(mustLoad(t, options(dir)).Tools()) != first {
		t.Error("the order is not stable")
	}
}

// BenchmarkLoad shows that the time grows as the number of tools does.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{125, 500, 2000, 8000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := many(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Load(b.Context(), options(dir)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/tool")
		})
	}
}
