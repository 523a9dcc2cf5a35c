package script

import (
	"bytes"
	"fmt"

	"helve/internal/excerpt"
	"helve/internal/jsonobject"
	"helve/internal/jsontext"
	"helve/message"
	"helve/sandbox"
	"helve/tool"
)

// What a script prints, as tool.yaml says it. Without a word it is text.
const (
	outputText = "text"
	outputJSON = "json"
)

// success makes a result of what a script printed that ended well.
func (s *script) success(r *sandbox.Result) (tool.Result, error) {
	cut := r.Truncated && len(r.Stdout) >= s.limits.Output
	var result tool.Result
	var err error
	if s.output == outputJSON {
		result, err = s.json(r.Stdout, cut)
	} else {
		result, err = s.text(r.Stdout, cut)
	}
	if err != nil {
		return tool.Result{}, err
	}
	made, err := filesOf(r.Files)
	if err != nil {
		return tool.Result{}, s.errorf(tool.KindExecution, err, "the files it made can't be read")
	}
	if len(made) > 0 {
		result.Artifact = made
	}
	return result, nil
}

// json is what was printed without its blanks.
func (s *script) json(printed []byte, cut bool) (tool.Result, error) {
	printed = bytes.ToValidUTF8(bytes.TrimSpace(bytes.TrimPrefix(printed, []byte("\xef\xbb\xbf"))), []byte("\uFFFD"))
	switch {
	case cut:
		return tool.Result{}, s.errorf(tool.KindExecution, s.raise("limits.output"),
			"its answer is longer than %s, and half of it would be no JSON: ask for less", sizeText(int64(s.limits.Output)))
	case !jsontext.Valid(printed):
		return tool.Result{}, s.errorf(tool.KindExecution, s.cause(nil, "output: json is in %s/%s, and what it printed is none: print what is no result to standard error", s.folder, FileName),
			"it printed no JSON, which it should: %.200q", printed)
	}
	return tool.Text(string(jsonobject.Compact(printed))), nil
}

// text is what was printed, as text that any model can read.
func (s *script) text(printed []byte, cut bool) (tool.Result, error) {
	if bytes.IndexByte(printed, 0) >= 0 {
		return tool.Result{}, s.errorf(tool.KindExecution, s.cause(nil, "%s printed what is no text: write it to a file in out", s.folder), "it printed %d bytes that are no text", len(printed))
	}
	text := s.clean(printed)
	if text == "" {
		return tool.Text(s.definition.Name + " ended well and printed nothing."), nil
	}
	if !cut {
		return tool.Text(text), nil
	}
	text = excerpt.Head(text, s.limits.Output)
	result := tool.Text(text)
	result.Content = append(result.Content, message.Text(fmt.Sprintf("\n[cut here: the first %d bytes of a longer output]", len(text))))
	return result, nil
}
