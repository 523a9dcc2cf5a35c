package httptool_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"helve/catalog"
	"helve/httptool"
	"helve/netpolicy"
)

// BenchmarkLoad reads a workspace of 2,000 tools.
func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "tools", "native"), 0o755); err != nil {
		b.Fatal(err)
	}
	for i := range 2000 {
		text := fmt.Sprintf(`name: tool_%d
description: Look up thing number %d.
api_url: https://api.example.com/things/{id}
auth_method: bearer
token: ${TOKEN:-x}
parameters:
  id: {type: integer, required: true, minimum: 1, description: The number.}
  lang: {type: string, enum: [en, zh], default: en}
response:
  select: $.thing
  fields: [a, b]
`, i, i)
		if err := os.WriteFile(filepath.Join(dir, "tools", "native", fmt.Sprintf("t%d.yaml", i)), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	options := catalog.Options{Dir: dir, Sources: []catalog.Source{httptool.Source(netpolicy.Policy{})}}
	b.ReportAllocs()
	for b.Loop() {
		c, err := catalog.Load(b.Context(), options)
		if err != nil || len(c.Tools()) != 2000 || len(c.Problems()) > 0 {
			b.Fatal(err, len(c.Tools()), c.Problems()[:1])
		}
	}
}
