package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"helve/dialect"
	"helve/model/sim"
	"helve/sandbox"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"helve": main, "mcpecho": mcpEcho, "mcpask": mcpAsk, "asks": asks})
}

// TestScripts plays testdata/script: what a person types, and what must come of
// it.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUp,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"goenv":  goEnvironment,
			"module": module,
			"person": person,
			"server": server,
			"serves": serves,
			"stops":  stops,
		},
	})
}

// isolates says whether programs run isolated on this machine.
var isolates = sync.OnceValue(func() bool {
	box, err := sandbox.New(sandbox.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return false
	}
	box.Close()
	return true
})

// condition is what a script may ask for in brackets, besides what testscript knows.
func condition(name string) (bool, error) {
	if name == "sandbox" {
		return isolates(), nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// exits runs a command and checks its exit code: exits CODE COMMAND ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = exitCode(err)
	}
	if code != args[0] {
		ts.Fatalf("%v exited %s, want %s: %v", args[1:], code, args[0], err)
	}
}

// server starts the offline model without function calling, in a dialect, as
// somebody else's server whose address is in $SERVER: server DIALECT.
func server(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: server DIALECT")
	}
	d, err := dialect.Lookup(args[0])
	ts.Check(err)
	s, err := sim.Start(sim.Options{Dialect: d})
	ts.Check(err)
	ts.Defer(func() { s.Close() })
	ts.Setenv("SERVER", s.URL())
}

func exitCode(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return strconv.Itoa(exit.ExitCode())
	}
	return err.Error()
}
