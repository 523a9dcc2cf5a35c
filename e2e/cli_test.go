package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A workspace whose .mcp.json names the three servers, as a person would write it, and
// helve in it as a person would run it.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := newMark()
	server := func(name string, args ...string) map[string]any {
		return map[string]any{"command": node(t), "args": append([]string{npmServer(t, name)}, args...), "env": map[string]string{markName: "${" + markName + "}", "MEMORY_FILE_PATH": filepath.Join(dir, "memory.jsonl")}}
	}
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"everything": server("everything"), "filesystem": server("filesystem", "."), "memory": server("memory"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".mcp.json":  string(servers),
		"helve.yaml": "model: sim/offline\n",
		"script.yaml": `turns:
  - calls:
      - {name: everything__get-sum, arguments: {a: 17, b: 25}}
      - {name: memory__create_entities, arguments: {entities: [{name: Ada, entityType: person, observations: [counts]}]}}
  - text: That was it.
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	home := t.TempDir()
	w := workspace{t, dir, helve(t), append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "HELVE_HOME="+home, markName+"="+string(m))}

	var status []struct {
		Name, State string
		Tools       int
	}
	w.json(&status, "mcp", "servers", "--json")
	for i, want := range []struct {
		name  string
		tools int
	}{{"everything", 12}, {"filesystem", 14}, {"memory", 9}} {
		if i >= len(status) || status[i].Name != want.name || status[i].State != "ready" || status[i].Tools != want.tools {
			t.Fatalf("helve mcp servers: %+v, want %+v in place %d", status, want, i)
		}
	}
	list, complaints := w.run(0, "tools", "list")
	for _, name := range []string{"everything__echo", "filesystem__write_file", "memory__read_graph"} {
		if !strings.Contains(list, name+" ") {
			t.Errorf("helve tools list has no %s:\n%s", name, list)
		}
	}
	if strings.Count(complaints, "\n") != 1 || !strings.Contains(complaints, "simulate-research-query\": it needs the tasks extension") {
		t.Errorf("helve tools list: %s", complaints)
	}
	if out, _ := w.run(0, "tools", "call", "everything__echo", "message=hi"); out != "Echo: hi\n" {
		t.Errorf("echo: %q", out)
	}
	if out, err := w.run(5, "tools", "call", "filesystem__read_text_file", "path=/etc/passwd"); out != "" || !strings.Contains(err, "outside allowed directories") {
		t.Errorf("read_text_file: %q, %q", out, err)
	}
	var ran struct {
		Reply string
		Calls []struct{ Name, Content string }
	}
	w.json(&ran, "run", "--json", "--sim-script", "script.yaml", "Add them, and keep her in mind.")
	sum := slices.IndexFunc(ran.Calls, func(c struct{ Name, Content string }) bool { return c.Content == "The sum of 17 and 25 is 42." })
	if len(ran.Calls) != 2 || sum < 0 || ran.Reply != "That was it." { // the calls as they ended
		t.Errorf("helve run: %+v", ran)
	}
	if out, _ := w.run(0, "tools", "call", "memory__read_graph"); !strings.Contains(out, `"Ada"`) {
		t.Errorf("read_graph: %q", out)
	}
	if left := m.processes(t); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}

// workspace is where helve is run.
type workspace struct {
	t           *testing.T
	dir, helve  string
	environment []string
}

// run runs helve, which must end with this exit code.
func (w workspace) run(code int, args ...string) (stdout, stderr string) {
	w.t.Helper()
	var out, complaints bytes.Buffer
	command := exec.CommandContext(within(w.t), w.helve, args...)
	command.Dir, command.Env, command.Stdout, command.Stderr = w.dir, w.environment, &out, &complaints
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	if got := command.ProcessState.ExitCode(); got != code {
		w.t.Fatalf("helve %q: exit code %d, want %d\n%s%s", args, got, code, &out, &complaints)
	}
	return out.String(), complaints.String()
}

// json runs helve, and reads the one JSON value that it prints.
func (w workspace) json(into any, args ...string) {
	w.t.Helper()
	out, _ := w.run(0, args...)
	if err := json.Unmarshal([]byte(out), into); err != nil {
		w.t.Fatalf("helve %q: %v: %s", args, err, out)
	}
}
