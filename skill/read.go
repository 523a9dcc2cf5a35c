package skill

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"unicode/utf8"

	"helve/internal/nearest"
	"helve/tool"
)

// maxPart is how many bytes of a file a model gets at once.
const maxPart = 64 << 10

type readInput struct {
	Skill  string `json:"skill" jsonschema_description:"The name of the skill."`
	Path   string `json:"path" jsonschema:"example=references/guide.md" jsonschema_description:"The path of one of its files, as the skill lists it."`
	Offset int64  `json:"offset,omitempty" jsonschema:"minimum=0,default=0" jsonschema_description:"Where to start, in bytes. The note at the end of a part says where the next one starts."`
}

// readTool is the tool skill_read.
func (l *Library) readTool(skills []*Skill) tool.Tool {
	return tool.Must(tool.New(nameRead, "Read a file of a skill. A long one comes in parts: read on with offset.",
		func(_ context.Context, in readInput) (string, error) {
			s, err := find(in.Skill, skills)
			if err != nil {
				return "", err
			}
			return s.part(in.Path, in.Offset)
		}, tool.ReadOnly(), tool.Idempotent()))
}

// Read returns what is in the file of that path, if that is what it was when the skill was
// loaded. The error is a [*tool.Error].
func (s *Skill) Read(path string) ([]byte, error) {
	f, err := s.own(path)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, s.gone(err)
	}
	defer root.Close()
	return s.read(root, f)
}

// own is the file of that path. The error is for a path that is not in the skill's list,
// wherever it may lead.
func (s *Skill) own(path string) (File, error) {
	f, found := s.file(path)
	if found {
		return f, nil
	}
	var all []string
	for _, f := range s.Files {
		all = append(all, f.Path)
	}
	e := &tool.Error{Kind: tool.KindNotFound, Message: fmt.Sprintf("The skill %s has no file %.200q: name one that it lists.", s.Name, path)}
	if near := nearest.Names(path, all, 3); len(near) > 0 {
		e.Detail = map[string]any{"available": near}
	}
	return File{}, e
}

// part returns a file from offset on, as far as one answer goes.
func (s *Skill) part(path string, offset int64) (string, error) {
	data, err := s.Read(path)
	if err != nil {
		return "", err
	}
	size := int64(len(data))
	if !isText(data) {
		return fmt.Sprintf("%s is not text: %d bytes of %s.", path, size, http.DetectContentType(data)), nil
	}
	if offset > size {
		return "", &tool.Error{Kind: tool.KindInvalidParameters, Message: fmt.Sprintf("%s ends at byte %d: offset %d is behind it.", path, size, offset)}
	}
	text := wholeLines(data[offset:], maxPart)
	switch end := offset + int64(len(text)); {
	case end < size:
		return fmt.Sprintf("%s\n[bytes %d to %d of %d: read on with offset %d]", valid(text), offset, end, size, end), nil
	case offset > 0:
		return fmt.Sprintf("%s\n[bytes %d to %d: the end of the file]", valid(text), offset, end), nil
	}
	return valid(text), nil
}

func isText(data []byte) bool { return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 }

func valid(data []byte) string { return string(bytes.ToValidUTF8(data, []byte("\uFFFD"))) }

// wholeLines returns the beginning of data, most bytes long at most, up to the end of a
// line if there is one in it, and else of a character.
func wholeLines(data []byte, most int) []byte {
	if len(data) <= most {
		return data
	}
	if end := bytes.LastIndexByte(data[:most], '\n'); end >= 0 {
		return data[:end+1]
	}
	for n := most; n > most-utf8.UTFMax; n-- {
		if utf8.RuneStart(data[n]) {
			return data[:n]
		}
	}
	return data[:most]
}

// changed is for a file that is not what it was. Cause may be nil.
func (s *Skill) changed(f File, cause error) error {
	return &tool.Error{
		Kind:    tool.KindUnavailable,
		Message: fmt.Sprintf("%s of the skill %s was changed since the skill was loaded, so it is not used. To call again does not help now: tell the user that the skill is loaded again before the next question of a chat, and else when the program is started again.", f.Path, s.Name),
		Err:     cause,
	}
}

func (s *Skill) gone(cause error) error {
	return &tool.Error{Kind: tool.KindUnavailable, Message: fmt.Sprintf("The folder of the skill %s can't be read any more.", s.Name), Err: cause}
}
