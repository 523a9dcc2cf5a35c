//go:build unix

package wasm

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func withCache(t *testing.T, dir string) *Runtime {
	t.Helper()
	r, err := New(t.Context(), Options{CacheDir: dir, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func exitOf(t *testing.T, r *Runtime, m []byte) int {
	t.Helper()
	spec := files("x.wasm", string(m))
	spec.Args = []string{"x.wasm"}
	result, err := r.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return result.ExitCode
}

// entries are the files of machine code in a cache.
func entries(t *testing.T, dir string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && e.Name() != sealName {
			found = append(found, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestCodeIsKeptOnDisk(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache")
	if code := exitOf(t, withCache(t, dir), exits(5)); code != 5 {
		t.Fatal(code)
	}
	kept := entries(t, dir)
	if len(kept) != 1 {
		t.Fatalf("%q", kept)
	}
	before, err := os.Stat(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	if code := exitOf(t, withCache(t, dir), exits(5)); code != 5 {
		t.Error(code)
	}
	if after, err := os.Stat(kept[0]); err != nil || !os.SameFile(before, after) {
		t.Errorf("it was compiled again: %v", err)
	}
}

// The code of a module that exits with 6 is put in the place of one that exits with 5, and
// other harm is done: what is not as it was kept never runs.
func TestPoisonedCodeDoesNotRun(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(t *testing.T, dir, entry, other string){
		"another's code": func(t *testing.T, _, entry, other string) {
			data, err := os.ReadFile(other)
			must(t, err)
			must(t, os.WriteFile(entry, data, 0o600))
		},
		"a link to another's code": func(t *testing.T, _, entry, other string) {
			must(t, os.Remove(entry))
			must(t, os.Symlink(other, entry))
		},
		"a bit of an offset": func(t *testing.T, _, entry, _ string) {
			data, err := os.ReadFile(entry)
			must(t, err)
			at := len(data)
			for i := range 8 { // of the first function's, after the header: wazero's sum is of the rest
				if at = 6 + 1 + int(data[6]) + 4 + i; data[at] != 0 {
					break
				}
			}
			data[at] ^= 0x40
			must(t, os.WriteFile(entry, data, 0o600))
		},
		"half a file":   func(t *testing.T, _, entry, _ string) { must(t, os.Truncate(entry, 40)) },
		"an empty file": func(t *testing.T, _, entry, _ string) { must(t, os.Truncate(entry, 0)) },
		"no sum": func(t *testing.T, dir, entry, other string) {
			data, err := os.ReadFile(other)
			must(t, err)
			must(t, os.WriteFile(entry, data, 0o600))
			must(t, os.Remove(filepath.Join(dir, sealName)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "cache")
			exitOf(t, withCache(t, dir), exits(6))
			other := entries(t, dir)[0]
			exitOf(t, withCache(t, dir), exits(5))
			for _, entry := range entries(t, dir) {
				if entry != other {
					harm(t, filepath.Dir(filepath.Dir(entry)), entry, other)
				}
			}
			if code := exitOf(t, withCache(t, dir), exits(5)); code != 5 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestACacheMustBePrivate(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	for name, test := range map[string]struct {
		parent, dir fs.FileMode
		want        string
	}{
		"private":          {0o755, 0o700, ""},
		"readable":         {0o755, 0o750, "chmod 700"},
		"writable":         {0o755, 0o777, "chmod 700"},
		"in a shared one":  {0o777, 0o700, "others can write to the folder"},
		"in a sticky one":  {0o777 | fs.ModeSticky, 0o700, ""},
		"in a group's one": {0o775, 0o700, "others can write to the folder"},
	} {
		dir := filepath.Join(top, strings.ReplaceAll(name, " ", "-"), "cache")
		must(t, os.MkdirAll(dir, 0o700))
		must(t, os.Chmod(dir, test.dir))
		must(t, os.Chmod(filepath.Dir(dir), test.parent))
		r, err := New(t.Context(), Options{CacheDir: dir})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			must(t, r.Close())
		}
	}
}

func TestOldCodeIsRemoved(t *testing.T) {
	t.Parallel()
	d := &disk{t.TempDir()}
	for i := range mostOnDisk + 3 {
		dir := filepath.Join(d.dir, digestOf([]byte{byte(i)}))
		must(t, os.MkdirAll(dir, 0o700))
		must(t, os.WriteFile(filepath.Join(dir, sealName), nil, 0o600))
		at := time.Unix(int64(1000+i), 0)
		must(t, os.Chtimes(filepath.Join(dir, sealName), at, at))
	}
	d.prune()
	left, err := os.ReadDir(d.dir)
	must(t, err)
	if len(left) != mostOnDisk {
		t.Errorf("%d are left", len(left))
	}
	if _, err := os.Stat(filepath.Join(d.dir, digestOf([]byte{2}))); err == nil {
		t.Error("the third, of 67, is still there")
	}
}

func TestModulesThatNobodyRunsAreLetGo(t *testing.T) {
	t.Parallel()
	r := withCache(t, "")
	for i := range mostKept + 4 {
		if code := exitOf(t, r, exits(byte(i))); code != i {
			t.Fatal(code)
		}
	}
	if n := len(r.cache.modules); n != mostKept {
		t.Errorf("%d are kept", n)
	}
	if r.cache.modules[digestOf(exits(3))] != nil || r.cache.modules[digestOf(exits(4))] == nil {
		t.Error("it is not those that were used last")
	}
}
