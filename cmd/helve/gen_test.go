package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// module makes the folder a Go module that builds against this source, offline:
// module PATH. Its go.mod holds what helve's own does.
func module(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: module PATH")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	ts.Check(err)
	requires, err := os.ReadFile(filepath.Join(root, "go.mod"))
	ts.Check(err)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	ts.Check(err)
	text := strings.Replace(string(requires), "module helve\n", "module "+args[0]+"\n", 1)
	text = regexp.MustCompile(`(?m)^tool .*$`).ReplaceAllString(text, "")
	text += "\nrequire helve v0.0.0\n\nreplace helve => " + root + "\n"
	ts.Check(os.WriteFile(ts.MkAbs("go.mod"), []byte(text), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("go.sum"), sums, 0o644))
	goEnvironment(ts, false, nil)
	ts.Setenv("GOFLAGS", "-mod=mod")
}

// goEnvironment lets a script use the go command, and keeps what helve builds in it:
// goenv.
func goEnvironment(ts *testscript.TestScript, _ bool, _ []string) {
	for _, name := range goVariables {
		value, err := exec.Command("go", "env", name).Output()
		ts.Check(err)
		ts.Setenv(name, strings.TrimSpace(string(value)))
	}
	ts.Setenv("GOPROXY", "off")
	ts.Setenv("XDG_CACHE_HOME", ts.MkAbs("cache"))
}

// goVariables say where the go command keeps what it has.
var goVariables = []string{"GOCACHE", "GOMODCACHE", "GOPATH"}

// goCaches are their values on this machine.
func goCaches(t *testing.T) map[string]string {
	values := map[string]string{"GOPROXY": "off"}
	for _, name := range goVariables {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		values[name] = strings.TrimSpace(string(value))
	}
	return values
}
