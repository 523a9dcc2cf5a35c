package script_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"helve/catalog"
	"helve/sandbox"
	"helve/script"
	"helve/tool"
)

// upper stands for a sandbox in which a script runs that writes in capitals. A program
// has a *sandbox.Sandbox.
type upper struct{}

func (upper) Run(_ context.Context, spec sandbox.Spec) (*sandbox.Result, error) {
	var in struct{ Text string }
	if err := json.Unmarshal(spec.Stdin, &in); err != nil {
		return &sandbox.Result{ExitCode: 1, Stderr: []byte(err.Error())}, nil
	}
	return &sandbox.Result{Stdout: []byte(strings.ToUpper(in.Text) + "\n")}, nil
}

// workspace makes a folder with one script. A program has one already.
func workspace(toolFile string) (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "workspace")
	if err != nil {
		panic(err)
	}
	folder := filepath.Join(dir, "tools", "script", "upper")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		panic(err)
	}
	for name, text := range map[string]string{"tool.yaml": toolFile, "run.py": "import json, sys\nprint(json.load(sys.stdin)['text'].upper())\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
	return dir, func() { os.RemoveAll(dir) }
}

// How do the scripts of a workspace become tools?
func ExampleSource() {
	dir, remove := workspace(`
name: upper
description: Write a text in capitals.
parameters:
  text: {type: string, required: true}
command: [python3, run.py]
`)
	defer remove()
	box := func() (sandbox.Runner, error) { return upper{}, nil } // made when the first script is called
	c, err := catalog.Load(context.Background(), catalog.Options{
		Dir:     dir,
		Sources: []catalog.Source{script.Source(script.Options{Sandbox: box})},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	t, _ := c.Tool("upper")
	r, err := tool.Invoke(context.Background(), t, tool.Call{Arguments: json.RawMessage(`{"text": "a new tool is only a file"}`)})
	fmt.Println(r.Text(), err)
	// Output: A NEW TOOL IS ONLY A FILE <nil>
}

// What does the author of a bad tool.yaml read?
func ExampleSource_mistake() {
	dir, remove := workspace(`
name: upper
description: Write a text in capitals.
parameters:
  text: {type: strng, required: true}
command: [python3, rum.py]
`)
	defer remove()
	c, err := catalog.Load(context.Background(), catalog.Options{
		Dir:     dir,
		Sources: []catalog.Source{script.Source(script.Options{})},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range c.Problems() {
		fmt.Println(p.Error())
	}
	// Output:
	// tools/script/upper/tool.yaml:5:16: parameters/text/type: "strng" is no type: did you mean string? there are string, integer, number, boolean, array, object, null
	// tools/script/upper/tool.yaml:6:20: command/1: there is no file rum.py in tools/script/upper: did you mean run.py?
}

// How does a host get the files that a script made?
func ExampleFiles() {
	var r tool.Result // of a call
	r.Artifact = script.Files{{Name: "table.csv", MediaType: "text/csv", Size: 10, Data: []byte("a,b\r\n1,2\r\n")}}
	if files, ok := r.Artifact.(script.Files); ok {
		for _, f := range files {
			fmt.Println(f.Name, f.MediaType, f.Size)
		}
	}
	// Output: table.csv text/csv 10
}

// What can the person who runs a tool do about a call that failed?
func ExampleAdvice() {
	dir, remove := workspace("name: upper\ndescription: Write a text in capitals.\ncommand: [sh, -c, cat]\nlimits: {memory: 64MiB}\n")
	defer remove()
	box := func() (sandbox.Runner, error) { return hungry{}, nil }
	c, err := catalog.Load(context.Background(), catalog.Options{Dir: dir, Sources: []catalog.Source{script.Source(script.Options{Sandbox: box})}})
	if err != nil {
		fmt.Println(err)
		return
	}
	upper, _ := c.Tool("upper")
	_, err = upper.Call(context.Background(), tool.Call{})
	var advice *script.Advice
	if errors.As(err, &advice) {
		fmt.Println(err)
		fmt.Println(advice)
	}
	// Output:
	// execution: upper: it was stopped, because it needed more memory than it may have (64MiB): give it less at once
	// if it needs more: limits.memory in tools/script/upper/tool.yaml raises the limit
}

// hungry stands for a sandbox in which a script takes too much memory.
type hungry struct{}

func (hungry) Run(context.Context, sandbox.Spec) (*sandbox.Result, error) {
	return &sandbox.Result{ExitCode: -1, Reason: sandbox.Memory}, nil
}
