package builtin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"helve/message"
	"helve/tool"
)

// maxRead bounds what one call of read_file returns, in bytes.
const maxRead = 200 << 10

type readFileInput struct {
	Path   string `json:"path" jsonschema:"example=docs/guide.md" jsonschema_description:"The file's path, relative to the root folder, such as docs/guide.md."`
	Offset int64  `json:"offset,omitempty" jsonschema:"minimum=0,default=0" jsonschema_description:"Where to start, in bytes. The note at the end of a part says where the next one starts."`
	Limit  int64  `json:"limit,omitempty" jsonschema:"minimum=1,maximum=262144,default=262144" jsonschema_description:"How many bytes to read at most, such as 4096."`
}

// ReadFile returns the tool read_file: it reads a text file under root, 200 KiB
// a call at most. Where a call leaves something out, a note behind the text says
// what, and with which offset to read on; a part ends at the end of a line if
// one ends in it.
//
// Only regular files can be read. A path or a link that leaves root is refused,
// as is a file with a NUL byte in it, which is no text. Bytes that are not UTF-8
// come as U+FFFD. root stays open and belongs to the caller.
func ReadFile(root *os.Root) tool.Tool {
	return tool.Must(tool.New("read_file",
		"Read a text file. A long file comes in parts: read on with offset.",
		func(_ context.Context, in readFileInput) (tool.Result, error) {
			return readFile(root, in)
		}, tool.ReadOnly(), tool.Idempotent()))
}

func readFile(root *os.Root, in readFileInput) (tool.Result, error) {
	f, info, err := openIn(root, in.Path, regularFile)
	if err != nil {
		return tool.Result{}, err
	}
	defer f.Close()
	limit := in.Limit
	if limit <= 0 || limit > maxRead {
		limit = maxRead
	}
	data := make([]byte, limit+1) // the last byte tells whether there is more
	n, err := f.ReadAt(data, in.Offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return tool.Result{}, pathError(in.Path, err)
	}
	data = data[:n]
	if n == 0 && in.Offset > 0 {
		return tool.Result{}, fmt.Errorf("path %.200q ends at byte %d: offset %d is behind it", in.Path, info.Size(), in.Offset)
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return tool.Result{}, fmt.Errorf("path %.200q is not a text file (%d bytes)", in.Path, info.Size())
	}
	more := int64(n) > limit
	if more {
		data = wholeLines(data[:limit])
	}
	result := tool.Text(validText(data))
	end := in.Offset + int64(len(data))
	switch {
	case more:
		note := fmt.Sprintf("\n[bytes %d to %d of %d: read on with offset %d]", in.Offset, end, max(info.Size(), end+1), end)
		result.Content = append(result.Content, message.Text(note))
	case in.Offset > 0:
		note := fmt.Sprintf("\n[bytes %d to %d: the end of the file]", in.Offset, end)
		result.Content = append(result.Content, message.Text(note))
	}
	return result, nil
}

// wholeLines leaves out the line that was cut off at the end of data, unless it
// is the only one. It never leaves out everything: reading on must get somewhere.
func wholeLines(data []byte) []byte {
	if i := bytes.LastIndexByte(data, '\n'); i >= 0 {
		return data[:i+1]
	}
	if whole := wholeRunes(data); len(whole) > 0 {
		return whole
	}
	return data
}
