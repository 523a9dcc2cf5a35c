//go:build unix

package wasm

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/sandbox"
)

// shared is a folder to mount, with all that a folder can hold.
func shared(t *testing.T) (dir, secret string) {
	t.Helper()
	top := t.TempDir()
	dir, secret = filepath.Join(top, "shared"), filepath.Join(top, "secret")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, "in", "deep"), 0o755),
		os.WriteFile(secret, []byte("hunter2"), 0o644),
		os.WriteFile(filepath.Join(dir, "in", "file"), []byte("shared"), 0o644),
		os.Symlink("in/file", filepath.Join(dir, "good")),
		os.Symlink("in", filepath.Join(dir, "goodfolder")),
		os.Symlink("../secret", filepath.Join(dir, "out")),
		os.Symlink(secret, filepath.Join(dir, "absolute")),
		os.Symlink("..", filepath.Join(dir, "up")),
		os.Symlink("loop", filepath.Join(dir, "loop")),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir, secret
}

func TestAMountShowsWhatIsInIt(t *testing.T) {
	t.Parallel()
	dir, secret := shared(t)
	spec := sandbox.Spec{ReadOnly: []sandbox.Mount{
		{Source: dir, Target: "/srv/shared"},
		{Source: secret, Target: "/srv/one.txt"},
	}}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"list", "/srv"}, `/srv true <nil>
/srv/one.txt false <nil>
/srv/shared true <nil>
/srv/shared/good false <nil>
/srv/shared/goodfolder true <nil>
/srv/shared/goodfolder/deep true <nil>
/srv/shared/goodfolder/file false <nil>
/srv/shared/in true <nil>
/srv/shared/in/deep true <nil>
/srv/shared/in/file false <nil>
`},
		{[]string{"read", "/srv/shared/good", "/srv/shared/goodfolder/file", "/srv/one.txt"}, `/srv/shared/good: "shared" <nil>
/srv/shared/goodfolder/file: "shared" <nil>
/srv/one.txt: "hunter2" <nil>
`},
		{[]string{"read", "/srv/shared/out", "/srv/shared/absolute", "/srv/shared/up/secret", "/srv/shared/loop", "/srv/shared/pipe", "/srv/shared/../../secret", "/srv/one.txt/x"}, `/srv/shared/out: "" open /srv/shared/out: Permission denied
/srv/shared/absolute: "" open /srv/shared/absolute: Permission denied
/srv/shared/up/secret: "" open /srv/shared/up/secret: Permission denied
/srv/shared/loop: "" open /srv/shared/loop: Permission denied
/srv/shared/pipe: "" open /srv/shared/pipe: Permission denied
/srv/shared/../../secret: "" open /srv/shared/../../secret: No such file or directory
/srv/one.txt/x: "" open /srv/one.txt/x: Not a directory
`},
		{[]string{"write", "/srv/shared/in/file", "x"}, "open /srv/shared/in/file: Read-only file system\n"},
		{[]string{"write", "/srv/shared/new", "x"}, "open /srv/shared/new: Read-only file system\n"},
		{[]string{"write", "/srv/new", "x"}, "open /srv/new: Read-only file system\n"},
		{[]string{"remove", "/srv/shared/in/file"}, "remove /srv/shared/in/file: Read-only file system\n"},
		{[]string{"remove", "/srv/one.txt"}, "remove /srv/one.txt: Read-only file system\n"},
		{[]string{"move", "/srv/one.txt", "/work/x"}, "rename /srv/one.txt /work/x: Read-only file system\n"},
		{[]string{"chtimes", "/srv/one.txt"}, "chtimes /srv/one.txt: Read-only file system\n"},
	} {
		if diff := cmp.Diff(test.want, string(try(t, spec, test.args...).Stdout)); diff != "" {
			t.Errorf("%q: %s", test.args, diff)
		}
	}
	for name, want := range map[string]string{filepath.Join(dir, "in", "file"): "shared", secret: "hunter2"} {
		if data, err := os.ReadFile(name); err != nil || string(data) != want {
			t.Errorf("%s is %q now: %v", name, data, err)
		}
	}
}

func TestTheRootShowsWork(t *testing.T) {
	t.Parallel()
	want := "/ true <nil>\n/a false <nil>\n/tmp true <nil>\n/work true <nil>\n/work/a false <nil>\n"
	if diff := cmp.Diff(want, string(try(t, files("a", "1"), "list", "/").Stdout)); diff != "" {
		t.Error(diff)
	}
}

func TestALargeFolderIsNotRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range mostNodes + 1 {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := try(t, sandbox.Spec{ReadOnly: []sandbox.Mount{{Source: dir, Target: "/many"}}}, "list", "/many")
	want := "/many true <nil>\n/many true readdirent /many: Value too large for defined data type\n"
	if diff := cmp.Diff(want, string(r.Stdout)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCantBeMounted(t *testing.T) {
	t.Parallel()
	dir, _ := shared(t)
	for _, source := range []string{filepath.Join(dir, "none"), filepath.Join(dir, "pipe"), "/dev/null"} {
		spec := files("x.wasm", string(exits(0)))
		spec.Args = []string{"x.wasm"}
		spec.ReadOnly = []sandbox.Mount{{Source: source, Target: "/x"}}
		if r, err := box.Run(t.Context(), spec); !errors.Is(err, sandbox.ErrSpec) {
			t.Errorf("%s: %+v %v", source, r, err)
		}
	}
}
