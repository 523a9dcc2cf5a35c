package wasm

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero/experimental/sys"
)

// The tree does what Linux does: the same steps are taken in a folder of this machine, and
// each says the same. At the end both hold the same, and what was counted is given back.
func FuzzTree(f *testing.F) {
	f.Add([]byte("\x00\x01\x00\x02\x00\x00\x03\x01\x02\x04\x01\x00\x05\x02\x00"))
	f.Add([]byte("\x02\x03\x00\x00\x04\x05\x06\x00\x03\x03\x04\x00\x07\x01\x00\x05\x03\x04"))
	f.Add([]byte("\x00\x00\x01\x01\x00\xff\x03\x00\x00\x01\x00\x10\x08\x00\x00\x06\x00\x03"))
	f.Add([]byte("\x02\x02\x00\x00\x03\x07\x05\x02\x03\x05\x03\x02\x04\x02\x00\x09\x00\x00"))
	f.Fuzz(func(t *testing.T, steps []byte) {
		p := newPair(t)
		for i := 0; i+2 < len(steps) && i < 600; i += 3 {
			p.step(steps[i], steps[i+1], steps[i+2])
		}
		p.compare()
	})
}

// pair is a tree and a folder that should be alike, with what is open in both.
type pair struct {
	*testing.T
	tree  treeFS
	dir   string
	files [3]sys.File
	hosts [3]*os.File
}

const room = 1 << 20

func newPair(t *testing.T) *pair {
	clock := int64(0)
	tree := newTree(room, room, room, func() int64 { clock++; return clock })
	return &pair{T: t, tree: treeFS{tree: tree}, dir: t.TempDir()}
}

var paths = []string{"a", "b", "d", "d/a", "d/e", "d/e/f", "a/x", "d/", "a/", "new/", "d/../b", "d/e/"}

var flags = []struct {
	tree sys.Oflag
	host int
}{
	{sys.O_RDONLY, os.O_RDONLY},
	{sys.O_RDWR | sys.O_CREAT, os.O_RDWR | os.O_CREATE},
	{sys.O_WRONLY | sys.O_CREAT | sys.O_TRUNC, os.O_WRONLY | os.O_CREATE | os.O_TRUNC},
	{sys.O_RDWR | sys.O_CREAT | sys.O_EXCL, os.O_RDWR | os.O_CREATE | os.O_EXCL},
	{sys.O_RDWR | sys.O_APPEND, os.O_RDWR | os.O_APPEND},
	{sys.O_WRONLY, os.O_WRONLY},
	{sys.O_RDONLY | sys.O_DIRECTORY, os.O_RDONLY | syscall.O_DIRECTORY},
}

func (p *pair) step(op, a, b byte) {
	one, two := paths[int(a)%len(paths)], paths[int(b)%len(paths)]
	if one == "d/../b" && op%10 != 6 {
		one = "b" // Linux wants d to be there, wazero takes .. by its letters
	}
	if two == "d/../b" {
		two = "b"
	}
	work, host := "work/"+one, p.dir+"/"+one
	slot := int(a) % len(p.files)
	what := fmt.Sprintf("%d %s %s %d", op%10, one, two, b)
	switch op % 10 {
	case 0:
		p.open(what, slot, work, host, int(b)%len(flags), one)
	case 1:
		p.write(what, slot, b)
	case 2:
		p.same(what, p.tree.Mkdir(work, 0), syscall.Mkdir(host, 0o755))
	case 3:
		p.same(what, p.tree.Unlink(work), syscall.Unlink(host))
	case 4:
		p.same(what, p.tree.Rmdir(work), syscall.Rmdir(host))
	case 5:
		p.same(what, p.tree.Rename(work, "work/"+two), syscall.Rename(host, p.dir+"/"+two))
	case 6:
		p.stat(what, "work/"+two, p.dir+"/"+two)
	case 7:
		p.close(slot)
	case 8:
		p.truncate(what, slot, int64(b)*3)
	case 9:
		p.read(what, slot, b)
	}
}

func (p *pair) same(what string, got sys.Errno, host error) {
	p.Helper()
	if want := sys.UnwrapOSError(host); got != want {
		p.Fatalf("%s: %v; Linux says %v", what, got, host)
	}
}

func (p *pair) open(what string, slot int, work, host string, mode int, one string) {
	p.close(slot)
	file, errno := p.tree.OpenFile(work, flags[mode].tree, 0)
	hostFile, err := os.OpenFile(host, flags[mode].host, 0o644)
	p.same(fmt.Sprintf("open %+v %s", flags[mode], what), errno, err)
	if err == nil {
		p.files[slot], p.hosts[slot] = file, hostFile
	}
}

func (p *pair) close(slot int) {
	if p.files[slot] != nil {
		p.files[slot].Close()
		p.hosts[slot].Close()
		p.files[slot], p.hosts[slot] = nil, nil
	}
}

func (p *pair) folder(slot int) bool {
	folder, _ := p.files[slot].IsDir()
	return folder
}

func (p *pair) write(what string, slot int, b byte) {
	if p.files[slot] == nil || p.folder(slot) {
		return
	}
	data := slices.Repeat([]byte{b | 1}, int(b)%19)
	if b%3 == 0 {
		at, errno := p.files[slot].Seek(int64(b), int(b/3)%3)
		hostAt, err := p.hosts[slot].Seek(int64(b), int(b/3)%3)
		if p.same(what, errno, err); at != hostAt {
			p.Fatalf("%s: sought to %d; Linux to %d", what, at, hostAt)
		}
	}
	n, errno := p.files[slot].Write(data)
	hostN, err := syscall.Write(int(p.hosts[slot].Fd()), data)
	if p.same(what, errno, err); n != max(hostN, 0) {
		p.Fatalf("%s: wrote %d; Linux %d", what, n, hostN)
	}
}

func (p *pair) read(what string, slot int, b byte) {
	if p.files[slot] == nil || p.folder(slot) {
		return
	}
	got, want := make([]byte, b), make([]byte, b)
	if b%2 == 0 {
		n, errno := p.files[slot].Read(got)
		m, err := syscall.Read(int(p.hosts[slot].Fd()), want)
		p.same(what, errno, err)
		got, want = got[:n], want[:max(m, 0)]
	} else {
		n, errno := p.files[slot].Pread(got, int64(b)/2)
		m, err := syscall.Pread(int(p.hosts[slot].Fd()), want, int64(b)/2)
		p.same(what, errno, err)
		got, want = got[:n], want[:max(m, 0)]
	}
	if !slices.Equal(got, want) {
		p.Fatalf("%s: read %q; Linux %q", what, got, want)
	}
}

func (p *pair) truncate(what string, slot int, size int64) {
	if p.files[slot] == nil || p.folder(slot) {
		return
	}
	errno := p.files[slot].Truncate(size)
	err := syscall.Ftruncate(int(p.hosts[slot].Fd()), size)
	if err == syscall.EINVAL && errno == sys.EBADF {
		return // a file that is not open for writing; POSIX allows both
	}
	p.same(what, errno, err)
}

func (p *pair) stat(what, work, host string) {
	got, errno := p.tree.Stat(work)
	want, err := os.Stat(filepath.Clean(host) + trailing(host))
	p.same(what, errno, err)
	if err == nil && (got.Mode.IsDir() != want.IsDir() || !want.IsDir() && got.Size != want.Size()) {
		p.Fatalf("%s: %+v; Linux %v", what, got, want)
	}
}

func trailing(name string) string {
	if name[len(name)-1] == '/' {
		return "/"
	}
	return ""
}

func (p *pair) compare() {
	got, want := map[string]string{}, map[string]string{}
	p.walk("work", got)
	err := filepath.WalkDir(p.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == p.dir {
			return err
		}
		within, _ := filepath.Rel(p.dir, name)
		if e.IsDir() {
			want["work/"+within] = "folder"
			return nil
		}
		data, err := os.ReadFile(name)
		want["work/"+within] = string(data)
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		p.Fatal(diff)
	}
	for slot := range p.files {
		p.close(slot)
	}
	if len(p.tree.open) != 0 {
		p.Fatalf("%d are still open", len(p.tree.open))
	}
	a, bytes := p.tree.work.area, 0
	for _, data := range got {
		if data != "folder" {
			bytes += len(data)
		}
	}
	if a.bytes != int64(room-bytes) || a.nodes != mostNodes-len(got) {
		p.Fatalf("%d bytes and %d nodes are left of %d and %d, with %d and %d in use", a.bytes, a.nodes, room, mostNodes, bytes, len(got))
	}
}

// walk reads a folder in small pieces.
func (p *pair) walk(name string, into map[string]string) {
	folder, errno := p.tree.OpenFile(name, sys.O_RDONLY|sys.O_DIRECTORY, 0)
	if errno != 0 {
		p.Fatal(errno)
	}
	defer folder.Close()
	for {
		entries, errno := folder.Readdir(2)
		if errno != 0 {
			p.Fatal(errno)
		}
		for _, e := range entries {
			at := name + "/" + e.Name
			if e.IsDir() {
				into[at] = "folder"
				p.walk(at, into)
				continue
			}
			file, errno := p.tree.OpenFile(at, sys.O_RDONLY, 0)
			if errno != 0 {
				p.Fatal(errno)
			}
			data := make([]byte, room)
			n, _ := file.Read(data)
			into[at] = string(data[:n])
			file.Close()
		}
		if len(entries) < 2 {
			return
		}
	}
}
