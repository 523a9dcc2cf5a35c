package wasm

import (
	"errors"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/experimental/sys"
	wsys "github.com/tetratelabs/wazero/sys"

	"helve/sandbox"
)

// mostHostFile is the most bytes of a file of this machine that can be read.
const mostHostFile = 1 << 30

// mount is a folder or file of this machine, read-only. wazero's own mounts of folders are
// not used: they follow a symbolic link out of the folder. All ways here go through an
// os.Root, which does not, and only to regular files and folders: what is behind a link is
// shown as what it is, and a link that leads out as nothing.
type mount struct {
	root *os.Root
	file string // in root, that alone is shown; or ""
}

// openMount opens what a Spec names.
func openMount(source string) (*mount, error) {
	real, err := filepath.EvalSymlinks(source)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil, err
	}
	m := &mount{}
	switch {
	case info.IsDir():
	case info.Mode().IsRegular():
		real, m.file = filepath.Dir(real), filepath.Base(real)
	default:
		return nil, errors.New("it is no regular file and no folder")
	}
	if m.root, err = os.OpenRoot(real); err != nil {
		return nil, err
	}
	return m, nil
}

// mountAll puts the mounts of a spec into the tree. What they opened is closed with it.
func (t *tree) mountAll(mounts []sandbox.Mount) (closeAll func(), err error) {
	var opened []*mount
	closeAll = func() {
		for _, m := range opened {
			m.root.Close()
		}
	}
	for _, m := range mounts {
		source, err := openMount(m.Source)
		if err != nil {
			closeAll()
			return nil, specError("the source %.100q of a read-only mount can't be had: %w", m.Source, err)
		}
		opened = append(opened, source)
		n := t.root
		parts := strings.Split(m.At()[1:], "/")
		for _, part := range parts[:len(parts)-1] {
			if n.children[part] == nil {
				n.put(part, t.newFolder(nil))
			}
			n = n.children[part]
		}
		leaf := t.newNode(nil)
		leaf.mount = source
		n.put(parts[len(parts)-1], leaf)
	}
	return closeAll, nil
}

// inRoot is the path in the root of a path in the mount.
func (m *mount) inRoot(within string) (string, sys.Errno) {
	if m.file == "" {
		return filepath.FromSlash(within), 0
	}
	if within != "." {
		return "", sys.ENOTDIR
	}
	return m.file, 0
}

func (m *mount) stat(within string) (wsys.Stat_t, sys.Errno) {
	name, errno := m.inRoot(within)
	if errno != 0 {
		return wsys.Stat_t{}, errno
	}
	info, err := m.root.Stat(name)
	if err != nil {
		return wsys.Stat_t{}, hostErrno(err)
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return wsys.Stat_t{}, sys.EACCES
	}
	at := info.ModTime().UnixNano()
	s := wsys.Stat_t{Dev: 2, Ino: m.ino(within), Nlink: 1, Mode: 0o444, Size: info.Size(), Atim: at, Mtim: at, Ctim: at}
	if info.IsDir() {
		s.Mode, s.Size = fs.ModeDir|0o555, 0
	}
	return s, 0
}

// ino is a number for a path. That of this machine's disk is none of a guest's business.
func (m *mount) ino(within string) wsys.Inode {
	h := fnv.New64a()
	io.WriteString(h, m.root.Name()+"\x00"+m.file+"\x00"+within)
	return h.Sum64() | 1
}

// hostErrno says what this machine said, without saying much of it.
func hostErrno(err error) sys.Errno {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return sys.ENOENT
	case notFolder(err):
		return sys.ENOTDIR
	}
	return sys.EACCES
}

func (t *tree) openHost(m *mount, within string, wantFolder bool) (sys.File, sys.Errno) {
	stat, errno := m.stat(within)
	if errno != 0 {
		return nil, errno
	}
	if stat.Mode.IsDir() {
		f := &hostFolder{tree: t, mount: m, within: within, stat: stat}
		t.open[f] = struct{}{}
		return f, 0
	}
	if wantFolder {
		return nil, sys.ENOTDIR
	}
	if stat.Size > mostHostFile {
		return nil, t.refuse(tooBig)
	}
	name, _ := m.inRoot(within)
	// It was a regular file just now; should it be a pipe, opening it does not wait.
	data, err := m.root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, hostErrno(err)
	}
	if info, err := data.Stat(); err != nil || !info.Mode().IsRegular() {
		data.Close()
		return nil, sys.EACCES
	}
	f := &hostFile{tree: t, stat: stat, data: data}
	t.open[f] = struct{}{}
	return f, 0
}

// hostFile is an open file of this machine.
type hostFile struct {
	sys.UnimplementedFile
	tree *tree
	stat wsys.Stat_t
	data *os.File
	at   int64
}

// Read reads on.
func (f *hostFile) Read(buf []byte) (int, sys.Errno) {
	n, errno := f.Pread(buf, f.at)
	f.at += int64(n)
	return n, errno
}

// Pread reads at an offset.
func (f *hostFile) Pread(buf []byte, at int64) (int, sys.Errno) {
	if at < 0 {
		return 0, sys.EINVAL
	}
	if at >= mostHostFile {
		return 0, 0
	}
	n, err := f.data.ReadAt(buf[:min(int64(len(buf)), mostHostFile-at)], at)
	if err != nil && !errors.Is(err, io.EOF) {
		return n, sys.EIO
	}
	return n, 0
}

// Seek sets where reading goes on.
func (f *hostFile) Seek(offset distance, whence int) (int64, sys.Errno) {
	at, errno := seek(f.at, f.stat.Size, offset, whence)
	if errno == 0 {
		f.at = at
	}
	return at, errno
}

// Write is refused.
func (f *hostFile) Write([]byte) (int, sys.Errno) { return 0, sys.EBADF }

// Pwrite is refused.
func (f *hostFile) Pwrite([]byte, int64) (int, sys.Errno) { return 0, sys.EBADF }

// Truncate is refused.
func (f *hostFile) Truncate(int64) sys.Errno { return sys.EBADF }

// Utimens is refused.
func (f *hostFile) Utimens(int64, int64) sys.Errno { return sys.EROFS }

// SetAppend changes nothing: nothing is written.
func (f *hostFile) SetAppend(bool) sys.Errno { return 0 }

// Stat says what it was when it was opened.
func (f *hostFile) Stat() (wsys.Stat_t, sys.Errno) { return f.stat, 0 }

// Dev is the number of the device.
func (f *hostFile) Dev() (uint64, sys.Errno) { return f.stat.Dev, 0 }

// Ino is the number of the file.
func (f *hostFile) Ino() (wsys.Inode, sys.Errno) { return f.stat.Ino, 0 }

// Close gives the descriptor back.
func (f *hostFile) Close() sys.Errno {
	delete(f.tree.open, f)
	if f.data.Close() != nil {
		return sys.EIO
	}
	return 0
}

// hostFolder is an open folder of this machine. It holds none of its descriptors.
type hostFolder struct {
	noFile
	sys.DirFile
	tree    *tree
	mount   *mount
	within  string
	stat    wsys.Stat_t
	entries []sys.Dirent // that are not read yet
	read    bool
}

// Readdir reads on, in the order of names.
func (f *hostFolder) Readdir(n int) ([]sys.Dirent, sys.Errno) {
	if !f.read {
		entries, errno := f.list()
		if errno != 0 {
			return nil, errno
		}
		f.entries, f.read = entries, true
	}
	if n <= 0 || n > len(f.entries) {
		n = len(f.entries)
	}
	taken := f.entries[:n:n]
	f.entries = f.entries[n:]
	return taken, 0
}

func (f *hostFolder) list() ([]sys.Dirent, sys.Errno) {
	name, _ := f.mount.inRoot(f.within)
	folder, err := f.mount.root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, hostErrno(err)
	}
	defer folder.Close()
	found, err := folder.ReadDir(mostNodes + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, hostErrno(err)
	}
	if len(found) > mostNodes {
		return nil, f.tree.refuse(tooMany)
	}
	entries := make([]sys.Dirent, 0, len(found))
	for _, e := range found {
		within := path.Join(f.within, e.Name())
		if stat, errno := f.mount.stat(within); errno == 0 {
			entries = append(entries, sys.Dirent{Name: e.Name(), Ino: stat.Ino, Type: stat.Mode.Type()})
		}
	}
	slices.SortFunc(entries, func(a, b sys.Dirent) int { return strings.Compare(a.Name, b.Name) })
	return entries, 0
}

// Seek begins again.
func (f *hostFolder) Seek(offset distance, whence int) (int64, sys.Errno) {
	if offset != 0 || whence != io.SeekStart {
		return 0, sys.EINVAL
	}
	f.read = false
	return 0, 0
}

// Utimens is refused.
func (f *hostFolder) Utimens(int64, int64) sys.Errno { return sys.EROFS }

// Stat says what it is.
func (f *hostFolder) Stat() (wsys.Stat_t, sys.Errno) { return f.stat, 0 }

// Dev is the number of the device.
func (f *hostFolder) Dev() (uint64, sys.Errno) { return f.stat.Dev, 0 }

// Ino is the number of the folder.
func (f *hostFolder) Ino() (wsys.Inode, sys.Errno) { return f.stat.Ino, 0 }

// Close gives the descriptor back.
func (f *hostFolder) Close() sys.Errno {
	delete(f.tree.open, f)
	return 0
}
