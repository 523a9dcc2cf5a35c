package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const good = "-- tools/plain/good.yaml --\nname: good\nanswer: fine\n"

// TestHostileFiles: whatever lies in the folder, the rest is loaded and nothing blocks.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(outside, []byte("name: secret\nanswer: s\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		make func(path string) error
		want string // "" is no problem
	}{
		{"link that leads out", func(p string) error { return os.Symlink(outside, p) }, "tools/plain/x.yaml: a symbolic link leads out of the workspace: copy the file"},
		{"link to itself", func(p string) error { return os.Symlink("x.yaml", p) }, "tools/plain/x.yaml: symbolic links lead round in a circle"},
		{"link to nothing", func(p string) error { return os.Symlink("none", p) }, ""},
		{"link to a good file", func(p string) error { return os.Symlink("good.yaml", p) }, "tools/plain/x.yaml:1: the tool good is defined in tools/plain/good.yaml:1 already, which counts: rename one of them if that is not meant"},
		{"named pipe", func(p string) error { return syscall.Mkfifo(p, 0o600) }, "tools/plain/x.yaml: this is not a regular file"},
		{"folder", func(p string) error { return os.Mkdir(p, 0o700) }, "tools/plain/x.yaml: this is a folder"},
		{"too long", func(p string) error { return os.Truncate(create(p), 5<<20) }, "tools/plain/x.yaml: the file is"},
		{"sparse and huge", func(p string) error { return os.Truncate(create(p), 1<<40) }, "tools/plain/x.yaml: the file is"},
		{"not text", func(p string) error { return os.WriteFile(p, []byte("\x00\xff\xfe"), 0o600) }, "tools/plain/x.yaml:1: the file is not UTF-8: save it as UTF-8"},
		{"a folder of folders that circle", func(p string) error { return os.Symlink("..", filepath.Join(filepath.Dir(p), "loop")) }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := write(t, good)
			if err := test.make(filepath.Join(dir, "tools", "plain", "x.yaml")); err != nil {
				t.Fatal(err)
			}
			c := mustLoad(t, options(dir))
			got := strings.Join(problems(c), "\n")
			got = strings.TrimPrefix(got, "warning: ")
			if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if _, ok := c.Tool("good"); !ok {
				t.Error("the good tool is lost")
			}
		})
	}
}

func create(path string) string {
	f, err := os.Create(path)
	if err == nil {
		f.Close()
	}
	return path
}

// TestUnreadableFile is of no use to root, who may read all.
func TestUnreadableFile(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may read every file")
	}
	dir := write(t, good+"-- tools/plain/x.yaml --\nname: x\nanswer: y\n")
	if err := os.Chmod(filepath.Join(dir, "tools/plain/x.yaml"), 0); err != nil {
		t.Fatal(err)
	}
	if got := problems(mustLoad(t, options(dir))); len(got) != 1 || got[0] != "tools/plain/x.yaml: this file may not be read" {
		t.Errorf("got %q", got)
	}
}

// TestManyFiles has more files than are read.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("writes 10,001 files")
	}
	dir := write(t, good)
	for i := range maxFiles {
		if err := os.WriteFile(filepath.Join(dir, "tools", "plain", fmt.Sprintf("z%05d.yaml", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := mustLoad(t, options(dir))
	found := false
	for _, p := range c.problems {
		found = found || strings.Contains(p.Error(), "the workspace holds 10001 files of this kind, and at most 10000 are read: move some")
	}
	if _, ok := c.Tool("good"); !ok || !found {
		t.Error("the limit is not told, or the good tool is lost")
	}
}

// TestVanishing reads a workspace while its files come and go.
func TestVanishing(t *testing.T) {
	t.Parallel()
	dir := write(t, good)
	path := filepath.Join(dir, "tools", "plain", "x.yaml")
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				os.WriteFile(path, []byte("name: x\nanswer: y\n"), 0o600)
				os.Remove(path)
			}
		}
	}()
	for range 200 {
		c := mustLoad(t, options(dir))
		for _, p := range problems(c) {
			if p != "tools/plain/x.yaml:1:1: name is missing" && p != "tools/plain/x.yaml:1:1: answer is missing" { // read between open and write
				t.Error(p)
			}
		}
		if _, ok := c.Tool("good"); !ok {
			t.Error("the good tool is lost")
		}
	}
	close(stop)
	<-done
}
