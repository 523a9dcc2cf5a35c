package script

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"helve/internal/excerpt"
)

// program is what runs.
type program struct {
	args  []string
	wasm  bool
	needs string // the program of the machine that runs it: "python3"
}

// newProgram finds out whether a command can run before a model finds out.
func newProgram(c *Config, f *folder, wrong *problems) program {
	switch {
	case len(c.Command) > 0 && c.WASM != "":
		wrong.add("/wasm", "there are command and wasm: keep one of them")
	case c.WASM != "":
		return newModule(c.WASM, f, wrong)
	case len(c.Command) == 0:
		wrong.add("", "nothing says what runs: write command: [./run.py], command: [python3, run.py] or wasm: module.wasm")
	default:
		return newCommand(c.Command, f, wrong)
	}
	return program{}
}

func newCommand(command []string, f *folder, wrong *problems) program {
	p := program{args: command}
	for i, arg := range command {
		if strings.ContainsRune(arg, 0) {
			wrong.add(fmt.Sprintf("/command/%d", i), "an argument can't hold the character NUL")
		}
	}
	first := command[0]
	switch {
	case strings.TrimSpace(first) == "":
		wrong.add("/command/0", "the program is empty")
	case strings.HasPrefix(first, "/"):
		p.needs = first
	case strings.Contains(first, "/"):
		p.needs = checkFile(first, f, wrong)
	case f.find(first) != nil:
		wrong.add("/command/0", "a program of the folder is written with ./ in front: ./%s", first)
	case strings.Contains(first, " "):
		wrong.add("/command/0", "%q is no program: write each argument by itself: [%s]", first, strings.Join(strings.Fields(first), ", "))
	default:
		p.needs = first
	}
	if interpreted := path.Base(first); slices.Contains(interpreters, interpreted) && len(command) > 1 {
		checkInterpreted(interpreted, command[1], f, wrong)
	}
	return p
}

// interpreters take a file as their first argument, if it is no option.
var interpreters = []string{"python3", "python", "node", "sh", "bash", "dash", "perl", "ruby", "php", "lua"}

func isShell(program string) bool { return program == "sh" || program == "bash" || program == "dash" }

func checkInterpreted(interpreter, file string, f *folder, wrong *problems) {
	if strings.HasPrefix(file, "-") || strings.HasPrefix(file, "/") {
		return
	}
	found := f.find(file)
	if found == nil {
		if !f.has(file) {
			wrong.add("/command/1", "%s", missing(file, f))
		}
		return
	}
	if line, _, _ := bytes.Cut(found.Data, []byte("\n")); isShell(interpreter) && bytes.HasSuffix(line, []byte("\r")) {
		wrong.add("/command/1", "the lines of %s end with CR LF, as Windows writes them, and %s takes the CR for a part of each command: %s", file, interpreter, lineEnds)
	}
}

const lineEnds = "save it with LF alone (in git: * text eol=lf in .gitattributes)"

func missing(file string, f *folder) string {
	text := fmt.Sprintf("there is no file %s in %s", excerpt.Of(file, 100), f.path)
	if !validBelow(file) {
		return text + ": a script has its own folder and no other"
	}
	if near := f.meant(file); near != "" {
		text += ": did you mean " + near + "?"
	}
	return text
}

// validBelow reports whether a path stays in its folder.
func validBelow(file string) bool {
	clean := path.Clean(file)
	return clean != ".." && !strings.HasPrefix(clean, "../") && !strings.HasPrefix(clean, "/")
}

// checkFile looks at a program of the folder as the kernel does, and returns what
// interprets it. Whether the file is executable does not matter: the command says that
// it is, and not every disk and archive can.
func checkFile(name string, f *folder, wrong *problems) (interpreter string) {
	file := f.find(name)
	if file == nil {
		wrong.add("/command/0", "%s", missing(name, f))
		return ""
	}
	file.Mode = 0o755
	line, _, _ := bytes.Cut(file.Data[:min(len(file.Data), 4<<10)], []byte("\n"))
	switch unmarked, marked := bytes.CutPrefix(line, []byte("\xef\xbb\xbf")); {
	case marked && bytes.HasPrefix(unmarked, []byte("#!")):
		wrong.add("/command/0", "%s begins with a byte order mark, so that its #! is not found: save it as UTF-8 without one", name)
	case !bytes.HasPrefix(line, []byte("#!")):
		if !isBinary(file.Data) {
			wrong.add("/command/0", "nothing says what runs %s: write #!/usr/bin/env %s as its first line, or command: [%s, %s]", name, guess(name), guess(name), strings.TrimPrefix(name, "./"))
		}
	case bytes.HasSuffix(line, []byte("\r")):
		wrong.add("/command/0", "the #! line of %s ends with CR LF, as Windows writes it, and the CR is taken for a part of the program's name: %s", name, lineEnds)
	default:
		if interpreter = interpreterOf(string(line)); interpreter == "" {
			wrong.add("/command/0", "the #! line of %s names no program: write #!/usr/bin/env %s", name, guess(name))
		}
	}
	return interpreter
}

// interpreterOf returns what a #! line names, and behind env what that looks for.
func interpreterOf(line string) string {
	fields := strings.Fields(line[len("#!"):])
	if len(fields) == 0 {
		return ""
	}
	if path.Base(fields[0]) != "env" {
		return fields[0]
	}
	for _, field := range fields[1:] {
		if !strings.HasPrefix(field, "-") && !strings.Contains(field, "=") {
			return field
		}
	}
	return ""
}

// guess is what most likely runs a file of that name.
func guess(name string) string {
	switch path.Ext(name) {
	case ".py":
		return "python3"
	case ".js", ".mjs", ".cjs":
		return "node"
	case ".bash":
		return "bash"
	case ".pl":
		return "perl"
	case ".rb":
		return "ruby"
	}
	return "sh"
}

// isBinary tells a compiled program from text.
func isBinary(data []byte) bool {
	head := data[:min(len(data), 512)]
	return bytes.IndexByte(head, 0) >= 0 || len(head) == len(data) && !utf8.Valid(head)
}

// Modules of WebAssembly begin with \0asm and a version; components have another.
var moduleHead, componentHead = []byte("\x00asm\x01\x00\x00\x00"), []byte("\x00asm\x0d\x00\x01\x00")

func newModule(name string, f *folder, wrong *problems) program {
	file := f.find(name)
	switch {
	case file == nil:
		text := missing(name, f)
		if slices.ContainsFunc(f.names(), func(n string) bool { return path.Ext(n) == ".go" }) {
			text = fmt.Sprintf("there is no file %s in %s: build it, such as by GOOS=wasip1 GOARCH=wasm go build -o %s .", name, f.path, path.Clean(name))
		}
		wrong.add("/wasm", "%s", text)
	case bytes.HasPrefix(file.Data, componentHead):
		wrong.add("/wasm", "%s is a WebAssembly component: build a module for wasip1", name)
	case !bytes.HasPrefix(file.Data, moduleHead):
		wrong.add("/wasm", "%s is no WebAssembly module: it must begin with \\0asm and version 1", name)
	}
	return program{args: []string{path.Clean(name)}, wasm: true}
}
