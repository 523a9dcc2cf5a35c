package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"helve/sandbox"
)

// sandboxFlags say what a program is given, and how much it may use.
type sandboxFlags struct {
	files, mounts, env []string
	level              string
	time               time.Duration
	memory             byteSize
	processes          int
	out                string
	force              bool
}

func (s *sandboxFlags) add(cmd *cobra.Command) {
	standard := sandbox.DefaultLimits()
	s.time, s.memory, s.processes = standard.Time, byteSize(standard.Memory), standard.Processes
	f := cmd.Flags()
	f.SetInterspersed(false) // what follows the program is the program's
	f.StringArrayVar(&s.files, "file", nil, "put a file into /work, as `NAME[=LOCAL]`")
	f.StringArrayVar(&s.mounts, "mount", nil, "let it read a folder or file of this machine, as `DIR[=TARGET]`")
	f.StringArrayVar(&s.env, "env", nil, "set a variable of its environment, as `NAME=VALUE`")
	f.StringVar(&s.level, "level", "", "the `LEVEL` of isolation: strict, strict-noproc or reduced (default that of helve.yaml, else strict, or strict-noproc where there is no /proc)")
	f.DurationVar(&s.time, "time", s.time, "stop it after this `TIME`, and each of its processes after as much of processor time")
	f.Var(&s.memory, "memory", "stop it at this `SIZE` of memory, such as 2GiB")
	f.IntVar(&s.processes, "processes", s.processes, "how many processes and threads it may have, `N`")
	f.StringVar(&s.out, "out", "", "put the files that it makes in /work into `DIR`")
	f.BoolVar(&s.force, "force", false, "with --out: overwrite files that are there")
	_ = cmd.RegisterFlagCompletionFunc("level", cobra.FixedCompletions([]string{"strict", "strict-noproc", "reduced"}, cobra.ShellCompDirectiveNoFileComp))
}

func (s *sandboxFlags) check(f *pflag.FlagSet) error {
	switch _, known := sandbox.ParseLevel(s.level); {
	case s.level == string(sandbox.WASM):
		return usage("--level is for programs: a WebAssembly module runs by itself, on every system; leave --level out and name it as ./NAME.wasm")
	case f.Changed("level") && !known:
		return usage("unknown level %q: there are strict, strict-noproc and reduced", s.level)
	case s.time <= 0:
		return usage("--time must be more than 0")
	case s.memory < leastMemory:
		return usage("--memory must be at least %v: no program starts with less", byteSize(leastMemory))
	case s.processes < leastProcesses:
		return usage("--processes must be at least %d: no program starts with less", leastProcesses)
	case f.Changed("out") && s.out == "":
		return usage("--out is empty: name a folder")
	case s.force && s.out == "":
		return usage("--force goes with --out")
	}
	return nil
}

// What the launcher takes for itself, and a small program.
const (
	leastMemory    = 8 << 20
	leastProcesses = 8
)

// spec is what the flags say, with the files that they name.
func (s *sandboxFlags) spec(ctx context.Context, args []string) (sandbox.Spec, error) {
	standard := sandbox.DefaultLimits()
	spec := sandbox.Spec{Args: args, Env: map[string]string{}, Limits: sandbox.Limits{
		Time: s.time, CPU: s.time, Memory: int64(s.memory), Processes: s.processes,
		Output: standard.OutputTotal, // a person has room for all of it
	}}
	for _, pair := range s.env {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return spec, usage("--env %q: want NAME=VALUE", pair)
		}
		spec.Env[name] = value
	}
	for _, pair := range s.mounts {
		m, err := mount(pair)
		if err != nil {
			return spec, usage("--mount %q: %w", pair, err)
		}
		spec.ReadOnly = append(spec.ReadOnly, m)
	}
	for _, pair := range s.files {
		f, err := inputFile(ctx, pair, standard.FileSize)
		if err != nil {
			return spec, cmp.Or(context.Cause(ctx), usage("--file %q: %w", pair, err))
		}
		spec.Files = append(spec.Files, f)
	}
	return spec, nil
}

func mount(pair string) (sandbox.Mount, error) {
	source, target, _ := strings.Cut(pair, "=")
	source, err := filepath.Abs(source)
	if err == nil {
		_, err = os.Stat(source)
	}
	return sandbox.Mount{Source: source, Target: target}, err
}

// inputFile reads a file of this machine, most bytes at most.
func inputFile(ctx context.Context, pair string, most int64) (sandbox.File, error) {
	name, local, _ := strings.Cut(pair, "=")
	local = cmp.Or(local, name)
	f := sandbox.File{Name: filepath.ToSlash(filepath.Clean(name))}
	if !filepath.IsLocal(name) {
		return f, errors.New("the name has to be below /work: give it another, as NAME=LOCAL")
	}
	info, err := os.Stat(local)
	if err != nil {
		return f, err
	}
	if info.IsDir() {
		return f, errors.New("it is a folder: --mount shows one")
	}
	f.Mode = info.Mode().Perm()
	f.Data, err = readFile(ctx, local, int(most))
	if bytes.HasPrefix(f.Data, []byte("#!")) { // as a script is, whatever its mode here
		f.Mode |= 0o111
	}
	return f, err
}

// byteSize is a flag for a number of bytes.
type byteSize int64

// units are those of tool.yaml, and one letter for its power of 1024.
var units = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"G", 1 << 30}, {"M", 1 << 20}, {"K", 1 << 10}, {"B", 1}}

func (b byteSize) String() string {
	for _, u := range units[:3] {
		if int64(b) >= u.bytes && int64(b)%u.bytes == 0 {
			return fmt.Sprintf("%d %s", int64(b)/u.bytes, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", int64(b))
}

func (b *byteSize) Set(text string) error {
	number, unit := text, int64(1)
	for _, u := range units {
		if n := len(text) - len(u.name); n >= 0 && strings.EqualFold(text[n:], u.name) {
			number, unit = text[:n], u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return errors.New("want a size, such as 512MiB")
	}
	*b = byteSize(n * unit)
	return nil
}

func (b *byteSize) Type() string { return "SIZE" }
