package skill

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"helve/sandbox"
	"helve/tool"
)

// interpreter is what runs a script.
type interpreter struct {
	args []string // the program, and the script
	wasm bool
}

// byExtension are the programs for scripts that do not say by a #! line what they are for.
var byExtension = map[string]string{
	".py": "python3", ".sh": "sh", ".bash": "bash", ".js": "node", ".mjs": "node", ".cjs": "node",
}

// interpreter finds what runs a script of s, whose files are staged. It never looks outside
// of them: which programs there are is known in the sandbox alone.
func (s *Skill) interpreter(script string, files []sandbox.File) (interpreter, error) {
	script = strings.TrimPrefix(script, "./")
	i := slices.IndexFunc(files, func(f sandbox.File) bool { return f.Name == script })
	f := files[i]
	self := "./" + script // never an option, whatever its first letter
	if extension(script) == ".wasm" || bytes.HasPrefix(f.Data, []byte("\x00asm")) {
		return interpreter{[]string{self}, true}, nil
	}
	if program := shebang(f.Data); len(program) > 0 {
		return interpreter{args: append(program, self)}, nil
	}
	if program := byExtension[extension(script)]; program != "" {
		return interpreter{args: []string{program, self}}, nil
	}
	if f.Mode&0o111 != 0 {
		return interpreter{args: []string{self}}, nil
	}
	return interpreter{}, &tool.Error{
		Kind:    tool.KindInvalidParameters,
		Message: fmt.Sprintf("%s of the skill %s is no script: it has no #! line, is not executable, and its name does not say what runs it. Read it instead.", script, s.Name),
	}
}

// shebang returns the program and its arguments of a #! line. The program is named without
// its folder and without env: where it lies is the sandbox's business.
func shebang(data []byte) []string {
	line, found := bytes.CutPrefix(data, []byte("#!"))
	if !found {
		return nil
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	if len(line) > maxPath || bytes.IndexByte(line, 0) >= 0 {
		return nil
	}
	words := strings.Fields(string(line))
	if len(words) > 0 && path.Base(words[0]) == "env" {
		words = words[1:]
		for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return nil
	}
	program := path.Base(words[0])
	if program == "." || program == "/" {
		return nil
	}
	return append([]string{program}, words[1:]...)
}
