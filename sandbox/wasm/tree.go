package wasm

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/experimental/sys"
)

// Bounds of what a guest can have of files. A folder that is read takes memory of ours for
// each name and each descriptor, so both are few.
const (
	mostNodes       = 4096 // files and folders in each of /work and /tmp
	mostDescriptors = 253  // and standard input, output and error
	mostPath        = 4096
	mostName        = 255
)

// tree is what a guest finds below /. One guest at a time uses it, in one goroutine.
type tree struct {
	root, work *node
	now        func() int64 // nanoseconds since 1970

	lastIno uint64
	open    map[file]struct{}
	refused errno // what the call that goes on was refused for, where sys.Errno has no word
}

// node is a file or a folder.
type node struct {
	ino   uint64
	times times
	area  *area // what it counts in; nil is read-only

	children map[string]*node // of a folder; nil for a file
	names    []string         // of the children, sorted; nil once they changed

	data     []byte
	borrowed bool // data is the Spec's, and not to be written to

	mount *mount // of this machine; it has none of the above

	descriptors int
	unlinked    bool
	changed     bool   // by the guest
	origin      string // the path below /work that it was given by
	executable  bool   // as it was given
}

type times struct{ accessed, modified, changed int64 }

// area is memory for files, and how much is left of it.
type area struct {
	bytes    int64 // that can still be taken
	nodes    int
	fileSize int64
}

func newTree(work, temp, fileSize int64, now func() int64) *tree {
	t := &tree{now: now, open: map[file]struct{}{}}
	t.root = t.newFolder(nil)
	t.work = t.newFolder(&area{bytes: work, nodes: mostNodes, fileSize: fileSize})
	t.root.put("work", t.work)
	t.root.put("tmp", t.newFolder(&area{bytes: temp, nodes: mostNodes, fileSize: fileSize}))
	return t
}

func (t *tree) newNode(a *area) *node {
	t.lastIno++
	now := t.now()
	return &node{ino: t.lastIno, area: a, times: times{now, now, now}}
}

func (t *tree) newFolder(a *area) *node {
	n := t.newNode(a)
	n.children = map[string]*node{}
	return n
}

func (n *node) folder() bool { return n.children != nil }

func (n *node) put(name string, child *node) {
	n.children[name] = child
	n.names = nil
}

func (n *node) remove(name string) {
	delete(n.children, name)
	n.names = nil
}

// sorted are the names of what is in a folder.
func (n *node) sorted() []string {
	if n.names == nil {
		n.names = slices.Sorted(maps.Keys(n.children))
	}
	return n.names
}

// refuse remembers why, for [answer] to say, and returns what wazero takes for it.
func (t *tree) refuse(e errno) sys.Errno {
	t.refused = e
	return sys.EIO
}

// place is a path, taken apart.
type place struct {
	parts  []string // from the root
	folder bool     // it ended in a slash: only a folder can be meant
}

// place reads a path. There are no links, so that .. can be taken by its letters.
func (t *tree) place(name string) (place, sys.Errno) {
	if len(name) > mostPath {
		return place{}, sys.ENAMETOOLONG
	}
	if strings.ContainsRune(name, 0) {
		return place{}, sys.EINVAL
	}
	p := place{folder: strings.HasSuffix(name, "/")}
	clean := path.Clean("/" + name)
	if clean == "/" {
		return p, 0
	}
	p.parts = strings.Split(clean[1:], "/")
	for _, part := range p.parts {
		if len(part) > mostName {
			return place{}, sys.ENAMETOOLONG
		}
	}
	if t.root.children[p.parts[0]] == nil {
		p.parts = slices.Insert(p.parts, 0, "work") // as the package says of relative paths
	}
	return p, 0
}

// below says whether p is in q.
func (p place) below(q place) bool {
	return len(p.parts) > len(q.parts) && slices.Equal(p.parts[:len(q.parts)], q.parts)
}

// find returns what is at a place. Of what is in a mount it returns the mount, and the way
// from there.
func (t *tree) find(parts []string) (n *node, within string, errno sys.Errno) {
	n = t.root
	for i, part := range parts {
		if n.mount != nil {
			return n, path.Join(parts[i:]...), 0
		}
		if !n.folder() {
			return nil, "", sys.ENOTDIR
		}
		if n = n.children[part]; n == nil {
			return nil, "", sys.ENOENT
		}
	}
	return n, ".", 0
}

// findParent returns the folder that a place is in, to change it.
func (t *tree) findParent(p place) (*node, string, sys.Errno) {
	if len(p.parts) == 0 {
		return nil, "", sys.EROFS
	}
	last := len(p.parts) - 1
	n, _, errno := t.find(p.parts[:last])
	switch {
	case errno != 0:
		return nil, "", errno
	case n.mount != nil:
		return nil, "", sys.EROFS
	case !n.folder():
		return nil, "", sys.ENOTDIR
	case n.area == nil:
		return nil, "", sys.EROFS
	}
	return n, p.parts[last], 0
}

// create puts a new file or folder in a folder.
func (t *tree) create(parent *node, name string, folder bool) (*node, sys.Errno) {
	a := parent.area
	if parent.unlinked {
		return nil, sys.ENOENT
	}
	if a.nodes <= 0 {
		return nil, t.refuse(noSpace)
	}
	a.nodes--
	n := t.newNode(a)
	if folder {
		n.children = map[string]*node{}
	}
	n.changed = true
	parent.put(name, n)
	t.touch(parent)
	return n, 0
}

// unlink takes a name away. What it named counts as long as it is open, so that a guest
// can't have more than the area holds by keeping what it removed.
func (t *tree) unlink(parent *node, name string) {
	n := parent.children[name]
	parent.remove(name)
	t.touch(parent)
	n.unlinked = true
	n.release()
}

// release gives back what a node took, once nobody has it.
func (n *node) release() {
	if !n.unlinked || n.descriptors > 0 || n.area == nil {
		return
	}
	n.area.bytes += int64(len(n.data))
	n.area.nodes++
	n.data, n.area = nil, nil
}

func (t *tree) touch(n *node) {
	now := t.now()
	n.times.modified, n.times.changed = now, now
}

// write puts what there is room for at an offset; the rest is refused only if that is all.
func (t *tree) write(n *node, data []byte, at int64) (int, sys.Errno) {
	if at < 0 {
		return 0, sys.EINVAL
	}
	if len(data) == 0 {
		return 0, 0
	}
	if at >= n.area.fileSize {
		return 0, t.refuse(tooBig)
	}
	data = data[:min(int64(len(data)), n.area.fileSize-at)]
	if room := int64(len(n.data)) + n.area.bytes - at; room < int64(len(data)) {
		if room <= 0 {
			return 0, t.refuse(noSpace)
		}
		data = data[:room]
	}
	if end := at + int64(len(data)); end > int64(len(n.data)) {
		n.resize(end)
	}
	n.own()
	copy(n.data[at:], data)
	n.changed = true
	t.touch(n)
	return len(data), 0
}

// truncate makes a file shorter, or longer by zeros, which count as what was written.
func (t *tree) truncate(n *node, size int64) sys.Errno {
	switch {
	case size < 0:
		return sys.EINVAL
	case size > n.area.fileSize:
		return t.refuse(tooBig)
	case size-int64(len(n.data)) > n.area.bytes:
		return t.refuse(noSpace)
	}
	n.resize(size)
	n.changed = true
	t.touch(n)
	return 0
}

func (n *node) resize(size int64) {
	n.own()
	old := int64(len(n.data))
	n.area.bytes -= size - old
	switch {
	case size > old:
		n.data = slices.Grow(n.data, int(size-old))[:size]
		clear(n.data[old:]) // what was there before it was made shorter
	case size < int64(cap(n.data))/2:
		n.data = slices.Clone(n.data[:size])
	default:
		n.data = n.data[:size]
	}
}

// own makes the data the node's, before it is written to.
func (n *node) own() {
	if n.borrowed {
		n.data, n.borrowed = slices.Clone(n.data), false
	}
}
