package wasm

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"helve/sandbox"
)

func specError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{sandbox.ErrSpec}, args...)...)
}

// check finds what is wrong with a spec before anything is done for it, and the module,
// which is no file of the program's.
func check(spec sandbox.Spec, limits sandbox.Limits) (module []byte, err error) {
	if len(spec.Args) == 0 || spec.Args[0] == "" {
		return nil, specError("there is no module to run")
	}
	name := moduleName(spec.Args[0])
	rest := spec
	rest.Files = slices.Clone(spec.Files)
	at := slices.IndexFunc(rest.Files, func(f sandbox.File) bool { return f.Name == name })
	if at >= 0 {
		module, rest.Files[at].Data = rest.Files[at].Data, nil // it takes no room in /work
	}
	if err := rest.Check(limits); err != nil {
		return nil, err
	}
	if err := checkNames(rest.Files); err != nil {
		return nil, err
	}
	if err := checkMounts(spec.ReadOnly); err != nil {
		return nil, err
	}
	if at < 0 {
		return nil, fmt.Errorf("%w: there is no file %.100q among those that were given", sandbox.ErrExec, name)
	}
	return module, nil
}

// moduleName is the name of a file that an argument means, as a program is named.
func moduleName(arg string) string {
	return strings.TrimPrefix(path.Clean(strings.TrimPrefix(arg, "/work/")), "/")
}

// checkNames bounds what the tree of files does not take.
func checkNames(files []sandbox.File) error {
	nodes := map[string]bool{}
	for _, f := range files {
		if len(f.Name) > mostPath-len("/work/") {
			return specError("the file %.100q has a path that is too long", f.Name)
		}
		for _, part := range strings.Split(f.Name, "/") {
			if len(part) > mostName {
				return specError("the file %.100q has a name of more than %d bytes in its path", f.Name, mostName)
			}
		}
		for p := f.Name; p != "."; p = path.Dir(p) {
			nodes[p] = true
		}
	}
	if len(nodes) > mostNodes/2 {
		return specError("there are %d files and folders; at most %d can be given", len(nodes), mostNodes/2)
	}
	return nil
}

func checkMounts(mounts []sandbox.Mount) error {
	taken := []string{"/work", "/tmp"}
	for _, m := range mounts {
		target := m.At()
		if !fs.ValidPath(target[1:]) {
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
