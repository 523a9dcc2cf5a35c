package library

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"helve/message"
	"helve/tool"
)

// mostBytes is how long a file may be that is served.
const mostBytes = 8 << 20

// read returns what is in a file below dir. The error for a file that is not there
// wraps [fs.ErrNotExist]; of others the client is told no more than what it asked for.
func read(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, unreadable("the workspace", err)
	}
	defer root.Close()
	// A named pipe would block the open; and once more after it, for what was put there
	// in between. O_NONBLOCK keeps that from blocking.
	info, err := root.Stat(filepath.FromSlash(name))
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file: %w", name, fs.ErrNotExist)
	}
	if err != nil {
		return nil, unreadable(name, err)
	}
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file: %w", name, fs.ErrNotExist)
	}
	data, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	switch {
	case err != nil:
		return nil, unreadable(name, err)
	case len(data) > mostBytes:
		return nil, &tool.Error{Kind: tool.KindExecution, Message: fmt.Sprintf("%s is larger than %d MiB, and no more is served.", name, mostBytes>>20)}
	}
	return data, nil
}

func unreadable(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &tool.Error{Kind: tool.KindExecution, Message: name + " can't be read.", Err: err}
}

// isSafe reports that what a client puts into a path stays below the folder before it,
// and reaches nothing that is hidden.
func isSafe(value string) bool {
	if !filepath.IsLocal(value) || strings.ContainsAny(value, "\\\x00") {
		return false
	}
	for _, step := range strings.Split(value, "/") {
		if step == "" || step[0] == '.' {
			return false
		}
	}
	return true
}

// mediaTypes are those of the names that people give to files of text, and of what
// content alone does not tell apart.
var mediaTypes = map[string]string{
	".css": "text/css", ".csv": "text/csv", ".gif": "image/gif", ".html": "text/html", ".jpeg": "image/jpeg", ".jpg": "image/jpeg",
	".json": "application/json", ".md": "text/markdown", ".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".pdf": "application/pdf",
	".png": "image/png", ".svg": "image/svg+xml", ".tsv": "text/tab-separated-values", ".txt": "text/plain", ".wav": "audio/wav",
	".webp": "image/webp", ".xml": "application/xml", ".yaml": "application/yaml", ".yml": "application/yaml",
}

// mediaType is that of a file, by its name or else by its first bytes.
func mediaType(name string, data []byte) string {
	if known := mediaTypes[strings.ToLower(path.Ext(name))]; known != "" {
		return known
	}
	if len(data) == 0 {
		return ""
	}
	detected, _, _ := strings.Cut(http.DetectContentType(data), ";")
	return detected
}

// content is what a client gets of a file: text if it is any.
func content(data []byte, media string) message.Resource {
	r := message.Resource{MediaType: media}
	if utf8.Valid(data) && !strings.ContainsRune(string(data), 0) {
		r.Text = string(data)
	} else {
		r.Data = data
	}
	return r
}
