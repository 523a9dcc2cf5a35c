package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"helve/catalog"
)

// TestSchemasArePublished compares schemas/ with what the Go types say now.
// UPDATE_SCHEMAS=1 writes them.
func TestSchemasArePublished(t *testing.T) {
	t.Parallel()
	schemas, err := catalog.Schemas((&app{}).sources()...)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join("..", "..", "schemas")
	if os.Getenv("UPDATE_SCHEMAS") != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for kind, s := range schemas {
			if err := os.WriteFile(filepath.Join(dir, kind+".json"), s, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for kind, s := range schemas {
		published, err := os.ReadFile(filepath.Join(dir, kind+".json"))
		if err != nil || !bytes.Equal(published, s) {
			t.Errorf("schemas/%s.json is not what the types say: UPDATE_SCHEMAS=1 go test ./cmd/helve -run TestSchemasArePublished", kind)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != len(schemas) {
		t.Errorf("there are %d files for the kinds %s", len(files), strings.Join(slices.Sorted(maps.Keys(schemas)), ", "))
	}
}
