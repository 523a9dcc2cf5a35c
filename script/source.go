package script

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path"
	"strings"

	"helve/catalog"
	"helve/internal/nearest"
	"helve/sandbox"
	"helve/schema"
	"helve/tool"
)

// Folder is the place of scripts in a workspace: a folder in it for each tool.
const Folder = "tools/script"

// FileName is the file that says what a folder's tool is.
const FileName = "tool.yaml"

// Options say what scripts run in. Sandbox and WASM are asked at each call and by nothing
// else, from many goroutines: they return the same runner each time, or why there is none
// (an error that is a [sandbox.ErrUnavailable]). Where one is nil, tools of its kind are
// found and can't be called.
type Options struct {
	Sandbox func() (sandbox.Runner, error) // for programs
	WASM    func() (sandbox.Runner, error) // for modules
	Log     *slog.Logger                   // of what scripts write to their standard error; nil means slog.Default()
}

// Source finds scripts in a workspace: the folders of tools/script, each with a tool.yaml
// ([Config]). It reads a folder once for each Load; the tools run what it read then.
func Source(options Options) catalog.Source {
	return source{options.withLog()}
}

func (o Options) withLog() Options {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return o
}

type source struct{ options Options }

func (source) Kind() string { return "script" }

func (source) Patterns() []string { return []string{Folder + "/*"} }

// File makes source a [catalog.Described].
func (source) File() any { return Config{} }

func (s source) Load(_ context.Context, f *catalog.File) ([]catalog.Found, error) {
	if f.Data != nil {
		return nil, astray(f.Path)
	}
	if name := path.Base(f.Path); name == "__pycache__" || name == "node_modules" {
		return nil, nil // what was left beside the tools
	}
	folder, err := readFolder(f.Dir, f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // it vanished after it was listed
	}
	if err != nil {
		return nil, err
	}
	file, err := toolFile(f, folder)
	if err != nil {
		return nil, err
	}
	var c Config
	if err := file.Decode(&c); err != nil {
		return nil, err
	}
	wrong := problems{file: file}
	t, err := newScript(&c, folder, s.options, &wrong)
	if err != nil {
		return nil, err
	}
	return []catalog.Found{{Tool: t, File: file.Path, Line: file.Line("/name")}}, errors.Join(wrong.warnings...)
}

// astray says what to do with a file that lies where folders are expected.
func astray(file string) error {
	name := path.Base(file)
	switch ext := strings.ToLower(path.Ext(name)); {
	case ext == ".md" || ext == ".txt" || ext == "" && strings.ToUpper(name) == name: // README, LICENSE
		return nil
	default:
		p := problemf(file, "move it to "+path.Join(Folder, strings.TrimSuffix(name, path.Ext(name)), name)+", with a "+FileName+" beside it", "a script has a folder of its own")
		p.Warning = true
		return p
	}
}

// toolFile is the tool.yaml of a folder, to be decoded.
func toolFile(f *catalog.File, folder *folder) (*catalog.File, error) {
	found := folder.find(FileName)
	if found == nil {
		hint := "write one: name, description, parameters, command"
		for _, name := range folder.names() {
			if !strings.Contains(name, "/") && len(nearest.Names(name, []string{FileName}, 1)) > 0 {
				hint = "rename " + name + " to " + FileName
			}
		}
		return nil, problemf(folder.path, hint, "the folder has no %s", FileName)
	}
	data := bytes.TrimPrefix(found.Data, []byte("\xef\xbb\xbf")) // a byte order mark
	return &catalog.File{Path: path.Join(folder.path, FileName), Dir: f.Dir, Data: data, Settings: f.Settings, Env: f.Env}, nil
}

// newScript makes the tool that a Config describes.
func newScript(c *Config, f *folder, options Options, wrong *problems) (*script, error) {
	file := wrong.file
	checkNames(c, wrong)
	checkEnv(c, wrong)
	s := &script{
		folder: f.path, digest: f.digest,
		parameters: compileParameters(c, wrong),
		program:    newProgram(c, f, wrong),
		limits:     limitsOf(c, file.Settings, f, wrong),
		input:      c.Input, output: c.Output,
		secrets: secretsOf(c, file.Environment()),
		log:     options.Log.With("tool", c.Name),
		runner:  options.Sandbox,
	}
	s.files = withOut(f.files) // of which the program was made executable
	checkSecrets(c, s.secrets, wrong)
	checkOwnPaths(c.Command, f, file.Dir, wrong)
	checkMachine(s.program, wrong)
	if s.program.wasm {
		s.runner = options.WASM
	}
	if err := wrong.err(); err != nil {
		return nil, err
	}
	s.env = environment(c)
	s.definition = definition(c, s.parameters, s.limits)
	if err := s.definition.Check(); err != nil {
		wrong.add("/parameters", "%v", err)
		return nil, wrong.err()
	}
	return s, nil
}

func environment(c *Config) map[string]string {
	env := map[string]string{}
	for name, value := range c.Env {
		env[name] = value.Reveal()
	}
	return env
}

func definition(c *Config, parameters *schema.Schema, limits sandbox.Limits) tool.Definition {
	return tool.Definition{
		Name: c.Name, Description: c.Description, Parameters: parameters,
		Sequential: c.Sequential, ReadOnly: c.ReadOnly, Idempotent: c.Idempotent || c.ReadOnly, ReturnDirect: c.ReturnDirect,
		Timeout: limits.Time + graceTime,
	}
}
