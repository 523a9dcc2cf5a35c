package serve_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"helve/mcp/serve"
)

// guarded is the program that TestGuard starts.
func guarded() {
	out, err := serve.Guard()
	if err != nil {
		panic(err)
	}
	fmt.Println("a library prints")
	child := exec.Command("/bin/sh", "-c", "echo a child prints")
	child.Stdout = os.NewFile(1, "fd 1")
	if runtime.GOOS != "windows" {
		if err := child.Run(); err != nil {
			panic(err)
		}
	}
	fmt.Fprint(out, "protocol")
}

func TestGuard(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("fd 1 is another thing there")
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "HELVE_TEST_GUARD=1")
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	if stdout.String() != "protocol" || stderr.String() != "a library prints\na child prints\n" {
		t.Errorf("stdout %q, stderr %q", &stdout, &stderr)
	}
}
