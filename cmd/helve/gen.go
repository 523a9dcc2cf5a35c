package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"helve/gen"
	"helve/gofunc"
)

func (a *app) genCommand() *cobra.Command {
	check, build := false, false
	cmd := &cobra.Command{
		Use:   "gen [DIR]",
		Short: "Make tools of Go functions",
		Long: `Gen reads the Go package in DIR, or here, and makes a tool of each function whose
doc comment ends with the line //helve:tool:

  // SearchHandbook looks in the handbook. query is what to look for; limit is how
  // many passages to return (default 10).
  //
  //helve:tool read_only timeout=5s
  func SearchHandbook(ctx context.Context, query string, limit int) (string, error)

It writes helve_gen.go beside the source, whose function Tools returns the tools.
The options are name=NAME, read_only, idempotent, sequential, return_direct and
timeout=TIME; "go doc helve/gen" says which types and comments it understands. It
runs nothing of the package. Put //go:generate helve gen into a file, and "go
generate" does the same.

With --check nothing is written: it exits 1 where the file is not what the source
says.

The folder tools/builtin of a workspace is compiled too, into a program in your cache
that calls the functions. Without this command no code of a workspace is compiled or
run: give it only for code that you trust, and again after each change. --build does
the same for a folder that is called otherwise.`,
		Example: `  helve gen
  helve gen ./internal/tools
  helve gen tools/builtin
  helve gen --check ./internal/tools
  helve gen --json | jq -r '.tools[].name'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return a.generate(cmd.Context(), dir, check, build || inWorkspace(dir))
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; exit 1 where the file is not current")
	cmd.Flags().BoolVar(&build, "build", false, "compile the functions for a workspace, wherever they are")
	return cmd
}

// inWorkspace reports that dir is where a workspace has its Go functions.
func inWorkspace(dir string) bool {
	abs, err := filepath.Abs(dir)
	return err == nil && strings.HasSuffix(filepath.ToSlash(abs), "/"+gofunc.Folder)
}

// generated is what became of a package, for programs.
type generated struct {
	Path     string       `json:"path,omitempty"`
	Package  string       `json:"package,omitempty"`
	Function string       `json:"function,omitempty"`
	Tools    []gen.Tool   `json:"tools"`
	Changed  bool         `json:"changed"`
	Built    bool         `json:"built,omitempty"`
	Stale    string       `json:"stale,omitempty"`
	Problems []genProblem `json:"problems"`
}

type genProblem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func (a *app) generate(ctx context.Context, dir string, check, build bool) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usage("%s is no folder: name the folder of a Go package", dir)
	}
	out := generated{Tools: []gen.Tool{}, Problems: []genProblem{}}
	var err error
	switch {
	case build && check:
		err = a.checkBuilt(ctx, dir, &out)
	case build:
		err = a.build(ctx, dir, &out)
	default:
		err = a.writeFile(ctx, dir, check, &out)
	}
	var problems gen.Problems
	if errors.As(err, &problems) {
		return a.reportProblems(out, problems)
	}
	if err != nil {
		return &failure{code: exitUnexpected, kind: "source", err: err}
	}
	a.printGenerated(dir, out, check)
	if out.Stale != "" {
		return &failure{code: exitUnexpected, err: errReported}
	}
	return nil
}

func (a *app) writeFile(ctx context.Context, dir string, check bool, out *generated) error {
	file, err := gen.Generate(ctx, dir)
	if err != nil {
		return err
	}
	out.Path, out.Package, out.Function, out.Tools = file.Path, file.Package, file.Function, file.Tools
	if check {
		out.Stale, err = file.Stale()
	} else {
		out.Changed, err = file.Write()
	}
	return err
}

func (a *app) build(ctx context.Context, dir string, out *generated) error {
	file, err := gofunc.Build(ctx, dir, "")
	if err != nil {
		return err
	}
	out.Path, out.Package, out.Function, out.Tools = dir, file.Package, file.Function, file.Tools
	out.Changed, out.Built = true, true
	return nil
}

func (a *app) checkBuilt(ctx context.Context, dir string, out *generated) error {
	out.Path = dir
	err := gofunc.Check(ctx, dir, "")
	if errors.Is(err, gofunc.ErrStale) {
		out.Stale, err = dir+": "+err.Error(), nil
	}
	return err
}

func (a *app) printGenerated(dir string, out generated, check bool) {
	switch {
	case a.json || a.jsonl:
		encode(a.std.out, out)
	case out.Stale != "":
		fmt.Fprintf(a.std.err, "helve: %s\n  run \"helve gen %s\"\n", printable(out.Stale), dir)
	case check && len(out.Tools) == 0:
		fmt.Fprintf(a.std.out, "%s is built as it is\n", out.Path)
	case check || !out.Changed:
		fmt.Fprintf(a.std.out, "%s is current: %s\n", out.Path, count(len(out.Tools), "tool"))
	default:
		fmt.Fprintf(a.std.out, "%s: %s\n", out.Path, count(len(out.Tools), "tool"))
		for _, t := range out.Tools {
			fmt.Fprintf(a.std.out, "  %s  %s (%s)\n", t.Name, t.Function, t.Place)
		}
	}
}

// reportProblems tells what no tool can be made of.
func (a *app) reportProblems(out generated, problems gen.Problems) error {
	for _, p := range problems {
		out.Problems = append(out.Problems, genProblem{p.Pos.Filename, p.Pos.Line, p.Pos.Column, p.Message})
	}
	if a.json || a.jsonl {
		encode(a.std.out, out)
	} else {
		fmt.Fprintf(a.std.err, "%s\nhelve: %s: nothing was written\n", printable(problems.Error()), count(len(problems), "problem"))
	}
	return &failure{code: exitUnexpected, err: errReported}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
