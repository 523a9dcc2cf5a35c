package script

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// searched are the folders in which the sandbox looks for a program, and shown what it
// shows of this machine that programs are in. package sandbox has them for itself.
var (
	searched = []string{"/usr/local/bin", "/usr/bin", "/bin"}
	shown    = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}
)

const searchedText = "/usr/local/bin, /usr/bin or /bin"

// checkMachine warns of a command that has no program here. It looks and runs nothing; a
// workspace may be meant for another machine, so it is no mistake.
func checkMachine(p program, wrong *problems) {
	if runtime.GOOS != "linux" || p.wasm || p.needs == "" || strings.HasPrefix(p.needs, work) || isHere(p.needs) {
		return
	}
	subject := p.needs
	if first := p.args[0]; first != p.needs {
		subject = fmt.Sprintf("%s, which the #! line of %s names,", p.needs, first)
	}
	wrong.warn("/command/0", "%s %s", subject, lacking(p.needs))
}

// work is the folder of the script, in the sandbox.
const work = "/work/"

// isHere reports whether the sandbox would find a program. A link out of what it shows,
// such as one to a home folder, leads to nothing there.
func isHere(name string) bool {
	if strings.HasPrefix(name, "/") {
		file, err := filepath.EvalSymlinks(name)
		return err == nil && slices.ContainsFunc(shown, func(dir string) bool { return strings.HasPrefix(file, dir+"/") })
	}
	return slices.ContainsFunc(searched, func(dir string) bool { return isHere(path.Join(dir, name)) })
}

// lacking says what is wrong with a program that is not here, and what to do.
func lacking(name string) string {
	if !strings.HasPrefix(name, "/") {
		text := "is not in " + searchedText + " of this machine, where the sandbox looks: install it there"
		if other := name + "3"; isHere(other) { // python
			text += ", or write " + other
		}
		return text
	}
	if _, err := os.Stat(name); err == nil {
		return "is not in the sandbox, which has what is below /usr, and no home folder or virtual environment: name another"
	}
	return "is not there on this machine: install it, or name another"
}

// checkOwnPaths is for a command that names a file of its folder by its path on this
// machine, which is another in the sandbox.
func checkOwnPaths(command []string, f *folder, workspace string, wrong *problems) {
	workspace, err := filepath.Abs(workspace)
	if err != nil {
		return
	}
	own := filepath.ToSlash(filepath.Join(workspace, filepath.FromSlash(f.path))) + "/"
	for i, arg := range command {
		if name, below := strings.CutPrefix(arg, own); below {
			wrong.add(fmt.Sprintf("/command/%d", i), "in the sandbox the script's folder is another: write ./%s", name)
		}
	}
}
