package gofunc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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
	if err := b.unchanged(ctx); err != nil {
		return nil, err
	}
	if b.source == b.dir {
		if _, err := file.Write(); err != nil {
			return nil, err
		}
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
	parts   []part
	files   map[string]string // digests of parts
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
	return &build{named: dir, dir: real, cache: cache, temp: temp}, nil
}

// unchanged returns an error if the sources are not what they were when the build began.
func (b *build) unchanged(ctx context.Context) error {
	now, err := digest(ctx, b.dir)
	if err != nil {
		return fmt.Errorf("gofunc: %s: %w", b.named, err)
	}
	files, err := newReader(ctx).parts(b.parts)
	if err != nil {
		return fmt.Errorf("gofunc: %w", err)
	}
	if now != b.digest || difference(files, b.files) != "" {
		return fmt.Errorf("gofunc: %s changed while it was built: build it again", b.named)
	}
	return nil
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
	if b.source != b.dir { // nobody knows the copy
		_, err = file.Write()
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
	replace := map[string]string{filepath.Join(b.module, mainDir, "main.go"): mainFile}
	if b.source == b.dir { // the file is written when all has gone well
		generated := filepath.Join(b.temp, gen.FileName)
		replace[filepath.Join(b.source, gen.FileName)] = generated
		if err := os.WriteFile(generated, file.Source, 0o600); err != nil {
			return fmt.Errorf("gofunc: %w", err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	b.overlay = filepath.Join(b.temp, "overlay.json")
	if err := errors.Join(os.WriteFile(mainFile, []byte(main), 0o600), os.WriteFile(b.overlay, overlay, 0o600)); err != nil {
		return fmt.Errorf("gofunc: %w", err)
	}
	if err := b.dependencies(ctx); err != nil {
		return err
	}
	_, err = b.golang(ctx, "build", "-buildvcs=false", "-overlay", b.overlay, "-o", filepath.Join(b.temp, programName), "./"+mainDir)
	return err
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
		if lacksHelve(text) {
			text += "\nthe module " + b.module + " must require helve: " + gen.RequireHelve
		}
		return nil, fmt.Errorf("gofunc: %s does not build: %w\n%s", b.named, err, excerpt.Of(text, 8<<10))
	}
	return out.Bytes(), nil
}

// lacksHelve reports that the go command found no helve. It takes the path for one of
// Go's own, since there is no dot in it.
func lacksHelve(text string) bool {
	return strings.Contains(text, "package helve/") && strings.Contains(text, "is not in std") ||
		strings.Contains(text, "no required module provides package helve/")
}

// keep puts the program into the cache.
func (b *build) keep(file *gen.File) error {
	m := manifest{Folder: b.dir, Built: time.Now(), Parts: b.parts, Files: b.files}
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
		os.Rename(final, filepath.Join(b.cache, b.digest+"-"+filepath.Base(b.temp))),
	)
	if err != nil {
		return fmt.Errorf("gofunc: %w", err)
	}
	return nil
}

// earlier is how many programs of a folder are kept besides the newest. A chat that
// runs may have one of them, and start it again.
const earlier = 2

// forget takes out the oldest programs of the folder.
func (b *build) forget() {
	all, err := builds(b.cache, "")
	if err != nil {
		return // what can't be read is kept
	}
	kept := 0
	for _, old := range all {
		if old.Folder != b.dir {
			continue
		}
		if kept++; kept > earlier {
			_ = os.RemoveAll(old.dir)
		}
	}
}
