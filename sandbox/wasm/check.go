package wasm

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"helve/sandbox"
)

// Bounds of a Spec.
const (
	mostArgs   = 1 << 20 // bytes of arguments and environment
	mostMounts = 64
)

func specError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{sandbox.ErrSpec}, args...)...)
}

// check finds what is wrong with a spec before anything is done for it, and the module.
func check(spec sandbox.Spec, limits sandbox.Limits) ([]byte, error) {
	if err := checkLimits(limits); err != nil {
		return nil, err
	}
	if err := checkArgs(spec); err != nil {
		return nil, err
	}
	if err := checkMounts(spec.ReadOnly); err != nil {
		return nil, err
	}
	name := moduleName(spec.Args[0])
	if err := checkFiles(spec.Files, name, limits); err != nil {
		return nil, err
	}
	if path.Ext(name) != ".wasm" {
		return nil, specError("%.100q is no module: the first argument is the path below /work of a file that ends in .wasm", spec.Args[0])
	}
	for _, f := range spec.Files {
		if f.Name == name {
			return f.Data, nil
		}
	}
	return nil, fmt.Errorf("%w: there is no file %.100q among those that were given", sandbox.ErrExec, name)
}

// moduleName is the name of a file that an argument means, as a program is named.
func moduleName(arg string) string {
	return strings.TrimPrefix(path.Clean(strings.TrimPrefix(arg, "/work/")), "/")
}

func checkLimits(l sandbox.Limits) error {
	if l.Time < 0 || l.Memory < 0 || l.Work < 0 || l.Temp < 0 || l.FileSize < 0 ||
		l.Output < 0 || l.OutputTotal < 0 || l.Files < 0 || l.FileBytes < 0 {
		return specError("a limit is negative; the least that can be asked for is 1, and 0 is the default")
	}
	return nil
}

func checkArgs(spec sandbox.Spec) error {
	if len(spec.Args) == 0 || spec.Args[0] == "" {
		return specError("there is no module to run")
	}
	size := 0
	for _, a := range spec.Args {
		size += len(a) + 1
		if strings.ContainsRune(a, 0) {
			return specError("the argument %.40q holds a zero byte", a)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(spec.Env)) {
		value := spec.Env[name]
		size += len(name) + len(value) + 2
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) {
			return specError("the environment variable %.40q has a name or a value that can't be", name)
		}
	}
	if size > mostArgs {
		return specError("the arguments and the environment have %d bytes; at most %d can be passed: give a file, or standard input", size, mostArgs)
	}
	return nil
}

func checkFiles(files []sandbox.File, module string, limits sandbox.Limits) error {
	var bytes int64
	nodes := map[string]bool{} // true for files
	for _, f := range files {
		if !fs.ValidPath(f.Name) || f.Name == "." || strings.ContainsRune(f.Name, 0) || len(f.Name) > mostPath-len("/work/") {
			return specError("the file %.100q has no path below /work: it must be relative, with slashes, and without . and ..", f.Name)
		}
		if nodes[f.Name] {
			return specError("the file %.100q is given twice", f.Name)
		}
		nodes[f.Name] = true
		for _, part := range strings.Split(f.Name, "/") {
			if len(part) > mostName {
				return specError("the file %.100q has a name of more than %d bytes in its path", f.Name, mostName)
			}
		}
		if f.Name == module {
			continue
		}
		if int64(len(f.Data)) > limits.FileSize {
			return specError("the file %.100q has %d bytes; the limit of a file is %d", f.Name, len(f.Data), limits.FileSize)
		}
		if bytes += int64(len(f.Data)); bytes > limits.Work {
			return specError("the files have more than the %d bytes of /work", limits.Work)
		}
	}
	for _, f := range files {
		for dir := path.Dir(f.Name); dir != "."; dir = path.Dir(dir) {
			if nodes[dir] {
				return specError("%.100q is given as a file and as the folder of %.100q", dir, f.Name)
			}
			nodes[dir] = false
		}
	}
	if len(nodes) > mostNodes/2 {
		return specError("there are %d files and folders; at most %d can be given", len(nodes), mostNodes/2)
	}
	return nil
}

func checkMounts(mounts []sandbox.Mount) error {
	if len(mounts) > mostMounts {
		return specError("there are %d read-only mounts; at most %d can be given", len(mounts), mostMounts)
	}
	taken := []string{"/work", "/tmp"}
	for _, m := range mounts {
		target := mountTarget(m)
		if !filepath.IsAbs(m.Source) || strings.ContainsRune(m.Source, 0) {
			return specError("the source %.100q of a read-only mount is no absolute path", m.Source)
		}
		if !path.IsAbs(target) || path.Clean(target) != target || target == "/" || !fs.ValidPath(target[1:]) || strings.ContainsRune(target, 0) {
			return specError("the target %.100q of a read-only mount is no clean absolute path", target)
		}
		for _, other := range taken {
			if target == other || strings.HasPrefix(target, other+"/") || strings.HasPrefix(other, target+"/") {
				return specError("a read-only mount can't be at %.100q: %.100q is there", target, other)
			}
		}
		taken = append(taken, target)
	}
	return nil
}

func mountTarget(m sandbox.Mount) string {
	if m.Target == "" {
		return filepath.ToSlash(m.Source)
	}
	return m.Target
}
