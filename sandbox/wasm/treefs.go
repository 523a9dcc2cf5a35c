package wasm

import (
	"io/fs"

	"github.com/tetratelabs/wazero/experimental/sys"
	wsys "github.com/tetratelabs/wazero/sys"
)

// treeFS shows a tree to wazero. What it does not have is not supported: permissions. The
// two kinds of links are refused.
type treeFS struct {
	sys.UnimplementedFS
	*tree
}

const access = sys.O_RDONLY | sys.O_RDWR | sys.O_WRONLY

// OpenFile opens, and makes, files.
func (t treeFS) OpenFile(name string, flag sys.Oflag, _ fs.FileMode) (sys.File, sys.Errno) {
	p, errno := t.place(name)
	if errno != 0 {
		return nil, errno
	}
	if len(t.open) >= mostDescriptors {
		return nil, t.refuse(tooManyOpen)
	}
	n, within, errno := t.find(p.parts)
	switch {
	case errno == sys.ENOENT && flag&sys.O_CREAT != 0:
		return t.createFile(p, flag)
	case errno != 0:
		return nil, errno
	case flag&sys.O_CREAT != 0 && p.folder:
		return nil, sys.EISDIR
	case flag&(sys.O_CREAT|sys.O_EXCL) == sys.O_CREAT|sys.O_EXCL && n.mount == nil:
		return nil, sys.EEXIST
	}
	writes := flag&access != sys.O_RDONLY || flag&sys.O_TRUNC != 0
	if n.mount != nil {
		if writes || flag&sys.O_CREAT != 0 {
			return nil, sys.EROFS
		}
		return t.openHost(n.mount, within, p.folder || flag&sys.O_DIRECTORY != 0)
	}
	if n.folder() {
		if writes || flag&sys.O_CREAT != 0 {
			return nil, sys.EISDIR
		}
		return t.newOpenFolder(n), 0
	}
	if p.folder || flag&sys.O_DIRECTORY != 0 {
		return nil, sys.ENOTDIR
	}
	if flag&sys.O_TRUNC != 0 {
		if errno := t.truncate(n, 0); errno != 0 {
			return nil, errno
		}
	}
	return t.newOpenFile(n, flag), 0
}

func (t treeFS) createFile(p place, flag sys.Oflag) (sys.File, sys.Errno) {
	parent, name, errno := t.findParent(p)
	if errno != 0 {
		return nil, errno
	}
	if p.folder {
		return nil, sys.EISDIR
	}
	n, errno := t.create(parent, name, false)
	if errno != 0 {
		return nil, errno
	}
	return t.newOpenFile(n, flag), 0
}

// Stat says what is at a path.
func (t treeFS) Stat(name string) (wsys.Stat_t, sys.Errno) {
	p, errno := t.place(name)
	if errno != 0 {
		return wsys.Stat_t{}, errno
	}
	n, within, errno := t.find(p.parts)
	if errno != 0 {
		return wsys.Stat_t{}, errno
	}
	stat := n.stat()
	if n.mount != nil {
		if stat, errno = n.mount.stat(within); errno != 0 {
			return wsys.Stat_t{}, errno
		}
	}
	if p.folder && !stat.Mode.IsDir() {
		return wsys.Stat_t{}, sys.ENOTDIR
	}
	return stat, 0
}

// Lstat is Stat: there are no links.
func (t treeFS) Lstat(name string) (wsys.Stat_t, sys.Errno) { return t.Stat(name) }

func (n *node) stat() wsys.Stat_t {
	s := wsys.Stat_t{
		Dev: 1, Ino: n.ino, Nlink: 1, Mode: 0o644, Size: int64(len(n.data)),
		Atim: n.times.accessed, Mtim: n.times.modified, Ctim: n.times.changed,
	}
	if n.folder() {
		s.Mode = fs.ModeDir | 0o755
	}
	return s
}

// Mkdir makes a folder.
func (t treeFS) Mkdir(name string, _ fs.FileMode) sys.Errno {
	p, errno := t.place(name)
	if errno != 0 {
		return errno
	}
	switch n, _, errno := t.find(p.parts); {
	case errno == 0 && n.mount != nil:
		return sys.EROFS
	case errno == 0:
		return sys.EEXIST
	case errno != sys.ENOENT:
		return errno
	}
	parent, name, errno := t.findParent(p)
	if errno != 0 {
		return errno
	}
	_, errno = t.create(parent, name, true)
	return errno
}

// Unlink removes a file.
func (t treeFS) Unlink(name string) sys.Errno {
	parent, n, last, p, errno := t.findToRemove(name)
	switch {
	case errno != 0:
		return errno
	case n.folder():
		return sys.EISDIR
	case p.folder:
		return sys.ENOTDIR
	}
	t.unlink(parent, last)
	return 0
}

// Rmdir removes an empty folder.
func (t treeFS) Rmdir(name string) sys.Errno {
	parent, n, last, _, errno := t.findToRemove(name)
	switch {
	case errno != 0:
		return errno
	case !n.folder():
		return sys.ENOTDIR
	case len(n.children) > 0:
		return sys.ENOTEMPTY
	}
	t.unlink(parent, last)
	return 0
}

func (t treeFS) findToRemove(name string) (parent, n *node, last string, p place, errno sys.Errno) {
	if p, errno = t.place(name); errno != 0 {
		return nil, nil, "", p, errno
	}
	if parent, last, errno = t.findParent(p); errno != 0 {
		return nil, nil, "", p, errno
	}
	if n = parent.children[last]; n == nil {
		return nil, nil, "", p, sys.ENOENT
	}
	return parent, n, last, p, 0
}

// Rename moves a file or folder, over another if that is of its kind and, of folders, empty.
// Where several things are wrong, it says of them what Linux says.
func (t treeFS) Rename(from, to string) sys.Errno {
	p, errno := t.place(from)
	if errno != 0 {
		return errno
	}
	q, errno := t.place(to)
	if errno != 0 {
		return errno
	}
	parent, last, errno := t.findParent(p)
	if errno != 0 {
		return errno
	}
	target, name, errno := t.findParent(q)
	if errno != 0 {
		return errno
	}
	n := parent.children[last]
	switch {
	case target.area != parent.area:
		return t.refuse(otherDevice)
	case n == nil:
		return sys.ENOENT
	case q.below(p) && n.folder():
		return sys.EINVAL
	case (p.folder || q.folder) && !n.folder():
		return sys.ENOTDIR
	}
	switch old := target.children[name]; {
	case old == n:
		return 0
	case old == nil:
	case n.folder() && !old.folder():
		return sys.ENOTDIR
	case !n.folder() && old.folder():
		return sys.EISDIR
	case len(old.children) > 0:
		return sys.ENOTEMPTY
	default:
		t.unlink(target, name)
	}
	parent.remove(last)
	target.put(name, n)
	t.touch(parent)
	t.touch(target)
	n.times.changed = t.now()
	return 0
}

// Utimens sets times.
func (t treeFS) Utimens(name string, accessed, modified int64) sys.Errno {
	p, errno := t.place(name)
	if errno != 0 {
		return errno
	}
	n, _, errno := t.find(p.parts)
	if errno != 0 {
		return errno
	}
	if p.folder && n.mount == nil && !n.folder() {
		return sys.ENOTDIR
	}
	return t.setTimes(n, accessed, modified)
}

func (t *tree) setTimes(n *node, accessed, modified int64) sys.Errno {
	if n.area == nil {
		return sys.EROFS
	}
	if accessed != sys.UTIME_OMIT {
		n.times.accessed = accessed
	}
	if modified != sys.UTIME_OMIT {
		n.times.modified = modified
	}
	n.times.changed = t.now()
	return 0
}

// Readlink finds no link.
func (t treeFS) Readlink(name string) (string, sys.Errno) {
	if _, errno := t.Stat(name); errno != 0 {
		return "", errno
	}
	return "", sys.EINVAL
}

// Symlink is refused.
func (treeFS) Symlink(string, string) sys.Errno { return sys.EPERM }

// Link is refused.
func (treeFS) Link(string, string) sys.Errno { return sys.EPERM }
