package stdio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// find returns the program as its file. A name without a slash is looked up in the PATH
// that the server will have, which need not be ours.
func find(c Command) (string, error) {
	if c.Path == "" {
		return "", errors.New("no program is given: set command")
	}
	if filepath.Base(c.Path) != c.Path {
		return c.Path, nil
	}
	if runtime.GOOS == "windows" {
		found, err := exec.LookPath(c.Path) // knows PATHEXT
		if err != nil {
			return "", missing(c.Path, os.Getenv("PATH"))
		}
		return found, nil
	}
	path := variable(c.Env, "PATH")
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, c.Path)
		if !filepath.IsAbs(file) {
			continue // whoever can write here could give any program this name
		}
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	c.Log.Debug("the program of an MCP server is not found", "server", c.Name, "program", c.Path, "PATH", path)
	return "", missing(c.Path, path)
}

// variable returns the last value of name, which is the one that counts.
func variable(env []string, name string) string {
	var value string
	for _, v := range env {
		if n, after, ok := strings.Cut(v, "="); ok && n == name {
			value = after
		}
	}
	return value
}

// brings says what to install for the programs that run most servers.
var brings = map[string]string{
	"node": "install Node.js", "npx": "install Node.js, which brings it", "npm": "install Node.js, which brings it",
	"bun": "install Bun (bun.sh)", "bunx": "install Bun (bun.sh), which brings it", "deno": "install Deno (deno.com)",
	"uv": "install uv (docs.astral.sh/uv)", "uvx": "install uv (docs.astral.sh/uv), which brings it",
	"python": "install Python, or set command to python3", "python3": "install Python", "pipx": "install pipx (pipx.pypa.io)",
	"docker": "install Docker", "podman": "install Podman",
}

func missing(name, path string) error {
	remedy := "install it"
	if known := brings[name]; known != "" {
		remedy = known
	}
	where := "in PATH"
	if path == "" {
		where = "in PATH, which is empty"
	}
	return &notFound{fmt.Sprintf("the program %q is not found %s: %s, or set command to the program's whole path", name, where, remedy)}
}

// notFound is a program that is in no folder of the PATH.
type notFound struct{ text string }

func (e *notFound) Error() string { return e.text }
func (e *notFound) Unwrap() error { return exec.ErrNotFound }

// startError says what the system's error means here.
func startError(c Command, path string, err error) error {
	if info, e := os.Stat(c.Dir); c.Dir != "" && (e != nil || !info.IsDir()) {
		return fmt.Errorf("it can't run in %s, which is no folder: %w", c.Dir, err)
	}
	file := path
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.Dir, file)
	}
	_, e := os.Stat(file)
	switch {
	case errors.Is(e, fs.ErrNotExist):
		return fmt.Errorf("the program %s does not exist: %w", file, err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("what the first line of %s asks to run it with does not exist: %w", file, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the program %s may not be run (is it executable?): %w", file, err)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s is no program of this system; a script needs a first line such as #!/usr/bin/env python3: %w", file, err)
	}
	return fmt.Errorf("it can't be started: %w", err)
}
