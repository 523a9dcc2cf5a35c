package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"helve/catalog"
)

// What one skill may hold.
const (
	maxMain  = 256 << 10 // bytes of SKILL.md
	maxFiles = 1000
	maxBytes = 32 << 20
	maxDepth = 8 // folders in one another
	maxPath  = 512
)

// tree goes over the files of a skill.
type tree struct {
	root  *os.Root
	shown string
	keep  []string // what is kept of
	kept  map[string][]byte

	files    []File
	bytes    int64
	findings []finding
}

// walk fills t. The error is for a skill that is more than one may be.
func (t *tree) walk() error {
	err := fs.WalkDir(t.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s can't be read: %w", name, inWords(err))
		case name == ".":
			return nil
		case entry.IsDir() && isForeign(entry.Name()):
			return fs.SkipDir
		case isForeign(entry.Name()):
			return nil
		case strings.Count(name, "/") >= maxDepth:
			return fmt.Errorf("its folders lie more than %d deep in one another: %s", maxDepth, name)
		case entry.IsDir():
			return nil
		}
		return t.add(name, entry)
	})
	slices.SortFunc(t.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) }) // a walk sorts by folder
	return err
}

// isForeign is for what lies in a skill's folder and is none of its files: hidden ones,
// which may hold keys, and what others install or leave there.
func isForeign(name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "__pycache__" || name == "__MACOSX"
}

func (t *tree) add(name string, entry fs.DirEntry) error {
	if !entry.Type().IsRegular() {
		message := "this is no regular file, and no part of the skill"
		if entry.Type()&fs.ModeSymlink != 0 {
			message = "symbolic links are not followed: this is no part of the skill"
		}
		t.findings = append(t.findings, finding{wrong, catalog.Problem{File: t.shown + "/" + name, Message: message, Hint: "put a copy of the file there"}})
		return nil
	}
	switch {
	case len(t.files) == maxFiles:
		return fmt.Errorf("it has more than %d files", maxFiles)
	case len(name) > maxPath:
		return fmt.Errorf("the path of a file is longer than %d bytes: %.100s…", maxPath, name)
	}
	most := maxBytes - t.bytes
	if slices.Contains(mainNames, name) {
		most = min(most, maxMain)
	}
	data, executable, err := readRegular(t.root, name, most)
	switch {
	case errors.Is(err, errTooLong) && most == maxMain:
		return fmt.Errorf("%s is longer than %d KiB", name, maxMain>>10)
	case errors.Is(err, errTooLong):
		return fmt.Errorf("its files hold more than %d MiB", maxBytes>>20)
	case err != nil:
		return fmt.Errorf("%s can't be read: %w", name, err)
	}
	t.bytes += int64(len(data))
	t.files = append(t.files, File{Path: name, Size: int64(len(data)), Executable: executable, sum: sha256.Sum256(data)})
	if slices.Contains(t.keep, name) {
		t.kept[name] = data
	}
	return nil
}

// digest is that of files, which are sorted.
func digest(files []File) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%x %t %q\n", f.sum, f.Executable, f.Path)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

var errTooLong = errors.New("it is too long")

// readRegular reads a regular file of at most most bytes, and says whether it may be
// executed.
func readRegular(root *os.Root, name string, most int64) (data []byte, executable bool, err error) {
	// A named pipe would block the open. O_NONBLOCK is for one that was put there since
	// the folder was listed.
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false, inWords(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, false, inWords(err)
	case !info.Mode().IsRegular():
		return nil, false, errors.New("this is not a regular file")
	case info.Size() > most:
		return nil, false, errTooLong
	}
	data = make([]byte, info.Size()+1) // one more tells whether it has grown
	n, err := io.ReadFull(f, data)
	switch {
	case err == nil:
		return nil, false, errors.New("it grows while it is read")
	case !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF):
		return nil, false, inWords(err)
	}
	return data[:n:n], info.Mode()&0o111 != 0, nil
}

// read returns what is in f, a file of the skill, if that is what it was when the skill
// was loaded.
func (s *Skill) read(root *os.Root, f File) ([]byte, error) {
	data, executable, err := readRegular(root, f.Path, f.Size)
	if err != nil && !errors.Is(err, errTooLong) {
		return nil, s.changed(f, err)
	}
	if err != nil || executable != f.Executable || sha256.Sum256(data) != f.sum {
		return nil, s.changed(f, nil)
	}
	return data, nil
}

// inWords tells an error without the path, which the reader knows.
func inWords(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("it is not there")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("it may not be read")
	}
	var inner *fs.PathError
	if errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// extension is that of a path, in small letters.
func extension(name string) string { return strings.ToLower(path.Ext(name)) }
