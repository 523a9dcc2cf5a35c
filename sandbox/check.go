package sandbox

import (
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of a Spec, against mistakes: the kernel has bounds of its own.
const (
	mostArgs     = 1 << 20 // bytes of arguments and environment
	mostFiles    = 10_000
	mostMounts   = 64
	mostName     = 255     // bytes of a file's name
	mostPath     = 4000    // bytes of a path
	slackOfFiles = 4 << 10 // bytes that a file takes of /work besides its own
)

// Check finds what is wrong with a spec, whatever runs it, under limits that have no zero
// fields any more. The error is an [ErrSpec]. Who runs it may want more, and says so.
func (s Spec) Check(limits Limits) error {
	if err := s.checkArgs(); err != nil {
		return err
	}
	if l := limits; min(l.Time, l.CPU) < 0 || min(l.Memory, l.Work, l.Temp, l.FileSize, l.FileBytes) < 0 || min(l.Processes, l.Output, l.OutputTotal, l.Files) < 0 {
		return specError("a limit is negative; the least that can be asked for is 1, and 0 is the default")
	}
	if err := checkFiles(s.Files, limits); err != nil {
		return err
	}
	if len(s.ReadOnly) > mostMounts {
		return specError("there are %d read-only mounts; at most %d can be given", len(s.ReadOnly), mostMounts)
	}
	for _, m := range s.ReadOnly {
		if err := m.check(); err != nil {
			return err
		}
		for _, other := range s.ReadOnly {
			if strings.HasPrefix(m.At(), other.At()+"/") { // a link in the other could lead it anywhere
				return specError("a read-only mount can't be at %.100q, which lies in another", m.At())
			}
		}
	}
	return nil
}

func (s Spec) checkArgs() error {
	if len(s.Args) == 0 || s.Args[0] == "" {
		return specError("there is no program")
	}
	size := 0
	for _, a := range s.Args {
		size += len(a) + 1
		if strings.ContainsRune(a, 0) || !utf8.ValidString(a) {
			return specError("the argument %.40q holds a zero byte, or is not in UTF-8", a)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		value := s.Env[name]
		size += len(name) + len(value) + 2
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) || !utf8.ValidString(name+value) {
			return specError("the environment variable %.40q has a name or a value that can't be", name)
		}
	}
	if size > mostArgs {
		return specError("the arguments and the environment have %d bytes; at most %d can be passed: give a file, or standard input", size, mostArgs)
	}
	return nil
}

func checkFiles(files []File, limits Limits) error {
	if len(files) > mostFiles {
		return specError("there are %d files; at most %d can be given", len(files), mostFiles)
	}
	var bytes int64
	seen := make(map[string]bool, len(files))
	for _, f := range files {
		if !fs.ValidPath(f.Name) || f.Name == "." || strings.ContainsRune(f.Name, 0) {
			return specError("the file %.100q has no path below /work: it must be relative, with slashes, and without . and ..", f.Name)
		}
		if len(f.Name) > mostPath || slices.ContainsFunc(strings.Split(f.Name, "/"), func(part string) bool { return len(part) > mostName }) {
			return specError("the file %.100q has a name that is too long: %d bytes are possible, and %d in a path", f.Name, mostName, mostPath)
		}
		if seen[f.Name] {
			return specError("the file %.100q is given twice", f.Name)
		}
		seen[f.Name] = true
		if int64(len(f.Data)) > limits.FileSize {
			return specError("the file %.100q has %d bytes; the limit of a file is %d", f.Name, len(f.Data), limits.FileSize)
		}
		bytes += int64(len(f.Data)) + slackOfFiles
	}
	if bytes > limits.Work {
		return specError("the files take %d bytes; /work has %d", bytes, limits.Work)
	}
	for _, f := range files {
		for dir := path.Dir(f.Name); dir != "."; dir = path.Dir(dir) {
			if seen[dir] {
				return specError("%.100q is given as a file and as the folder of %.100q", dir, f.Name)
			}
		}
	}
	return nil
}

func (m Mount) check() error {
	target := m.At()
	if !filepath.IsAbs(m.Source) || strings.ContainsRune(m.Source, 0) {
		return specError("the source %.100q of a read-only mount is no absolute path", m.Source)
	}
	if !path.IsAbs(target) || path.Clean(target) != target || target == "/" || strings.ContainsRune(target, 0) {
		return specError("the target %.100q of a read-only mount is no clean absolute path", target)
	}
	return nil
}

// At is where a mount is seen in the sandbox.
func (m Mount) At() string {
	if m.Target == "" {
		return filepath.ToSlash(m.Source)
	}
	return m.Target
}

// The least that a program can be started with.
const (
	leastMemory    = 8 << 20
	leastProcesses = 8 // the launcher's threads count in part
	leastSpace     = 4 << 10
)

// occupied are the folders in which nothing else can be mounted.
var occupied = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/dev", "/proc", "/tmp", "/work"}

// check finds what is wrong with a spec for a process, before one is started for it.
func check(spec Spec, limits Limits, level Level) error {
	if err := spec.Check(limits); err != nil {
		return err
	}
	switch l := limits; {
	case l.Memory < leastMemory:
		return specError("the limit of memory is %d bytes; it must be %d at least", l.Memory, leastMemory)
	case l.Processes < leastProcesses:
		return specError("the limit of processes is %d; it must be %d at least", l.Processes, leastProcesses)
	case l.Work < leastSpace, l.Temp < leastSpace:
		return specError("/work has %d bytes and /tmp %d; each must have %d at least", l.Work, l.Temp, leastSpace)
	}
	for _, m := range spec.ReadOnly {
		if err := m.checkAt(level); err != nil {
			return err
		}
	}
	return nil
}

func (m Mount) checkAt(level Level) error {
	target := m.At()
	if level == Reduced {
		if target != filepath.ToSlash(m.Source) {
			return specError("at the level %s nothing is mounted: %.100q can't be seen at %.100q, only where it is", Reduced, m.Source, target)
		}
		return nil
	}
	for _, dir := range occupied {
		if target == dir || strings.HasPrefix(target, dir+"/") {
			return specError("a read-only mount can't be at %.100q: %s is the sandbox's own", target, dir)
		}
	}
	return nil
}
