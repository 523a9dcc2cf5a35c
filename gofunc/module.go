package gofunc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"helve/gen"
)

// makeModule copies a folder that is in no module into one of its own, which requires
// the helve that this program was built of.
func (b *build) makeModule() error {
	mod, sums, err := ownModule()
	if err != nil {
		return fmt.Errorf("gofunc: %s: %w", b.named, err)
	}
	b.module = filepath.Join(b.temp, "module")
	b.source = filepath.Join(b.module, "tools")
	if err := os.MkdirAll(b.source, 0o700); err != nil {
		return fmt.Errorf("gofunc: %w", err)
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(b.module, "go.mod"), []byte(mod), 0o600),
		os.WriteFile(filepath.Join(b.module, "go.sum"), sums, 0o600),
		b.copy(),
	)
	if err != nil {
		return fmt.Errorf("gofunc: %w", err)
	}
	return nil
}

// copy copies what digest reads, and hidden files, which go:embed may name.
func (b *build) copy() error {
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		if strings.HasPrefix(d.Name(), ".") && d.IsDir() {
			return fs.SkipDir
		}
		to := filepath.Join(b.source, filepath.FromSlash(path))
		if d.IsDir() {
			return os.Mkdir(to, 0o700)
		}
		info, err := root.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		data, err := root.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o600)
	})
}

var toolLine = regexp.MustCompile(`(?m)^tool .*$`)

// ownModule writes a go.mod that requires helve: the source tree of this program if it
// is there, else the version that this program is.
func ownModule() (mod string, sums []byte, err error) {
	const name = "module helve.local\n"
	if root := sourceTree(); root != "" {
		data, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err != nil {
			return "", nil, err
		}
		sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
		if err != nil {
			return "", nil, err
		}
		mod := toolLine.ReplaceAllString(strings.Replace(string(data), "module helve\n", name, 1), "")
		return mod + "\nrequire helve v0.0.0\n\nreplace helve => " + quotePath(root) + "\n", sums, nil
	}
	info, ok := debug.ReadBuildInfo()
	if ok {
		version := info.Main.Version
		if info.Main.Path != "helve" {
			version = ""
			for _, dep := range info.Deps {
				if dep.Path == "helve" && dep.Replace == nil {
					version = dep.Version
				}
			}
		}
		if strings.HasPrefix(version, "v") && !strings.Contains(version, "+dirty") {
			return name + "\ngo " + strings.TrimPrefix(info.GoVersion, "go") + "\n\nrequire helve " + version + "\n", nil, nil
		}
	}
	return "", nil, errors.New(`the folder is in no Go module, and where the source of this helve is, is not known: run "go mod init NAME" in the folder or above it, ` + gen.RequireHelve)
}

// sourceTree returns the folder of helve's own source, if this program was compiled of
// one that is still there.
func sourceTree() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return "" // -trimpath
	}
	root := filepath.Dir(filepath.Dir(file))
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !strings.HasPrefix(string(data), "module helve\n") {
		return ""
	}
	return root
}

// quotePath writes a path as go.mod wants it.
func quotePath(path string) string {
	if strings.ContainsAny(path, " \"'`") {
		return "`" + path + "`"
	}
	return path
}
