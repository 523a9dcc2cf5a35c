package script

import (
	"errors"
	"io/fs"
	"mime"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"helve/message"
	"helve/sandbox"
)

// OutFolder is the folder, below its own directory, in which a script leaves files for
// the host.
const OutFolder = "out"

// Files are the artifact of a call whose script left files in out, in the order of their
// names.
type Files []File

// File is one of them.
type File struct {
	Name      string `json:"name"` // below out, with slashes
	MediaType string `json:"media_type"`
	Size      int64  `json:"size"` // in bytes
	Data      []byte `json:"-"`
}

// Attachments makes Files a [tool.Attacher]: a script left them to be handed on.
func (all Files) Attachments() []message.Part {
	var parts []message.Part
	for _, f := range all {
		switch {
		case strings.HasPrefix(f.MediaType, "image/") && f.MediaType != "image/svg+xml":
			parts = append(parts, message.Image{Data: f.Data, MediaType: f.MediaType})
		case strings.HasPrefix(f.MediaType, "audio/"):
			parts = append(parts, message.Audio{Data: f.Data, MediaType: f.MediaType})
		default:
			parts = append(parts, message.File{Name: path.Base(f.Name), Data: f.Data, MediaType: f.MediaType})
		}
	}
	return parts
}

// keeper is a file by which out is there before a script starts. It is never handed on.
const keeper = OutFolder + "/.keep"

// withOut adds it to the files of a folder that has no out.
func withOut(files []sandbox.File) []sandbox.File {
	for _, f := range files {
		if f.Name == OutFolder || strings.HasPrefix(f.Name, OutFolder+"/") {
			return files
		}
	}
	return append(slices.Clip(files), sandbox.File{Name: keeper})
}

// filesOf reads the files of out. The sandbox has bounded them.
func filesOf(made fs.FS) (Files, error) {
	if made == nil {
		return nil, nil
	}
	var all Files
	err := fs.WalkDir(made, OutFolder, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == OutFolder {
			return fs.SkipAll
		}
		if err != nil || d.IsDir() {
			return err
		}
		if name == OutFolder || name == keeper || !d.Type().IsRegular() {
			return nil
		}
		data, err := fs.ReadFile(made, name)
		if err != nil {
			return err
		}
		all = append(all, File{Name: strings.TrimPrefix(name, OutFolder+"/"), MediaType: mediaType(name, data), Size: int64(len(data)), Data: data})
		return nil
	})
	return all, err
}

// mediaTypes are those that must not differ from machine to machine.
var mediaTypes = map[string]string{
	".csv": "text/csv", ".json": "application/json", ".md": "text/markdown", ".txt": "text/plain", ".html": "text/html",
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".svg": "image/svg+xml",
	".pdf": "application/pdf", ".zip": "application/zip", ".wav": "audio/wav", ".mp3": "audio/mpeg",
}

func mediaType(name string, data []byte) string {
	ext := strings.ToLower(path.Ext(name))
	if t := mediaTypes[ext]; t != "" {
		return t
	}
	if t, _, _ := strings.Cut(mime.TypeByExtension(ext), ";"); t != "" {
		return t
	}
	if utf8.Valid(data) {
		return "text/plain"
	}
	return "application/octet-stream"
}
