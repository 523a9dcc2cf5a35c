package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"helve/sandbox"
)

func (a *app) sandboxRunCommand() *cobra.Command {
	var flags sandboxFlags
	cmd := &cobra.Command{
		Use:   "run [--] COMMAND [ARG]...",
		Short: "Run a program isolated from this machine",
		Long: `Run runs COMMAND where it finds /usr and little else of this machine, no network, and
none of your environment. Its folder is /work, with the files of --file in it; there and
in /tmp it may write, which is memory. What it makes in /work is gone with it, unless
--out names a folder to put it into. It reads standard input, if that is no terminal.

COMMAND is a name that is looked for in /usr/local/bin, /usr/bin and /bin, or a path in
the sandbox, such as ./count.sh for a file of /work; a WebAssembly module there runs by
itself. Flags stand before it.

The level of isolation is that of --level, else of helve.yaml.

The exit code is the program's own, or 128 and the number of the signal that ended it;
7 where it was stopped at a limit, 8 where it can't be isolated here, and 2 where it
can't be started or a file can't be put in or taken out. With 7, 8 and 2 a line on
standard error says why.`,
		Example: `  helve sandbox run -- sh -c 'id; ls /'
  helve sandbox run --file count.py -- python3 count.py < words.txt
  helve sandbox run --file in.csv=/data/sales.csv --file plot.py --out plots -- python3 plot.py
  helve sandbox run --mount ~/models=/models --time 5m --memory 2GiB -- ./infer`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := a.withTimeout(cmd.Context())
			defer cancel()
			if err := flags.check(cmd.Flags()); err != nil {
				return err
			}
			return a.sandboxRun(ctx, args, flags)
		},
	}
	flags.add(cmd)
	hideFlags(cmd, sandboxHidden...)
	return cmd
}

// maxSandboxInput is how many bytes of standard input a program is given.
const maxSandboxInput = 64 << 20

func (a *app) sandboxRun(ctx context.Context, args []string, flags sandboxFlags) error {
	spec, err := flags.spec(ctx, args)
	if err != nil {
		return err
	}
	out, err := openOutlet(flags.out, flags.force)
	if err != nil {
		return err
	}
	defer out.close()
	runner, err := a.runnerFor(spec, sandbox.Level(flags.level))
	if err != nil {
		return err
	}
	if spec.Stdin, err = a.givenInput(ctx); err != nil {
		return err
	}
	r, err := runner.Run(ctx, spec)
	if err != nil {
		return notPutIn(err, spec)
	}
	return a.tellRun(ctx, r, spec.Limits, out)
}

// runnerFor is what runs a program at a level, or at that of helve.yaml where none was named.
// A module among the files runs by itself, as it does as a script.
func (a *app) runnerFor(spec sandbox.Spec, level sandbox.Level) (sandbox.Runner, error) {
	if isModule(spec) {
		return a.modules()
	}
	if level == "" {
		set, err := a.configuredLevel()
		if err != nil {
			return nil, err
		}
		level = set.level
	}
	return a.box.get(func() (isolated, error) {
		box, err := sandbox.New(sandbox.Options{Level: level, Log: a.logger()})
		if err != nil {
			return nil, err
		}
		return box, nil
	})
}

// isModule reports whether the program is a WebAssembly module that was put in.
func isModule(spec sandbox.Spec) bool {
	i := slices.IndexFunc(spec.Files, func(f sandbox.File) bool { return "./"+f.Name == spec.Args[0] })
	return i >= 0 && bytes.HasPrefix(spec.Files[i].Data, []byte("\x00asm"))
}

// notPutIn helps somebody whose program is a file that lies here, and not in the sandbox.
func notPutIn(err error, spec sandbox.Spec) error {
	name := filepath.Clean(spec.Args[0])
	info, missing := os.Stat(name)
	given := slices.ContainsFunc(spec.Files, func(f sandbox.File) bool { return f.Name == filepath.ToSlash(name) })
	if !errors.Is(err, sandbox.ErrExec) || missing != nil || !info.Mode().IsRegular() {
		return err
	}
	f := classify(err)
	switch {
	case given && !strings.ContainsRune(spec.Args[0], '/'):
		f.hint = "write ./" + name + " for the file of /work"
	case !given && filepath.IsLocal(name):
		f.hint = fmt.Sprintf("put it in: --file %s -- ./%s", name, filepath.ToSlash(name))
	case !given:
		f.hint = fmt.Sprintf("put it in: --file %s=%s -- ./%[1]s", filepath.Base(name), name)
	}
	return f
}

// givenInput is what a program reads from standard input: nothing of a terminal's.
func (a *app) givenInput(ctx context.Context) ([]byte, error) {
	if isTerminal(a.std.in) {
		return nil, nil
	}
	data, err := a.readStdin(ctx, maxSandboxInput)
	if err != nil {
		return nil, cmp.Or(context.Cause(ctx), usage("standard input: %w", err))
	}
	return data, nil
}

// tellRun tells what came of a program, and puts what it made where it belongs.
func (a *app) tellRun(ctx context.Context, r *sandbox.Result, limits sandbox.Limits, out *outlet) error {
	if r.Reason == sandbox.Canceled {
		return cmp.Or(context.Cause(ctx), error(errInterrupted))
	}
	taken, problems := out.take(r.Files)
	if a.json || a.jsonl {
		encode(a.std.out, newSandboxResult(r))
	} else {
		a.printSandboxed(r)
	}
	for _, name := range taken {
		fmt.Fprintf(a.std.err, "helve: wrote %s\n", printable(name))
	}
	return cmp.Or(ended(r, limits), left(out, r, problems))
}

// printSandboxed prints what a program printed. A terminal does not get what could command
// it.
func (a *app) printSandboxed(r *sandbox.Result) {
	show := func(w io.Writer, data []byte) {
		if isTerminal(w) {
			data = []byte(printable(string(data)))
		}
		_, _ = w.Write(data) // that it failed, standard output knows
	}
	show(a.std.out, r.Stdout)
	show(a.std.err, r.Stderr)
}

// ended is how a program ended, if that is not well.
func ended(r *sandbox.Result, limits sandbox.Limits) error {
	limits = limits.Or(sandbox.DefaultLimits())
	stopped := func(hint, format string, args ...any) error {
		return &failure{exitLimit, string(r.Reason), fmt.Errorf("the program was stopped: "+format, args...), hint}
	}
	switch r.Reason {
	case sandbox.Timeout:
		return stopped("allow more with --time", "it ran for %v", limits.Time)
	case sandbox.CPU:
		return stopped("allow more with --time", "a process of it used %v of processor time", limits.CPU)
	case sandbox.Memory:
		return stopped("allow more with --memory", "it wanted more than %v of memory", byteSize(limits.Memory))
	case sandbox.Processes:
		return stopped("allow more with --processes", "it wanted more than %d processes and threads", limits.Processes)
	case sandbox.Output:
		return stopped("", "it printed more than %v", byteSize(limits.OutputTotal))
	}
	if r.Signal != "" {
		f := &failure{128 + signalNumber(r.Signal), "signal", fmt.Errorf("the program was ended by the signal %s", r.Signal), ""}
		if r.Signal == "SIGSYS" {
			f.hint = "it made a system call that ends a program here"
		}
		return f
	}
	if r.ExitCode != 0 {
		return &failure{code: r.ExitCode, err: errReported}
	}
	return nil
}

// left is the failure of files that were wanted and are not there.
func left(out *outlet, r *sandbox.Result, problems []error) error {
	if out == nil {
		return nil
	}
	for _, name := range r.Left {
		problems = append(problems, errors.New(name))
	}
	return notAll(problems)
}

func notAll(problems []error) error {
	if len(problems) == 0 {
		return nil
	}
	f := &failure{exitUsage, "files", fmt.Errorf("not all files were taken out: %w", errors.Join(problems...)), ""}
	if errors.Is(f.err, fs.ErrExist) {
		f.hint = "--force overwrites what is there"
	}
	return f
}

// sandboxResult is a result for programs.
type sandboxResult struct {
	Level     sandbox.Level  `json:"level"`
	ExitCode  int            `json:"exit_code"`
	Signal    string         `json:"signal,omitempty"`
	Reason    sandbox.Reason `json:"reason,omitempty"`
	Stdout    string         `json:"stdout"`
	Stderr    string         `json:"stderr"`
	Truncated bool           `json:"truncated,omitempty"`
	Files     []string       `json:"files"`
	Left      []string       `json:"left,omitempty"`
	TimeMS    float64        `json:"time_ms"`
	CPUMS     float64        `json:"cpu_ms"`
	Memory    int64          `json:"memory_bytes"`
}

func newSandboxResult(r *sandbox.Result) sandboxResult {
	return sandboxResult{
		Level: r.Level, ExitCode: r.ExitCode, Signal: r.Signal, Reason: r.Reason,
		Stdout: string(r.Stdout), Stderr: string(r.Stderr), Truncated: r.Truncated,
		Files: made(r.Files), Left: r.Left,
		TimeMS: float64(r.Usage.Time.Microseconds()) / 1000, CPUMS: float64(r.Usage.CPU.Microseconds()) / 1000, Memory: r.Usage.Memory,
	}
}
