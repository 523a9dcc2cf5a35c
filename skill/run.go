package skill

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"helve/sandbox"
	"helve/tool"
)

// What one run may be given.
const (
	maxArgs  = 256
	maxArg   = 100 << 10 // bytes; the kernel has 128 KiB for one
	maxGiven = 100       // files
	maxInput = 8 << 20   // bytes of standard input and the files
	maxTime  = 5 * time.Minute
)

// Command is a run of a script. A zero field is possible, but for Script.
type Command struct {
	Script string            // a path in the skill's list of files
	Args   []string          // each is one argument: there is no shell
	Stdin  string            // what it reads from standard input
	Files  map[string]string // more files, by paths below the skill's folder
	Time   time.Duration     // how long it may take, 5 minutes at most; the runner's default
}

// Run runs a script of s in a sandbox. It finds copies of the skill's files in its
// directory, as they were when the skill was loaded, and what it writes is gone with it but
// for the result's Files. A script that fails is a result. The error is for what did not
// run, and is a [*tool.Error], or one of ctx.
func (l *Library) Run(ctx context.Context, s *Skill, c Command) (*sandbox.Result, error) {
	if err := c.check(s); err != nil {
		return nil, err
	}
	files, err := s.stage()
	if err != nil {
		return nil, err
	}
	how, err := s.interpreter(c.Script, files)
	if err != nil {
		return nil, err
	}
	runner := l.options.Runner
	if how.wasm {
		runner = l.options.WASM
	}
	if runner == nil {
		return nil, &tool.Error{Kind: tool.KindUnavailable, Message: "Scripts of skills can't be run here: there is no sandbox for them."}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		files = append(files, sandbox.File{Name: name, Data: []byte(c.Files[name])})
	}
	result, err := runner.Run(ctx, sandbox.Spec{
		Args:   append(how.args, c.Args...),
		Files:  files,
		Stdin:  []byte(c.Stdin),
		Limits: sandbox.Limits{Time: min(c.Time, maxTime), CPU: min(c.Time, maxTime)},
	})
	return result, notRun(err, s, how)
}

// stage returns copies of the skill's files. Those that came since it was loaded are none
// of it.
func (s *Skill) stage() ([]sandbox.File, error) {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, s.gone(err)
	}
	defer root.Close()
	files := make([]sandbox.File, 0, len(s.Files))
	for _, f := range s.Files {
		data, err := s.read(root, f)
		if err != nil {
			return nil, err
		}
		mode := fs.FileMode(0o644)
		if f.Executable {
			mode = 0o755
		}
		files = append(files, sandbox.File{Name: f.Path, Mode: mode, Data: data})
	}
	return files, nil
}

// check finds what no sandbox needs to be asked for.
func (c Command) check(s *Skill) error {
	if _, err := s.own(c.Script); err != nil {
		return err
	}
	if len(c.Args) > maxArgs {
		return invalid("there are %d arguments, and at most %d are allowed", len(c.Args), maxArgs)
	}
	for i, a := range c.Args {
		if strings.ContainsRune(a, 0) {
			return invalid("argument %d has a NUL byte in it, which none can have", i+1)
		}
		if len(a) > maxArg {
			return invalid("argument %d has %d bytes, and at most %d are possible: give a file, or stdin", i+1, len(a), maxArg)
		}
	}
	if len(c.Files) > maxGiven {
		return invalid("there are %d files, and at most %d are allowed", len(c.Files), maxGiven)
	}
	if c.Time < 0 {
		return invalid("the timeout is negative")
	}
	bytes := len(c.Stdin)
	for name, text := range c.Files {
		bytes += len(text)
		if err := c.checkName(s, name); err != nil {
			return err
		}
	}
	if bytes > maxInput {
		return invalid("standard input and the files are %d bytes long, and at most %d are allowed", bytes, maxInput)
	}
	return nil
}

// checkName refuses a file that is not below the skill's folder, or that would take the
// place of one of the skill's or of its folders, or needs one as a folder.
func (c Command) checkName(s *Skill, name string) error {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00") || len(name) > maxPath {
		return invalid("%.200q is no path of a file below the skill's folder: write it like data/input.csv", name)
	}
	if s.has(name) {
		return invalid("%.200q is a file or folder of the skill itself: give yours another name", name)
	}
	for at := strings.LastIndexByte(name, '/'); at >= 0; at = strings.LastIndexByte(name[:at], '/') {
		_, own := s.file(name[:at])
		if _, given := c.Files[name[:at]]; own || given {
			return invalid("%.200q needs a folder where there is a file", name)
		}
	}
	return nil
}

func invalid(format string, args ...any) error {
	return &tool.Error{Kind: tool.KindInvalidParameters, Message: fmt.Sprintf(format, args...) + "."}
}

// notRun tells a model why nothing ran. What the machine lacks is for its owner.
func notRun(err error, s *Skill, how interpreter) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sandbox.ErrUnavailable):
		return &tool.Error{Kind: tool.KindUnavailable, Message: "Scripts of skills can't be run on this machine: it can't isolate them.", Err: err}
	case errors.Is(err, sandbox.ErrExec):
		return &tool.Error{Kind: tool.KindUnavailable, Message: fmt.Sprintf("The script of the skill %s needs the program %s, which is not there.", s.Name, how.args[0]), Err: err}
	case errors.Is(err, sandbox.ErrSpec):
		return &tool.Error{Kind: tool.KindInvalidParameters, Message: fmt.Sprintf("The script of the skill %s can't be run with this: %v.", s.Name, err), Err: err}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &tool.Error{Kind: tool.KindExecution, Message: fmt.Sprintf("The script of the skill %s could not be run.", s.Name), Err: err}
}
