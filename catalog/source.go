package catalog

import (
	"context"
	"errors"
	"io"

	"helve/internal/yamlfile"
	"helve/tool"
)

// Source makes tools of the files of one kind, or something else that a program wants
// found, checked and watched with them. To add a kind is to write a Source and
// to list it in [Options]; no other file changes. A Source is safe for concurrent use.
//
// A source that implements [Described] has its files' JSON Schema among [Schemas].
type Source interface {
	// Kind is a word for people: native, mcp, skill.
	Kind() string

	// Patterns say which files of a workspace are its own, in the language of
	// path.Match: "tools/native/*.yaml". A pattern may match folders.
	Patterns() []string

	// Load makes the tools of one file. With an error, which may join several, it
	// returns the tools that can be used all the same. Errors of f's methods have
	// their place in them. Load may be called again for a file that did not change.
	Load(ctx context.Context, f *File) ([]Found, error)
}

// Changing is a source whose tools change while their files stay, such as those of a
// server. [Watch] loads such a file again; [Load] has no use for it.
type Changing interface {
	// Version is another number whenever a Load of the file would return something
	// else than before, although the file is as it was. It is quick.
	Version(f *File) uint64

	// Changed returns a channel that is closed when the version of any file changes for
	// the next time. After that, Changed returns another.
	Changed() <-chan struct{}
}

// Watching is a source whose tools are made of more files than the patterns say.
type Watching interface {
	// Watches are folders, below the workspace or absolute, also some that are not there
	// yet. [Watch] loads the workspace again when anything in them changes.
	Watches() []string
}

// Described says what a kind's files look like.
type Described interface {
	// File returns the zero value of the struct that [File.Decode] reads the file into.
	File() any
}

// Found is a tool and where in its file it is defined; line 0 is the file as a whole.
// File names another file, below the workspace, for what was found in a folder.
type Found struct {
	Tool tool.Tool // nil where there is a Value, something is only to be closed, or has no tools yet
	File string
	Line int

	// Group names what the tool is a part of, such as a server. Of a group that
	// several files define, that of the first counts as a whole.
	Group string

	// Missing is what the names of the tools begin with that Group has and that are not
	// known now, such as those of a server that is down. An agent may name them, and
	// runs without them.
	Missing string

	// Exact is for a tool that is there for who names it: no pattern matches it, and any
	// other tool of its name counts before it. What it leads to must be there without it.
	Exact bool

	// Instead is for a tool that does the work of another.
	Instead *Instead

	// Value is what a file defines that is no tool, such as a prompt: [Values] returns it.
	Value any

	// Closer, if there is one, is closed when no catalog is left with what this Load
	// returned.
	Closer io.Closer
}

// Instead says that calls of a tool do what another is there for. Who wants to be asked
// before calls of that one is asked before these too.
type Instead struct {
	Of   string               // the name of the other
	When func(tool.Call) bool // which calls do; nil is all
}

// does reports whether a call is one of those.
func (i *Instead) does(call tool.Call) bool { return i != nil && (i.When == nil || i.When(call)) }

// File is a file, or a folder, of a workspace.
type File struct {
	Path     string // below Dir, with slashes
	Dir      string // the workspace's folder
	Data     []byte // nil for a folder
	Settings *Settings

	// Env looks an environment variable up.
	Env func(string) (string, bool)

	document *yamlfile.Document
}

// Decode reads the file as YAML into v, a pointer to a struct with yaml tags: a key
// without omitempty is required, an unknown one is an error with the nearest name,
// ${NAME} is the environment's. The error tells all that is wrong, each with its place.
func (f *File) Decode(v any) error {
	if f.Data == nil {
		return errors.New("this is a folder")
	}
	var err error
	f.document, err = yamlfile.Decode(f.Path, f.Data, v, f.Env)
	return err
}

// Errorf is an error at the value that pointer, a JSON Pointer (RFC 6901) such as
// "/tools/2", names in the file that was decoded. What the environment put into the file
// it shows as ${NAME}.
func (f *File) Errorf(pointer, format string, args ...any) error {
	return f.errorf(pointer, "", format, args...)
}

func (f *File) errorf(pointer, hint, format string, args ...any) *yamlfile.Error {
	e := f.document.Errorf(pointer, format, args...)
	e.Hint = hint
	return e
}

// Environment returns what the environment put into the file that was decoded, by the
// names of the variables. Any of it may be a secret.
func (f *File) Environment() map[string]string { return f.document.Environment() }

// Line is the line of the value that pointer names.
func (f *File) Line(pointer string) int {
	line, _ := f.document.At(pointer)
	return line
}
