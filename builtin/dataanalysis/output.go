package dataanalysis

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"os"
	"path"
	"strings"
	"unicode"

	"helve/message"
	"helve/tool"
)

// Saved is the artifact of a call that made a file.
type Saved struct {
	Path      string `json:"path"` // in the output folder; empty where there is no such folder
	MediaType string `json:"media_type"`
	Size      int64  `json:"size"` // in bytes
	Data      []byte `json:"-"`    // the file, where it is a picture
}

// Attachments returns the picture of plot_tool that no model can see, an SVG: a PNG is
// in the result itself, and a workbook stays in the output folder.
func (s Saved) Attachments() []message.Part {
	if s.MediaType != mediaTypes[".svg"] || len(s.Data) == 0 {
		return nil
	}
	name := "plot.svg"
	if s.Path != "" {
		name = path.Base(s.Path)
	}
	return []message.Part{message.File{Name: name, Data: s.Data, MediaType: s.MediaType}}
}

// maxNumbered is how many files one name can have, numbered.
const maxNumbered = 1000

var mediaTypes = map[string]string{
	".png": "image/png", ".svg": "image/svg+xml",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

func mediaTypeOf(name string) string {
	if t := mediaTypes[path.Ext(name)]; t != "" {
		return t
	}
	return mime.TypeByExtension(path.Ext(name))
}

// saveNew puts a picture into the output folder under name, or, where that is
// taken, under name with a number: it never writes over a file.
func (d *data) saveNew(name string, content []byte) (Saved, error) {
	saved := Saved{MediaType: mediaTypeOf(name), Size: int64(len(content)), Data: content}
	if d.Output == nil {
		return saved, nil
	}
	temp, err := writeHidden(d.Output, ".", content)
	if err != nil {
		return Saved{}, outputError(name, err)
	}
	defer d.Output.Remove(temp)
	ext := path.Ext(name)
	for i := 1; i <= maxNumbered; i++ {
		saved.Path = name
		if i > 1 {
			saved.Path = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), i, ext)
		}
		err := publish(d.Output, temp, saved.Path)
		if err == nil {
			return saved, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return Saved{}, outputError(name, err)
		}
	}
	return Saved{}, fmt.Errorf("there are %d files with names like %q in the output folder: choose another title", maxNumbered, name)
}

// writeHidden puts content into a new file of folder with a name that nobody
// guesses.
func writeHidden(root *os.Root, folder string, content []byte) (name string, err error) {
	name = path.Join(folder, ".helve-"+rand.Text()+".tmp")
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		root.Remove(name)
		return "", err
	}
	return name, nil
}

// publish gives the file temp its name, at once and whole, and fails with
// fs.ErrExist where the name is taken.
func publish(root *os.Root, temp, name string) error {
	err := root.Link(temp, name)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without hard links. Claim the name, then put the file there.
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	f.Close()
	return root.Rename(temp, name)
}

// outputError tells err for a model, without the place of the folder on the host.
func outputError(name string, err error) error {
	if leaves(err) {
		return denied("file %.200q leaves the output folder: write a path relative to that folder", name)
	}
	return &tool.Error{Kind: tool.KindExecution, Message: fmt.Sprintf("file %.200q can't be written in the output folder: %v", name, withoutPath(err)), Err: err}
}

// slug is a file name made of a title: letters and digits of any script, and
// dashes between.
func slug(title, otherwise string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	name := strings.Join(words, "-")
	for len(name) > 80 { // bytes: file systems take 255
		r := []rune(name)
		name = strings.TrimRight(string(r[:len(r)-1]), "-")
	}
	if name == "" {
		return otherwise
	}
	return name
}

func isBlank(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\uFEFF' || r == '\uFFFE' || r == '\uFFFF'
}
