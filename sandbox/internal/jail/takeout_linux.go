package jail

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/wire"
)

const (
	mostDepth = 32 // folders in one another
	mostLeft  = 20 // files of which it is told that they stay
)

// takeOut hands out the regular files that the program made or changed. Nothing of the
// program runs any more.
func takeOut(inputs map[string]int64, run wire.Run) {
	o := outlet{inputs: inputs, files: run.TakeFiles, bytes: run.TakeBytes}
	o.folder(".", 0)
	if o.more > 0 {
		_ = wire.Write(status, wire.KindLeft, fmt.Appendf(nil, "and %d more", o.more))
	}
}

type outlet struct {
	inputs map[string]int64
	files  int   // that may still be taken
	bytes  int64 // that they may have
	left   int
	more   int
}

func (o *outlet) folder(dir string, depth int) {
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		o.leave(dir, "it can't be read")
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case !utf8.ValidString(name) || !fs.ValidPath(name):
			o.leave(fmt.Sprintf("%q", name), "its name is no text")
		case e.IsDir() && depth == mostDepth:
			o.leave(name, "it lies too deep")
		case e.IsDir():
			o.folder(name, depth+1)
		case e.Type().IsRegular():
			o.file(name)
		default:
			o.leave(name, "it is no regular file")
		}
	}
}

func (o *outlet) file(name string) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		o.leave(name, "it can't be read")
		return
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil || info.Mode&unix.S_IFMT != unix.S_IFREG {
		o.leave(name, "it can't be read")
		return
	}
	if size, given := o.inputs[name]; given && size == info.Size && info.Mtim.Sec == longAgo.Sec {
		return // as it was given
	}
	switch {
	case o.files == 0:
		o.leave(name, "there are too many files")
		return
	case info.Size > o.bytes:
		o.leave(name, fmt.Sprintf("its %d bytes are too many", info.Size))
		return
	}
	o.files--
	o.bytes -= info.Size
	_ = wire.WriteJSON(status, wire.KindFile, wire.File{Name: name, Exec: info.Mode&0o100 != 0, Size: info.Size})
	var chunk [wire.Chunk]byte
	for left := info.Size; left > 0; {
		n, err := io.ReadFull(pipe(fd), chunk[:min(left, wire.Chunk)])
		if err != nil {
			fail("take out", err, name)
		}
		_ = wire.Write(status, wire.KindData, chunk[:n])
		left -= int64(n)
	}
}

func (o *outlet) leave(name, why string) {
	if o.left++; o.left > mostLeft {
		o.more++
		return
	}
	_ = wire.Write(status, wire.KindLeft, []byte(name+": "+why))
}
