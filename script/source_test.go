package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"helve/catalog"
	"helve/sandbox"
	"helve/tool"
)

const count = `
-- count/tool.yaml --
name: count
description: Count words.
parameters:
  text: {type: string, required: true}
command: [python3, run.py]
-- count/run.py --
print(1)
-- count/lib/words.py --
x = 1
-- count/.env --
KEY=secret
`

// Document 004, 4.1.2 and 5: a tool is a file in the right place.
func TestDoc004_AFolderIsATool(t *testing.T) {
	t.Parallel()
	runner := &fake{}
	dir := workspace(t, count)
	c, err := catalog.Load(t.Context(), options(dir, runner, nil, nil))
	if err != nil || len(c.Problems()) > 0 {
		t.Fatal(err, c.Problems())
	}
	e := c.Entries()[0]
	if e.Kind != "script" || e.Place() != "tools/script/count/tool.yaml:1" {
		t.Errorf("the tool is %s of %s", e.Place(), e.Kind)
	}
	put(t, dir, "tools/script/count/run.py", "print('another')") // after it was loaded
	r, err := tool.Invoke(t.Context(), e.Tool, tool.Call{Arguments: json.RawMessage(` { "text" : "a\nb" } `)})
	if err != nil || r.Text() != "fine" {
		t.Fatal(r.Text(), err)
	}
	spec := runner.specs[0]
	if got := string(spec.Stdin); got != `{"text":"a\nb"}`+"\n" {
		t.Errorf("standard input is %q", got)
	}
	if !slices.Equal(spec.Args, []string{"python3", "run.py"}) || len(spec.Env) != 0 || spec.Limits.Time != 30*time.Second || spec.Limits.Memory != 0 {
		t.Errorf("what runs is %+v", spec)
	}
	var names []string
	for _, f := range spec.Files {
		names = append(names, f.Name)
		if f.Name == "run.py" && string(f.Data) != "print(1)\n" {
			t.Errorf("what runs is not what was listed: %s", f.Data)
		}
	}
	if got := strings.Join(names, " "); got != "lib/words.py run.py tool.yaml out/.keep" {
		t.Errorf("the files are %s", got)
	}
}

func TestEverythingThatAFileMaySay(t *testing.T) {
	t.Parallel()
	runner := &fake{}
	one := oneTool(t, `
-- all/tool.yaml --
name: all
description: All keys.
parameters: {type: object, properties: {a: {type: string}}}
command: [./run]
input: arguments
output: text
env: {REGION: "${REGION}", MODE: fast}
timeout: 5s
limits: {cpu: 2s, memory: 64MiB, processes: 9, work: 1 MiB, output: 2KiB}
sequential: true
read_only: true
return_direct: true
-- all/run --
#!/bin/sh
`, runner, nil, env{"REGION": "north", "OTHER": "x"})
	d := one.Definition()
	if !d.Sequential || !d.ReadOnly || !d.Idempotent || !d.ReturnDirect || d.Timeout != 15*time.Second {
		t.Errorf("got %+v", d)
	}
	if _, err := one.Call(t.Context(), tool.Call{Arguments: json.RawMessage(`{"a":"-x"}`)}); err != nil {
		t.Fatal(err)
	}
	spec := runner.specs[0]
	want := sandbox.Limits{Time: 5 * time.Second, CPU: 2 * time.Second, Memory: 64 << 20, Processes: 9, Work: 1 << 20, Output: 2 << 10}
	if spec.Limits != want || len(spec.Env) != 2 || spec.Env["REGION"] != "north" || spec.Env["MODE"] != "fast" {
		t.Errorf("got %+v, %v", spec.Limits, spec.Env)
	}
	if !slices.Equal(spec.Args, []string{"./run", "--a=-x"}) || spec.Stdin != nil || spec.Files[0].Mode != 0o755 {
		t.Errorf("got %+v", spec)
	}
}

func TestTheWorkspacesTimeout(t *testing.T) {
	t.Parallel()
	dir := workspace(t, count)
	put(t, dir, "helve.yaml", "timeout: 7s\n")
	c, err := catalog.Load(t.Context(), options(dir, &fake{}, nil, nil))
	if err != nil || len(c.Tools()) != 1 {
		t.Fatal(err, c.Problems())
	}
	if got := c.Tools()[0].Definition().Timeout; got != 17*time.Second {
		t.Errorf("got %v", got)
	}
}

// TestMistakes: whoever wrote a bad file reads where, what and how to mend it.
func TestMistakes(t *testing.T) {
	t.Parallel()
	const head = "-- a/tool.yaml --\nname: a\ndescription: A.\n"
	for name, test := range map[string]struct{ archive, want string }{
		"a key":               {head + "comand: [x]\n", `tools/script/a/tool.yaml:3:1: unknown key "comand": did you mean command?`},
		"nothing to run":      {head, "tool.yaml:1:1: nothing says what runs: write command"},
		"two to run":          {head + "command: [sh]\nwasm: m.wasm\n", "tool.yaml:4:7: wasm: there are command and wasm"},
		"a string":            {head + "command: python3 run.py\n", "tool.yaml:3:10: want a list, not the text"},
		"one string":          {head + "command: [python3 run.py]\n", "tool.yaml:3:11: command/0: \"python3 run.py\" is no program: write each argument by itself: [python3, run.py]"},
		"an empty program":    {head + "command: [' ']\n", "the program is empty"},
		"NUL":                 {head + "command: [sh, \"a\\0b\"]\n", "can't hold the character NUL"},
		"a name":              {"-- a/tool.yaml --\nname: a b\ndescription: A.\ncommand: [ls]\n", "tool.yaml:1:7: name: \"a b\": providers want"},
		"no description":      {"-- a/tool.yaml --\nname: a\ncommand: [ls]\n", "description is missing"},
		"a type":              {head + "command: [ls]\nparameters:\n  q: {type: int}\n", "tool.yaml:5:13: parameters/q/type: \"int\" is no type: did you mean integer?"},
		"input":               {head + "command: [ls]\ninput: argument\n", "tool.yaml:4:8: input: \"argument\" is not known: did you mean arguments?"},
		"output":              {head + "command: [ls]\noutput: xml\n", "output: \"xml\" is not known: there are text and json"},
		"a variable":          {head + "command: [ls]\nenv: {KEY: '${NO_KEY}'}\n", "tool.yaml:4:12: the environment variable NO_KEY is not set"},
		"a variable's name":   {head + "command: [ls]\nenv: {a-b: x}\n", "tool.yaml:4:12: env/a-b: a variable's name is of letters"},
		"memory":              {head + "command: [ls]\nlimits: {memory: 512}\n", "tool.yaml:4:18: want text, not the number 512"},
		"a unit":              {head + "command: [ls]\nlimits: {memory: 5 apples}\n", "tool.yaml:4:18: limits/memory: \"apples\" is no unit"},
		"too little":          {head + "command: [ls]\nlimits: {memory: 5KiB}\n", "tool.yaml:4:18: limits/memory: write 8MiB to 1024GiB"},
		"too little to start": {head + "command: [ls]\nlimits: {memory: 1MiB}\n", "tool.yaml:4:18: limits/memory: write 8MiB to 1024GiB"},
		"a small module":      {head + "wasm: m.wasm\nlimits: {memory: 2MiB, processes: 1}\n-- a/m.wasm --\n\x00asm\x01\x00\x00\x00\n", ""},
		"few processes":       {head + "command: [ls]\nlimits: {processes: 4}\n", "tool.yaml:4:21: limits/processes: write 8 or more"},
		"room for the bytes":  {head + "command: [ls]\nlimits: {work: 4KiB}\n", "tool.yaml:4:16: limits/work: 4KiB is less than the files of the folder need, 9KiB"},
		"too much":            {head + "command: [ls]\nlimits: {output: 1GiB}\n", "limits/output: write 1 bytes to 4MiB"},
		"no room":             {head + "command: [ls]\nlimits: {work: 5 b}\n", "less than the files of the folder need"},
		"processes":           {head + "command: [ls]\nlimits: {processes: -1}\n", "limits/processes: write 8 or more"},
		"a time":              {head + "command: [ls]\ntimeout: 30\n", "want a time with its unit"},
		"a missing file":      {head + "command: [./rum.py]\n-- a/run.py --\n#!/bin/sh\n", "tool.yaml:3:11: command/0: there is no file ./rum.py in tools/script/a: did you mean run.py?"},
		"another folder":      {head + "command: [../b/run.py]\n", "a script has its own folder and no other"},
		"a missing argument":  {head + "command: [python3, rum.py]\n-- a/run.py --\n", "tool.yaml:3:20: command/1: there is no file rum.py in tools/script/a: did you mean run.py?"},
		"without ./":          {head + "command: [run.py]\n-- a/run.py --\n", "written with ./ in front: ./run.py"},
		"no #!":               {head + "command: [./run.py]\n-- a/run.py --\nprint(1)\n", "nothing says what runs ./run.py: write #!/usr/bin/env python3 as its first line, or command: [python3, run.py]"},
		"an empty #!":         {head + "command: [./run.rb]\n-- a/run.rb --\n#!\n", "names no program: write #!/usr/bin/env ruby"},
		"an empty file":       {head + "command: [./run]\n-- a/run --\n", "nothing says what runs ./run"},
		"CR LF":               {head + "command: [./run.py]\n-- a/run.py --\n#!/usr/bin/env python3\r\nprint(1)\r\n", "the #! line of ./run.py ends with CR LF, as Windows writes it"},
		"CR LF for a shell":   {head + "command: [sh, run.sh]\n-- a/run.sh --\necho\r\n", "the lines of run.sh end with CR LF"},
		"a byte order mark":   {head + "command: [./run.py]\n-- a/run.py --\n\xef\xbb\xbf#!/usr/bin/env python3\n", "begins with a byte order mark"},
		"no module":           {head + "wasm: m.wasm\n-- a/main.go --\npackage main\n", "tool.yaml:3:7: wasm: there is no file m.wasm in tools/script/a: build it, such as by GOOS=wasip1 GOARCH=wasm go build -o m.wasm ."},
		"another module":      {head + "wasm: n.wasm\n-- a/m.wasm --\n", "did you mean m.wasm?"},
		"no module's head":    {head + "wasm: m.wasm\n-- a/m.wasm --\nhello\n", "m.wasm is no WebAssembly module"},
		"a component":         {head + "wasm: m.wasm\n-- a/m.wasm --\n\x00asm\x0d\x00\x01\x00\n", "is a WebAssembly component"},
		"no tool.yaml":        {"-- a/run.py --\n", "tools/script/a: the folder has no tool.yaml: write one"},
		"tool.yml":            {"-- a/tool.yml --\n", "rename tool.yml to tool.yaml"},
		"a file":              {"-- run.py --\n", "tools/script/run.py: a script has a folder of its own: move it to tools/script/run/run.py, with a tool.yaml beside it"},
		"a file for people":   {"-- README.md --\n-- LICENSE --\n-- __pycache__/x.pyc --\n", ""},
		"python takes a path": {head + "command: [python3, app]\n-- a/app/__main__.py --\n", ""},
		"an option":           {head + "command: [python3, -c, 'print(1)']\n", ""},
		"a BOM in tool.yaml":  {"-- a/tool.yaml --\n\xef\xbb\xbfname: a\ndescription: A.\ncommand: [ls]\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := problemsIn(t, workspace(t, test.archive))
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestAllMistakesAreToldAtOnce(t *testing.T) {
	t.Parallel()
	got := problemsIn(t, workspace(t, "-- a/tool.yaml --\nname: a b\ndescription: ' '\ncommand: [./x]\noutput: xml\nlimits: {memory: x}\n"))
	for _, want := range []string{"name:", "description:", "command/0:", "output:", "limits/memory:"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
}

// TestAMissingProgramIsAWarning: before a model finds out, and the tool is there all the
// same.
func TestAMissingProgramIsAWarning(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the sandbox of this system looks elsewhere")
	}
	home := filepath.Join(t.TempDir(), "tool9")
	if err := os.WriteFile(home, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	const file = "-- a/tool.yaml --\nname: a\ndescription: A.\n"
	const at, searched = "tools/script/a/tool.yaml:3:11: command/0: ", " is not in /usr/local/bin, /usr/bin or /bin of this machine, where the sandbox looks: install it there"
	for name, test := range map[string]struct{ archive, want string }{
		"a name":         {file + "command: [ruby9, -v]\n", at + "ruby9" + searched},
		"behind env":     {file + "command: [./run.rb]\n-- a/run.rb --\n#!/usr/bin/env ruby9\n", at + "ruby9, which the #! line of ./run.rb names," + searched},
		"a #! line":      {file + "command: [./run.rb]\n-- a/run.rb --\n#!/usr/bin/ruby9 -w\n", at + "/usr/bin/ruby9, which the #! line of ./run.rb names, is not there on this machine: install it, or name another"},
		"a path":         {file + "command: [/usr/bin/ruby9]\n", at + "/usr/bin/ruby9 is not there on this machine"},
		"a home folder":  {file + "command: [" + home + "]\n", at + home + " is not in the sandbox, which has what is below /usr"},
		"what is there":  {file + "command: [sh, -c, ls]\n", ""},
		"a path that is": {file + "command: [/bin/sh, -c, ls]\n", ""},
		"env":            {file + "command: [./run]\n-- a/run --\n#!/usr/bin/env -S sh -e\n", ""},
		"a compiled one": {file + "command: [./run]\n-- a/run --\n\x7fELF\x00\n", ""},
		"of the script":  {file + "command: [/work/run]\n-- a/run --\n#!/bin/sh\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := catalog.Load(t.Context(), options(workspace(t, test.archive), &fake{}, nil, nil))
			if err != nil || len(c.Tools()) != 1 {
				t.Fatal(err, c.Problems())
			}
			switch all := c.Problems(); {
			case test.want == "" && len(all) == 0:
			case len(all) != 1 || !all[0].Warning || test.want == "" || !strings.HasPrefix(all[0].Error(), test.want):
				t.Errorf("got  %v\nwant %s", all, test.want)
			}
		})
	}
}

// TestAPathOfThisMachine of the script's own folder is another in the sandbox.
func TestAPathOfThisMachine(t *testing.T) {
	t.Parallel()
	dir := workspace(t, "-- a/run.py --\n#!/usr/bin/env python3\n")
	for _, command := range []string{"[%s]", "[sh, %s]"} {
		put(t, dir, "tools/script/a/tool.yaml", "name: a\ndescription: A.\ncommand: "+fmt.Sprintf(command, filepath.Join(dir, "tools/script/a/run.py"))+"\n")
		if got := problemsIn(t, dir); !strings.HasSuffix(got, "in the sandbox the script's folder is another: write ./run.py") || strings.Contains(got, "\n") {
			t.Errorf("got %s", got)
		}
	}
}

// TestASecretIsNotShownInAMistake: what the environment put into a file stays there.
func TestASecretIsNotShownInAMistake(t *testing.T) {
	t.Parallel()
	dir := workspace(t, "-- a/tool.yaml --\nname: a\ndescription: A.\ncommand: [ls]\noutput: ${KEY}\n")
	c, err := catalog.Load(t.Context(), options(dir, nil, nil, env{"KEY": "hunter2hunter2"}))
	if err != nil || len(c.Problems()) != 1 || strings.Contains(c.Problems()[0].Error(), "hunter2") {
		t.Error(err, c.Problems())
	}
}

func TestASecretInTheCommandIsRefused(t *testing.T) {
	t.Parallel()
	dir := workspace(t, "-- a/tool.yaml --\nname: a\ndescription: A.\ncommand: [ls, '--key=${MY_KEY}']\n")
	c, err := catalog.Load(t.Context(), options(dir, nil, nil, env{"MY_KEY": "hunter2hunter2"}))
	if err != nil || len(c.Problems()) != 1 || c.Problems()[0].Error() != "tools/script/a/tool.yaml:3:15: command/1: a secret in the command would stand in the log of each run: give it by env" {
		t.Error(err, c.Problems())
	}
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		make func(t *testing.T, dir string)
		want string
	}{
		"a link out": {func(t *testing.T, dir string) { link(t, "/etc/passwd", filepath.Join(dir, "x")) },
			"tools/script/count/x: a symbolic link leads out of the folder: copy what it leads to"},
		"a link to a neighbour": {func(t *testing.T, dir string) { link(t, "../../../helve.yaml", filepath.Join(dir, "x")) },
			"leads out of the folder"},
		"a link to a folder": {func(t *testing.T, dir string) { link(t, "lib", filepath.Join(dir, "x")) }, "count/x: this is not a regular file"},
		"a link to nothing":  {func(t *testing.T, dir string) { link(t, "nothing", filepath.Join(dir, "x")) }, "no such file"},
		"a link inside":      {func(t *testing.T, dir string) { link(t, "run.py", filepath.Join(dir, "x")) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := workspace(t, count)
			test.make(t, filepath.Join(dir, "tools/script/count"))
			if got := problemsIn(t, dir); test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Skip(err)
	}
}

func TestAFolderThatLeadsOut(t *testing.T) {
	t.Parallel()
	dir := workspace(t, count)
	link(t, t.TempDir(), filepath.Join(dir, "tools/script/out"))
	if got := problemsIn(t, dir); got == "" {
		t.Error("it was read")
	}
}

func TestAFolderIsBounded(t *testing.T) {
	t.Parallel()
	dir := workspace(t, count)
	big := filepath.Join(dir, "tools/script/count/big")
	put(t, dir, "tools/script/count/big", "")
	if err := os.Truncate(big, maxBytes); err != nil {
		t.Fatal(err)
	}
	if got := problemsIn(t, dir); got != "tools/script/count: the files of the folder hold more than 32MiB: take out what the script does not need" {
		t.Errorf("got %s", got)
	}
	if err := os.Remove(big); err != nil {
		t.Fatal(err)
	}
	for i := range maxFiles {
		put(t, dir, filepath.Join("tools/script/count/many", string(rune('a'+i%26)), string(rune(0x4e00+i))), "")
	}
	if got := problemsIn(t, dir); !strings.Contains(got, "holds more than 2000 files") {
		t.Errorf("got %s", got)
	}
}

func TestDigest(t *testing.T) {
	t.Parallel()
	files := []sandbox.File{{Name: "a", Mode: 0o644, Data: []byte("bc")}, {Name: "d", Mode: 0o644}}
	seen := map[string]bool{digest(files): true}
	for _, other := range [][]sandbox.File{
		{{Name: "ab", Mode: 0o644, Data: []byte("c")}, {Name: "d", Mode: 0o644}},
		{{Name: "a", Mode: 0o755, Data: []byte("bc")}, {Name: "d", Mode: 0o644}},
		{{Name: "a", Mode: 0o644, Data: []byte("bcd")}, {Name: "", Mode: 0o644}},
		files[:1], nil,
	} {
		if d := digest(other); seen[d] {
			t.Errorf("%v has the digest of another", other)
		} else {
			seen[d] = true
		}
	}
}

// TestAScriptThatChangesIsReadAgain: also where only a file deep inside changed.
func TestAScriptThatChangesIsReadAgain(t *testing.T) {
	t.Parallel()
	dir := workspace(t, count)
	changed := make(chan *catalog.Catalog, 10)
	live, err := catalog.Watch(t.Context(), options(dir, nil, nil, nil), nil, func(c *catalog.Catalog) { changed <- c })
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	before, done := live.Use()
	defer done()
	put(t, dir, "tools/script/count/lib/words.py", "x = 2\n")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		select {
		case c := <-changed:
			if words(c) == "x = 2\n" && words(before) == "x = 1\n" {
				return
			}
		case <-ctx.Done():
			t.Fatal("it was not seen")
		}
	}
}

func words(c *catalog.Catalog) string {
	one, _ := c.Tool("count")
	for _, f := range one.(*script).files {
		if f.Name == "lib/words.py" {
			return string(f.Data)
		}
	}
	return ""
}

// TestNoSandboxIsNeededToList: and a call says so in words.
func TestNoSandboxIsNeededToList(t *testing.T) {
	t.Parallel()
	none := &sandbox.UnavailableError{Stage: "clone", Hint: "allow user namespaces"}
	asked := 0
	sources := Source(Options{Sandbox: func() (sandbox.Runner, error) { asked++; return nil, none }})
	c, err := catalog.Load(t.Context(), catalog.Options{Dir: workspace(t, count), Sources: []catalog.Source{sources}})
	if err != nil || len(c.Tools()) != 1 || asked != 0 {
		t.Fatal(err, c.Problems(), asked)
	}
	_, err = c.Tools()[0].Call(t.Context(), tool.Call{Arguments: json.RawMessage(`{"text":""}`)})
	e := tool.AsError(err)
	var unavailable *sandbox.UnavailableError
	if e.Kind != tool.KindUnavailable || !strings.Contains(e.Message, "no sandbox") || strings.Contains(e.Message, "namespaces") || !errors.As(err, &unavailable) || asked != 1 {
		t.Errorf("got %v", err)
	}
}

func TestAKindWithoutARunner(t *testing.T) {
	t.Parallel()
	c, err := catalog.Load(t.Context(), catalog.Options{Dir: workspace(t, "-- m/tool.yaml --\nname: m\ndescription: M.\nwasm: m.wasm\n-- m/m.wasm --\n\x00asm\x01\x00\x00\x00\n"), Sources: []catalog.Source{Source(Options{})}})
	if err != nil || len(c.Tools()) != 1 {
		t.Fatal(err, c.Problems())
	}
	if _, err := c.Tools()[0].Call(t.Context(), tool.Call{}); tool.AsError(err).Kind != tool.KindUnavailable {
		t.Error(err)
	}
}

func TestSchemaOfTheFile(t *testing.T) {
	t.Parallel()
	schemas, err := catalog.Schemas(Source(Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Properties map[string]any
		Required   []string
	}
	if err := json.Unmarshal(schemas["script"], &s); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"parameters", "command", "wasm", "input", "output", "env", "timeout", "limits", "sequential"} {
		if s.Properties[key] == nil {
			t.Errorf("%s is not in the schema", key)
		}
	}
	if strings.Join(s.Required, " ") != "name description" {
		t.Errorf("required: %v", s.Required)
	}
}
