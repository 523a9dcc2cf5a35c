package wasm

import (
	"io"
	"io/fs"
	"slices"

	"github.com/tetratelabs/wazero/experimental/sys"
	wsys "github.com/tetratelabs/wazero/sys"
)

// file is what a guest has open.
type file interface{ sys.File }

// openFile is an open file of a tree.
type openFile struct {
	sys.UnimplementedFile
	tree                   *tree
	node                   *node
	reads, writes, appends bool
	at                     int64
}

func (t *tree) newOpenFile(n *node, flag sys.Oflag) *openFile {
	f := &openFile{
		tree: t, node: n,
		reads:   flag&access != sys.O_WRONLY,
		writes:  flag&access != sys.O_RDONLY,
		appends: flag&sys.O_APPEND != 0,
	}
	n.descriptors++
	t.open[f] = struct{}{}
	return f
}

// closed is what remains of a file that wazero should not ask any more.
func (t *tree) closed(f file) bool {
	_, open := t.open[f]
	return !open
}

// Read reads on.
func (f *openFile) Read(buf []byte) (int, sys.Errno) {
	n, errno := f.Pread(buf, f.at)
	f.at += int64(n)
	return n, errno
}

// Pread reads at an offset.
func (f *openFile) Pread(buf []byte, at int64) (int, sys.Errno) {
	switch {
	case !f.reads || f.tree.closed(f):
		return 0, sys.EBADF
	case at < 0:
		return 0, sys.EINVAL
	case at >= int64(len(f.node.data)):
		return 0, 0
	}
	return copy(buf, f.node.data[at:]), 0
}

// Write writes on, or at the end.
func (f *openFile) Write(buf []byte) (int, sys.Errno) {
	if f.appends {
		f.at = int64(len(f.node.data))
	}
	n, errno := f.Pwrite(buf, f.at)
	f.at += int64(n)
	return n, errno
}

// Pwrite writes at an offset.
func (f *openFile) Pwrite(buf []byte, at int64) (int, sys.Errno) {
	if !f.writes || f.tree.closed(f) {
		return 0, sys.EBADF
	}
	return f.tree.write(f.node, buf, at)
}

// Truncate sets the size.
func (f *openFile) Truncate(size int64) sys.Errno {
	if !f.writes || f.tree.closed(f) {
		return sys.EBADF
	}
	return f.tree.truncate(f.node, size)
}

// Seek sets where reading and writing goes on.
func (f *openFile) Seek(offset distance, whence int) (int64, sys.Errno) {
	if f.tree.closed(f) {
		return 0, sys.EBADF
	}
	at, errno := seek(f.at, int64(len(f.node.data)), offset, whence)
	if errno == 0 {
		f.at = at
	}
	return at, errno
}

// distance is an int64. By that name go vet does not take the Seek that wazero wants for a
// wrong [io.Seeker].
type distance = int64

func seek(at, size, offset int64, whence int) (int64, sys.Errno) {
	switch whence {
	case io.SeekStart:
		at = 0
	case io.SeekCurrent:
	case io.SeekEnd:
		at = size
	default:
		return 0, sys.EINVAL
	}
	if at += offset; at < 0 { // an overflow is negative too: at never is
		return 0, sys.EINVAL
	}
	return at, 0
}

// IsDir says that it is no folder.
func (f *openFile) IsDir() (bool, sys.Errno) { return false, 0 }

// IsAppend says whether it is written at its end.
func (f *openFile) IsAppend() bool { return f.appends }

// SetAppend makes it so.
func (f *openFile) SetAppend(on bool) sys.Errno {
	f.appends = on
	return 0
}

// Stat says what it is.
func (f *openFile) Stat() (wsys.Stat_t, sys.Errno) {
	if f.tree.closed(f) {
		return wsys.Stat_t{}, sys.EBADF
	}
	return f.node.stat(), 0
}

// Dev is the number of the device.
func (f *openFile) Dev() (uint64, sys.Errno) { return 1, 0 }

// Ino is the number of the file.
func (f *openFile) Ino() (wsys.Inode, sys.Errno) { return f.node.ino, 0 }

// Sync has nothing to do.
func (f *openFile) Sync() sys.Errno { return 0 }

// Datasync has nothing to do.
func (f *openFile) Datasync() sys.Errno { return 0 }

// Utimens sets times.
func (f *openFile) Utimens(accessed, modified int64) sys.Errno {
	if f.tree.closed(f) {
		return sys.EBADF
	}
	return f.tree.setTimes(f.node, accessed, modified)
}

// Close gives the descriptor back.
func (f *openFile) Close() sys.Errno {
	if f.tree.closed(f) {
		return sys.EBADF
	}
	delete(f.tree.open, f)
	f.node.descriptors--
	f.node.release()
	return 0
}

// noFile is what a folder does not do. It lies deeper than [sys.DirFile], which goes first.
type noFile struct{ sys.UnimplementedFile }

// openFolder is an open folder of a tree.
type openFolder struct {
	noFile
	sys.DirFile
	tree *tree
	node *node
	last string // that was read; reading goes on after it, whatever comes and goes
}

func (t *tree) newOpenFolder(n *node) *openFolder {
	f := &openFolder{tree: t, node: n}
	n.descriptors++
	t.open[f] = struct{}{}
	return f
}

// Readdir reads on, in the order of names.
func (f *openFolder) Readdir(n int) ([]sys.Dirent, sys.Errno) {
	if f.tree.closed(f) {
		return nil, sys.EBADF
	}
	names := f.names()
	at, found := slices.BinarySearch(names, f.last)
	if found {
		at++
	}
	if names = names[at:]; n > 0 && n < len(names) {
		names = names[:n]
	}
	entries := make([]sys.Dirent, 0, len(names))
	for _, name := range names {
		child := f.node.children[name]
		if child == nil {
			child = f.tree.work.children[name]
		}
		entries = append(entries, child.dirent(name))
		f.last = name
	}
	return entries, 0
}

// names are what is in the folder. The root shows what is in /work besides, as a path
// below it finds that.
func (f *openFolder) names() []string {
	if f.node != f.tree.root {
		return f.node.sorted()
	}
	names := slices.Concat(f.node.sorted(), f.tree.work.sorted())
	slices.Sort(names)
	return slices.Compact(names)
}

func (n *node) dirent(name string) sys.Dirent {
	d := sys.Dirent{Name: name, Ino: n.ino}
	if n.folder() {
		d.Type = fs.ModeDir
	}
	if n.mount != nil {
		if s, errno := n.mount.stat("."); errno == 0 {
			d.Type, d.Ino = s.Mode.Type(), s.Ino
		}
	}
	return d
}

// Seek begins again: it is the one place in a folder that can be gone to.
func (f *openFolder) Seek(offset distance, whence int) (int64, sys.Errno) {
	if f.tree.closed(f) {
		return 0, sys.EBADF
	}
	if offset != 0 || whence != io.SeekStart {
		return 0, sys.EINVAL
	}
	f.last = ""
	return 0, 0
}

// Stat says what it is.
func (f *openFolder) Stat() (wsys.Stat_t, sys.Errno) {
	if f.tree.closed(f) {
		return wsys.Stat_t{}, sys.EBADF
	}
	return f.node.stat(), 0
}

// Dev is the number of the device.
func (f *openFolder) Dev() (uint64, sys.Errno) { return 1, 0 }

// Ino is the number of the folder.
func (f *openFolder) Ino() (wsys.Inode, sys.Errno) { return f.node.ino, 0 }

// Utimens sets times.
func (f *openFolder) Utimens(accessed, modified int64) sys.Errno {
	if f.tree.closed(f) {
		return sys.EBADF
	}
	return f.tree.setTimes(f.node, accessed, modified)
}

// Close gives the descriptor back.
func (f *openFolder) Close() sys.Errno {
	if f.tree.closed(f) {
		return sys.EBADF
	}
	delete(f.tree.open, f)
	f.node.descriptors--
	f.node.release()
	return 0
}
