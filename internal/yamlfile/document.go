package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// MaxBytes is how long a file may be.
const MaxBytes = 4 << 20

// Document is a file that was read. It knows where each value stood, for who finds
// fault with a value later.
type Document struct {
	file        string
	root        *yaml.Node        // without aliases; nil in a file that could not be parsed
	environment map[string]string // the values of variables that stand in the file, and their names
}

// Decode reads the YAML of the file name into v, a pointer to a struct. Env looks a
// variable up; nil means os.LookupEnv. The error is of type [Errors]; the Document
// is there all the same, and v holds what could be read.
func Decode(name string, data []byte, v any, env func(string) (string, bool)) (*Document, error) {
	if env == nil {
		env = os.LookupEnv
	}
	d := &Document{file: name, environment: map[string]string{}}
	root, err := parse(name, data)
	if err != nil {
		return d, Errors{err}
	}
	d.root = root
	r := &reader{document: d, env: d.remembering(env)}
	if root == nil {
		d.root = &yaml.Node{Kind: yaml.MappingNode, Line: 1, Column: 1}
	}
	r.read(d.root, reflect.ValueOf(v).Elem())
	if len(r.errors) > 0 {
		r.errors.sort()
		for _, e := range r.errors {
			e.Message, e.Hint = d.hide(e.Message), d.hide(e.Hint)
		}
		return d, r.errors
	}
	return d, nil
}

// Errorf is an error at the value that pointer, a JSON Pointer (RFC 6901), names in
// the file, or at what of the way to it there is. What the environment put into the
// file it shows as ${NAME}.
func (d *Document) Errorf(pointer, format string, args ...any) *Error {
	line, column := d.At(pointer)
	return &Error{File: d.file, Line: line, Column: column, Message: d.hide(fmt.Sprintf(format, args...))}
}

// At returns the line and the column of the value that pointer names.
func (d *Document) At(pointer string) (line, column int) {
	node := d.root
	if node == nil {
		return 0, 0
	}
	for _, step := range strings.Split(pointer, "/")[1:] {
		next := child(node, pointerReader.Replace(step))
		if next == nil {
			break
		}
		node = next
	}
	return node.Line, node.Column
}

// pointerReader reads a step of a JSON Pointer.
var pointerReader = strings.NewReplacer("~1", "/", "~0", "~")

func child(node *yaml.Node, step string) *yaml.Node {
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == step {
				return node.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(node.Content) {
			return node.Content[i]
		}
	}
	return nil
}

// Tree returns the YAML of the file name as it stands there, for who reads it in another
// way than [Decode]: without aliases and merge keys, within the same bounds, and nothing
// of it expanded. It is nil for a file without a value. The error is an [*Error].
func Tree(name string, data []byte) (*yaml.Node, error) {
	root, err := parse(name, data)
	if err != nil {
		return nil, err // not a nil *Error in an error
	}
	return root, nil
}

// parse returns the one document in data, without its aliases, or nil where it is
// empty.
func parse(name string, data []byte) (*yaml.Node, *Error) {
	if len(data) > MaxBytes {
		return nil, &Error{File: name, Message: fmt.Sprintf("the file is %d bytes long, and at most %d are read", len(data), MaxBytes), Hint: "split it"}
	}
	if !utf8.Valid(data) {
		return nil, &Error{File: name, Line: 1 + bytes.Count(data[:validPrefix(data)], []byte("\n")), Message: "the file is not UTF-8", Hint: "save it as UTF-8"}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, syntaxError(name, data, err)
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, &Error{File: name, Line: second.Line, Column: second.Column, Message: "a second document begins here", Hint: "put each into a file of its own"}
	case !errors.Is(err, io.EOF):
		return nil, syntaxError(name, data, err)
	}
	f := flattener{file: name}
	root := f.flatten(document.Content[0], 0)
	if f.err != nil {
		return nil, f.err
	}
	if root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null" {
		return nil, nil
	}
	return root, nil
}

func validPrefix(data []byte) int {
	n := 0
	for n < len(data) {
		r, size := utf8.DecodeRune(data[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntaxError finds the place in an error of the YAML library.
func syntaxError(name string, data []byte, err error) *Error {
	text := err.Error()
	e := &Error{File: name}
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	e.Message = "this is not YAML: " + text
	e.place(data, text)
	if line, column := tabIndent(data, e.Line); line > 0 {
		e.Line, e.Column = line, column
		e.Message = "this is not YAML: the line is indented with a tab"
		e.Hint = "indent with spaces"
	}
	return e
}

var unknownAnchor = regexp.MustCompile(`unknown anchor '(.*)' referenced`)

// place adds what the library does not say: a line, and what most often is meant.
func (e *Error) place(data []byte, text string) {
	find := func(what string) {
		if at := bytes.Index(data, []byte(what)); at >= 0 && e.Line == 0 {
			e.Line = 1 + bytes.Count(data[:at], []byte("\n"))
		}
	}
	switch m := unknownAnchor.FindStringSubmatch(text); {
	case m != nil:
		find("*" + m[1])
		e.Hint = "a word behind * names a value that &word marks; put a * that stands for itself in quotes"
	case strings.Contains(text, "did not find expected alphabetic or numeric character"):
		e.Hint = "put * in quotes: \"*\""
	case strings.Contains(text, "mapping values are not allowed"):
		e.Hint = "is there a space behind each colon, and does the line begin in the right column?"
	case strings.Contains(text, "control characters are not allowed"):
		if at := bytes.IndexFunc(data, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f }); at >= 0 {
			find(string(data[at : at+1]))
		}
		e.Hint = "take the control character out"
	case strings.Contains(text, "could not find expected ':'"):
		e.Hint = "write key: value, with a colon and a space"
	case strings.Contains(text, "did not find expected ',' or"):
		e.Hint = "a [ or { is not closed"
	}
}

// tabIndent finds a tab among the blanks at the start of the line that the library
// complains of, or of the one behind it: it counts from 0 in some of its errors.
func tabIndent(data []byte, near int) (line, column int) {
	lines := bytes.Split(data, []byte("\n"))
	for _, n := range []int{near, near + 1, near - 1} {
		if n < 1 || n > len(lines) {
			continue
		}
		text := lines[n-1]
		indent := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]
		if at := bytes.IndexByte(indent, '\t'); at >= 0 {
			return n, at + 1
		}
	}
	return 0, 0
}
