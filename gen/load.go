package gen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"helve/internal/excerpt"
)

// FileName is the name of the generated file in its package.
const FileName = "helve_gen.go"

// program is the package that is read, and what was found in it.
type program struct {
	dir  string // as the caller named it
	abs  string
	here string // the working directory
	fset *token.FileSet
	pkg  *types.Package
	path string // of import

	files    []*ast.File // without the generated one
	info     *types.Info
	errs     []packages.Error
	problems Problems

	sources map[string]*ast.File // by name, for comments
	schemas typeutil.Map         // types that //helve:schema describes
}

// load reads the package in dir. Function bodies and the generated file are left
// out: nothing in them says what a tool is, and either may be broken because the
// generated file is old.
func load(ctx context.Context, dir string) (*program, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(abs); err != nil {
		return nil, fmt.Errorf("gen: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("gen: %s is a file: name the folder of the package", dir)
	}
	if !inModule(abs) {
		return nil, fmt.Errorf("gen: %s: %w", dir, errNoModule)
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	p := &program{dir: dir, abs: abs, here: here, fset: token.NewFileSet(), sources: map[string]*ast.File{}}
	found, err := packages.Load(&packages.Config{
		Context: ctx,
		Dir:     abs,
		Fset:    p.fset,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedModule,
		ParseFile: p.parse,
	}, ".")
	if err != nil {
		return nil, fmt.Errorf("gen: %s: %w", dir, loadError(err))
	}
	if len(found) != 1 || found[0].Types == nil || found[0].Name == "" {
		return nil, fmt.Errorf("gen: %s: %w", dir, notAPackage(ctx, abs, found))
	}
	pkg := found[0]
	for _, e := range pkg.Errors {
		if e.Kind == packages.ListError && strings.HasPrefix(e.Msg, "found packages") {
			return nil, fmt.Errorf("gen: %s: %s: a folder is one package", dir, e.Msg)
		}
	}
	p.pkg, p.path, p.info, p.errs = pkg.Types, pkg.PkgPath, pkg.TypesInfo, pkg.Errors
	for _, f := range pkg.Syntax {
		if p.fset.Position(f.FileStart).Filename != p.generated() {
			p.files = append(p.files, f)
		}
	}
	if len(p.files) == 0 {
		return nil, fmt.Errorf("gen: %s: %w", dir, notAPackage(ctx, abs, found))
	}
	return p, nil
}

func (p *program) generated() string { return filepath.Join(p.abs, FileName) }

// parse reads a file of the package, or one that it imports and that has no
// export data.
func (p *program) parse(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	if name == p.generated() {
		clause, err := parser.ParseFile(token.NewFileSet(), name, src, parser.PackageClauseOnly)
		if err != nil {
			return nil, nil //nolint:nilnil // it is written anew
		}
		return parser.ParseFile(fset, name, "package "+clause.Name.Name+"\n", parser.SkipObjectResolution)
	}
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil {
		return nil, err
	}
	for _, decl := range f.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
	return f, err
}

// position is where something stands, with the file as the caller would name it.
func (p *program) position(pos token.Pos) token.Position { return p.named(p.fset.Position(pos)) }

func (p *program) named(pos token.Position) token.Position {
	if rel, err := filepath.Rel(p.abs, pos.Filename); err == nil && filepath.IsLocal(rel) {
		pos.Filename = filepath.Join(p.dir, rel)
	} else if rel, err := filepath.Rel(p.here, pos.Filename); err == nil && filepath.IsLocal(rel) {
		pos.Filename = rel // of another package
	}
	return pos
}

// RequireHelve is how a go.mod requires helve, in words: it has no public module path,
// so a clone of it must be named.
const RequireHelve = `add "require helve v0.0.0" and "replace helve => DIR", where DIR is a clone of it, to go.mod, and run "go mod tidy"`

var errNoModule = errors.New(`the folder is in no Go module: run "go mod init NAME", ` + RequireHelve)

// inModule reports that a go.mod is in the folder or above it.
func inModule(dir string) bool {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

func loadError(err error) error {
	text := err.Error()
	switch {
	case strings.Contains(text, "go.mod file not found"), strings.Contains(text, "cannot find main module"):
		return errNoModule
	case strings.Contains(text, "executable file not found"):
		return errors.New(`the go command is not there: reading Go source needs it; install Go from https://go.dev/dl`)
	}
	return err
}

// notAPackage says why the folder is no package that can be read.
func notAPackage(ctx context.Context, dir string, found []*packages.Package) error {
	for _, pkg := range found {
		for _, e := range pkg.Errors {
			return loadError(errors.New(e.Msg))
		}
	}
	// The go command was told to go on after errors, and so left out the one that
	// counts: a go.mod that is not complete.
	cmd := exec.CommandContext(ctx, "go", "list", "--", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir)
	var told bytes.Buffer
	cmd.Stderr = &told
	err := cmd.Run()
	text := strings.TrimSpace(told.String())
	if err == nil || text == "" || strings.Contains(text, "no Go files") {
		return errors.New("no Go files here")
	}
	return errors.New(excerpt.Of(text, 8<<10))
}

// source returns a file for its comments, also one of another package, of which
// the compiler's export data knows the place alone. nil where it can't be read.
func (p *program) source(name string) *ast.File {
	if f, ok := p.sources[name]; ok {
		return f
	}
	i := slices.IndexFunc(p.files, func(f *ast.File) bool { return p.fset.Position(f.FileStart).Filename == name })
	if i >= 0 {
		p.sources[name] = p.files[i]
		return p.files[i]
	}
	f, err := parser.ParseFile(p.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		f = nil
	}
	p.sources[name] = f
	return f
}
