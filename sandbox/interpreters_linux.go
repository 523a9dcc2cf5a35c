package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/jail"
)

// interpreters are what scripts are mostly written for, and what to install for it.
var interpreters = []struct{ name, from string }{
	{"python3", "python3"}, {"node", "nodejs"}, {"sh", "dash"}, {"bash", "bash"}, {"perl", "perl"},
}

// interpreters says which of them a program would find, and where.
func (p *prober) interpreters() {
	for _, i := range interpreters {
		p.add(interpreter(i.name, i.from))
	}
}

func interpreter(name, from string) Feature {
	f := Feature{Name: name}
	yours, _ := exec.LookPath(name)
	inside, err := lookInside(name)
	switch {
	case err == nil:
		f.OK, f.Detail = true, inside
		if yours != "" && !sameFile(yours, inside) {
			f.Detail += "; in your PATH is another, " + yours
		}
	case yours != "" && errors.Is(err, fs.ErrNotExist):
		f.Detail = "in your PATH at " + yours + ", but not where the sandbox looks: " + strings.Join(jail.Searched(), ", ")
		f.Hint = fmt.Sprintf("install it for all (apt-get install %s), or show a run the folder that it is installed in, read-only, and name the program by its path there", from)
	case errors.Is(err, fs.ErrNotExist):
		f.Detail = "not installed"
		f.Hint = "scripts for it can't run. On Debian and Ubuntu: apt-get install " + from
	default:
		f.Detail = err.Error()
		f.Hint = fmt.Sprintf("install it below /usr, for every user (apt-get install %s)", from)
	}
	return f
}

// lookInside finds a program as the launcher will: it is not asked, since an answer for each
// would take a launcher each.
func lookInside(name string) (string, error) {
	err := error(fs.ErrNotExist)
	for _, dir := range jail.Searched() {
		p := path.Join(dir, name)
		if _, missing := os.Lstat(p); missing != nil {
			continue
		}
		if err = visible(p); err == nil {
			return p, nil
		}
	}
	return "", err
}

// visible follows a path as it would be followed in the sandbox, where only a part of the
// machine is, and a user without privileges.
func visible(name string) error {
	rest := strings.Split(strings.TrimPrefix(name, "/"), "/")
	at := "/"
	for links := 0; len(rest) > 0; {
		next := path.Join(at, rest[0])
		rest = rest[1:]
		info, err := os.Lstat(next)
		if err != nil {
			return fmt.Errorf("%s leads to %s: %w", name, next, err)
		}
		if !jail.Shows(next) {
			return fmt.Errorf("%s leads to %s, which the sandbox does not show", name, next)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(next)
			if links++; err != nil || links > 40 {
				return fmt.Errorf("%s: too many links", name)
			}
			if path.IsAbs(to) {
				at = "/"
			}
			rest = append(strings.Split(strings.Trim(to, "/"), "/"), rest...)
			continue
		}
		if !executable(next, info) || len(rest) == 0 && info.IsDir() {
			return fmt.Errorf("%s can't be executed by others: see the permissions of %s", name, next)
		}
		at = next
	}
	return nil
}

// executable says whether a run's user may execute a file, or pass through a folder. Where
// the parent is root that is neither its owner nor of its group.
func executable(name string, info fs.FileInfo) bool {
	if os.Geteuid() == 0 {
		return info.Mode().Perm()&0o001 != 0
	}
	return unix.Access(name, unix.X_OK) == nil
}

func sameFile(a, b string) bool {
	a, errA := filepath.EvalSymlinks(a)
	b, errB := filepath.EvalSymlinks(b)
	return errA == nil && errB == nil && a == b
}
