package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFolderRemove removes what is made to stay: folders without rights, and in one another
// until there is no path to them.
func TestFolderRemove(t *testing.T) {
	t.Parallel()
	f, err := newFolder([]File{{Name: "a/b/c", Data: []byte("x")}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	at, err := unix.Open(f.path, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		if err := unix.Mkdirat(at, strings.Repeat("deep", 20), 0o755); err != nil {
			t.Fatal(err)
		}
		next, err := unix.Openat(at, strings.Repeat("deep", 20), unix.O_RDONLY|unix.O_DIRECTORY, 0)
		if err != nil {
			t.Fatal(err)
		}
		unix.Close(at)
		at = next
	}
	unix.Close(at)
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "stays"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		os.Symlink(outside, filepath.Join(f.path, "out")),
		os.Symlink(outside, filepath.Join(f.path, "a/out")),
		os.Mkdir(filepath.Join(f.path, "a/closed"), 0o755),
		os.WriteFile(filepath.Join(f.path, "a/closed/file"), nil, 0),
		os.Mkdir(filepath.Join(f.path, "a/closed/folder"), 0),
		os.Chmod(filepath.Join(f.path, "a/closed"), 0),
		os.Chmod(filepath.Join(f.path, "a"), 0o500),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := f.remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(f.path); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(outside, "stays")); err != nil {
		t.Errorf("what a link named is gone: %v", err)
	}
}

func TestFolderTakeIsBounded(t *testing.T) {
	t.Parallel()
	f, err := newFolder(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.remove()
	for i := range 50 {
		if err := os.WriteFile(filepath.Join(f.path, fmt.Sprintf("%02d", i)), []byte("ten bytes."), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(f.path, "sparse"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(f.path, "sparse"), 1<<40); err != nil {
		t.Fatal(err)
	}
	taken, left := f.take(Limits{Files: 10, FileBytes: 75})
	names, _ := fs.Glob(taken, "*")
	if !slices.Equal(names, []string{"00", "01", "02", "03", "04", "05", "06"}) {
		t.Errorf("%q", names)
	}
	if len(left) != 21 || left[20] != "and 24 more" {
		t.Errorf("%q", left)
	}
}
