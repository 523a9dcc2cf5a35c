package gofunc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"helve/gen"
	"helve/internal/excerpt"
)

// Build compiles the Go package in dir into a program that serves its tools, and keeps
// it in cache; "" means [CacheDir]. It runs the go command, but nothing of the package.
// The file that it returns is that of [gen.Generate]; it is written into the folder if
// that is in a module.
//
// The error is of type [gen.Problems] where the source is not as it must be.
func Build(ctx context.Context, dir, cache string) (*gen.File, error) {
	b, err := newBuild(dir, cache)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(b.temp)
	if b.digest, err = digest(ctx, b.dir); err != nil {
		return nil, fmt.Errorf("gofunc: %s: %w", dir, err)
	}
	file, err := b.generate(ctx)
	if err != nil {
		return nil, err
	}
	if err := b.compile(ctx, file); err != nil {
		return nil, err
	}
	if now, err := digest(ctx, b.dir); err != nil || now != b.digest {
		return nil, errors.Join(err, fmt.Errorf("gofunc: %s changed while it was built: build it again", dir))
	}
	return file, b.keep(file)
}

// build is one run of Build.
type build struct {
	named, dir string // as the caller wrote it; without symbolic links
	cache      string
	temp       string // in cache, so that a rename is enough in the end
	digest     string

	module  string // folder of the go.mod that counts
	source  string // folder that is compiled: dir, or a copy
	overlay string
	files   map[string]string
}

func newBuild(dir, cache string) (*build, error) {
	real, err := realPath(dir)
	if err != nil {
		return nil, fmt.Errorf("gofunc: %w", err)
	}
	if cache == "" {
		if cache, err = CacheDir(); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, fmt.Errorf("gofunc: %w", err)
	}
	temp, err := os.MkdirTemp(cache, "build-*")
	if err != nil {
		return nil, fmt.Errorf("gofunc: %w", err)
	}
	return &build{named: dir, dir: real, cache: cache, temp: temp, files: map[string]string{}}, nil
}

func realPath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// generate makes the package's tools, in the folder itself or in a copy of it.
func (b *build) generate(ctx context.Context) (*gen.File, error) {
	b.module, b.source = moduleOf(b.dir), b.dir
	named := b.named
	if b.module == "" {
		if err := b.makeModule(); err != nil {
			return nil, err
		}
		named = b.source
	}
	file, err := gen.Generate(ctx, named)
	var problems gen.Problems
	if errors.As(err, &problems) {
		for i := range problems {
			problems[i].Pos.Filename = b.rename(problems[i].Pos.Filename)
			problems[i].Message = b.words(problems[i].Message)
		}
		return nil, problems
	}
	if err != nil {
		return nil, &renamedError{b.words(err.Error()), err}
	}
	if file.Command() {
		return nil, fmt.Errorf("gofunc: %s is a package main, which nothing can import: name the package otherwise, such as %q", b.named, "tools")
	}
	_, err = file.Write()
	if b.source != b.dir { // nobody knows the copy
		for i := range file.Tools {
			file.Tools[i].Place = b.rename(file.Tools[i].Place)
		}
	}
	return file, err
}

// moduleOf returns the folder of the go.mod that dir is below, or "".
func moduleOf(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

const mainDir = "helve_gofunc_main"

// compile builds the program. Its main function exists for the go command alone, in an
// overlay of the module.
func (b *build) compile(ctx context.Context, file *gen.File) error {
	main := "package main\n\nimport (\n\t\"helve/gofunc/serve\"\n\n\ttools " + strconv.Quote(file.Package) + "\n)\n\nfunc main() { serve.Main(tools." + file.Function + "()) }\n"
	mainFile := filepath.Join(b.temp, "main.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(b.module, mainDir, "main.go"): mainFile}})
	if err != nil {
		return err
	}
	b.overlay = filepath.Join(b.temp, "overlay.json")
	if err := errors.Join(os.WriteFile(mainFile, []byte(main), 0o600), os.WriteFile(b.overlay, overlay, 0o600)); err != nil {
		return fmt.Errorf("gofunc: %w", err)
	}
	if _, err := b.golang(ctx, "build", "-buildvcs=false", "-overlay", b.overlay, "-o", filepath.Join(b.temp, programName), "./"+mainDir); err != nil {
		return err
	}
	return b.dependencies(ctx)
}

// golang runs the go command in the module.
func (b *build) golang(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = b.module
	cmd.Env = append(os.Environ(), "PWD="+b.module)
	if b.source != b.dir {
		cmd.Env = append(cmd.Env, "GOFLAGS=-mod=mod", "GOWORK=off")
	}
	var out, told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &told
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text := b.told(strings.TrimSpace(told.String()))
		if strings.Contains(text, "helve/tool") && strings.Contains(text, "no required module provides") {
			text += "\nthe module must require helve: write " + gen.RequireHelve + " into " + filepath.Join(b.module, "go.mod")
		}
		return nil, fmt.Errorf("gofunc: %s does not build: %w\n%s", b.named, err, excerpt.Of(text, 8<<10))
	}
	return out.Bytes(), nil
}

// dependencies notes the files outside the folder that the program was made of: the
// module's, and those of its packages that the folder imports. Other modules do not
// change without go.mod.
func (b *build) dependencies(ctx context.Context) error {
	if b.source != b.dir {
		return nil // everything is in the folder
	}
	list, err := b.golang(ctx, "list", "-deps", "-overlay", b.overlay, "-json=Dir,GoFiles,EmbedFiles,Module", "./"+mainDir)
	if err != nil {
		return err
	}
	paths := []string{filepath.Join(b.module, "go.mod"), filepath.Join(b.module, "go.sum")}
	for dec := json.NewDecoder(bytes.NewReader(list)); dec.More(); {
		var p struct {
			Dir                 string
			GoFiles, EmbedFiles []string
			Module              *struct{ Main bool }
		}
		if err := dec.Decode(&p); err != nil {
			return fmt.Errorf("gofunc: go list: %w", err)
		}
		if p.Module == nil || !p.Module.Main || p.Dir == b.dir || filepath.Base(p.Dir) == mainDir {
			continue
		}
		for _, name := range append(p.GoFiles, p.EmbedFiles...) {
			paths = append(paths, filepath.Join(p.Dir, name))
		}
	}
	r := newReader(ctx)
	for _, path := range paths {
		if b.files[path], err = r.sum(disk{}, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("gofunc: %w", err)
		}
	}
	return nil
}

// keep puts the program into the cache, and takes out those of the folder as it was.
func (b *build) keep(file *gen.File) error {
	m := manifest{Folder: b.dir, Files: b.files}
	for _, t := range file.Tools {
		file, line := b.within(t.Place)
		m.Tools = append(m.Tools, newDefinition(t.Definition, file, line))
	}
	data, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return fmt.Errorf("gofunc: %w", err)
	}
	b.forget()
	final := filepath.Join(b.temp, "final")
	err = errors.Join(
		os.Mkdir(final, 0o700),
		os.WriteFile(filepath.Join(final, manifestName), data, 0o600),
		os.Rename(filepath.Join(b.temp, programName), filepath.Join(final, programName)),
		os.Rename(final, filepath.Join(b.cache, b.digest)),
	)
	if err != nil {
		return fmt.Errorf("gofunc: %w", err)
	}
	return nil
}

func (b *build) forget() {
	entries, _ := os.ReadDir(b.cache) // what can't be read is kept
	for _, e := range entries {
		m, err := readManifest(b.cache, e.Name())
		if err == nil && m.Folder == b.dir {
			_ = os.RemoveAll(filepath.Join(b.cache, e.Name()))
		}
	}
	_ = os.RemoveAll(filepath.Join(b.cache, b.digest))
}
