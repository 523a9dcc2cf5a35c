package skill

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"helve/catalog"
)

var update = flag.Bool("update", false, "write what testdata/rules should say")

// TestRules reads each skill of testdata/rules leniently and strictly. The files say what
// comes of it: below load the skill and its problems, below lint those of Lint.
func TestRules(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/rules/*.txtar")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir, load, lint := unpackRule(t, archive)
			s, problems := Load(dir)
			got := map[string]string{
				"load": describe(s) + shown(dir, problems),
				"lint": shown(dir, Lint(dir)),
			}
			if *update {
				load.Data, lint.Data = []byte(got["load"]), []byte(got["lint"])
				if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want := map[string]string{"load": string(load.Data), "lint": string(lint.Data)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if valid := strings.HasPrefix(filepath.Base(file), "valid_"); valid && s == nil {
				t.Error("a valid skill is not loaded")
			}
		})
	}
}

// unpackRule writes the skill of an archive, whose comment names its folder.
func unpackRule(t *testing.T, archive *txtar.Archive) (dir string, load, lint *txtar.File) {
	t.Helper()
	first, _, _ := strings.Cut(string(archive.Comment), "\n")
	dir = filepath.Join(t.TempDir(), strings.TrimPrefix(first, "folder: "))
	for i, f := range archive.Files {
		switch f.Name {
		case "load":
			load = &archive.Files[i]
		case "lint":
			lint = &archive.Files[i]
		default:
			writeFile(t, filepath.Join(dir, f.Name), string(f.Data), 0o644)
		}
	}
	return dir, load, lint
}

func describe(s *Skill) string {
	if s == nil {
		return "not usable\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", s.Name, brief(s.Description, 80))
	for _, line := range []struct {
		name  string
		value any
		shown bool
	}{
		{"license", s.License, s.License != ""},
		{"compatibility", brief(s.Compatibility, 80), s.Compatibility != ""},
		{"metadata", s.Metadata, s.Metadata != nil},
		{"allowed-tools", fmt.Sprintf("%q", s.AllowedTools), s.AllowedTools != nil},
		{"hidden", s.Hidden, s.Hidden},
		{"tools", len(s.typed), len(s.typed) > 0},
	} {
		if line.shown {
			fmt.Fprintf(&b, "%s: %v\n", line.name, line.value)
		}
	}
	return b.String()
}

// shown are problems as people read them, without the folder that the test made.
func shown(dir string, problems []catalog.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		kind := "error"
		if p.Warning {
			kind = "warning"
		}
		text := strings.ReplaceAll(p.Error(), filepath.ToSlash(dir)+"/", "")
		fmt.Fprintf(&b, "%s: %s\n", kind, strings.ReplaceAll(text, filepath.ToSlash(dir), "DIR"))
	}
	return b.String()
}

func writeFile(t testing.TB, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
