package fixtures

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

var changing sync.Mutex

// ChangeTools adds a tool to the workspace, or takes it out again, by its file.
//
//helve:tool name=test_trigger_tool_change
func ChangeTools() (string, error) {
	return toggle("tools/native", "transient.yaml", "name: transient\ndescription: Comes and goes.\napi_url: http://localhost/transient\n")
}

// ChangePrompts adds a prompt to the workspace, or takes it out again, by its file.
//
//helve:tool name=test_trigger_prompt_change
func ChangePrompts() (string, error) {
	return toggle("prompts", "transient.yaml", "name: transient\ndescription: Comes and goes.\nmessages:\n  - text: Now you see me.\n")
}

// toggle writes a file, or removes it where it is there.
func toggle(dir, name, text string) (string, error) {
	changing.Lock()
	defer changing.Unlock()
	path := dir + "/" + name
	err := os.Remove(path)
	if err == nil {
		return "removed " + path, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return "wrote " + path, os.WriteFile(path, []byte(text), 0o644)
}
