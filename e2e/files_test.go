package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helve/mcp"
	"helve/tool"
)

// local starts one of the other official servers, which know standard input and output
// alone.
func local(t *testing.T, name string, env map[string]mcp.Secret, args ...string) *everything {
	t.Helper()
	e := &everything{t: t, config: mcp.Config{Name: name, Command: node(t), Args: append([]string{npmServer(t, name)}, args...), Env: env}}
	return e.connect()
}

func TestFilesystem(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir()) // as the server knows it
	if err != nil {
		t.Fatal(err)
	}
	e := local(t, "filesystem", nil, dir)
	if n := len(e.tools()); n != 14 {
		t.Errorf("%d tools, want 14", n)
	}
	path := filepath.Join(dir, "note.txt")
	arguments := `{"path":` + quoted(path) + `,"content":"Grüße\n"}`
	if _, err := e.call(within(t), nil, "write_file", arguments); err != nil {
		t.Fatal(whole(err))
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "Grüße\n" {
		t.Errorf("written: %q, %v", data, err)
	}
	result, err := e.call(within(t), nil, "read_text_file", `{"path":`+quoted(path)+`}`)
	if err != nil || result.Text() != "Grüße\n" {
		t.Errorf("read: %q, %v", result.Text(), err)
	}
	_, err = e.call(within(t), nil, "read_text_file", `{"path":"/etc/passwd"}`)
	if failed := tool.AsError(err); failed == nil || failed.Kind != tool.KindExecution || !strings.Contains(failed.Message, "outside allowed directories") {
		t.Errorf("/etc/passwd: %+v", failed)
	}
}

func TestMemory(t *testing.T) {
	t.Parallel()
	kept := filepath.Join(t.TempDir(), "memory.jsonl")
	e := local(t, "memory", map[string]mcp.Secret{"MEMORY_FILE_PATH": mcp.Secret(kept)})
	if n := len(e.tools()); n != 9 {
		t.Errorf("%d tools, want 9", n)
	}
	if _, err := e.call(within(t), nil, "create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["counts"]},{"name":"Engine","entityType":"machine","observations":[]}]}`); err != nil {
		t.Fatal(whole(err))
	}
	if _, err := e.call(within(t), nil, "create_relations", `{"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]}`); err != nil {
		t.Fatal(whole(err))
	}
	result, err := e.call(within(t), nil, "read_graph", `{}`)
	if err != nil {
		t.Fatal(whole(err))
	}
	output, _ := result.Artifact.(mcp.Output)
	const graph = `{"entities":[{"name":"Ada","entityType":"person","observations":["counts"]},{"name":"Engine","entityType":"machine","observations":[]}],"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]}`
	if string(output.Structured) != graph {
		t.Errorf("read_graph: %s", output.Structured)
	}
}

func quoted(text string) string { return `"` + strings.ReplaceAll(text, `\`, `\\`) + `"` }
