package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Requirement document 001, the dispatcher: a name leads to a tool of whatever kind, and who
// calls does not know which. The model writes tags, and all that lies between its text and
// the program in the sandbox is what it is for a user.

const dispatched = `
-- helve.yaml --
model: sim/offline
timeout: 20s
network: {allow_private: true}
-- skills/greet/SKILL.md --
---
name: greet
description: Greets people.
---
Run ` + "`hello.sh NAME`" + `.
-- skills/greet/hello.sh --
read who
echo "skill: hello $who, I am $(id -u)"
-- skills/greet/wait.sh --
echo begun
sleep 600
-- tools/script/shout/tool.yaml --
name: shout
description: Says it loudly.
parameters: {text: {type: string, required: true}}
command: [sh, run.sh]
input: arguments
-- tools/script/shout/run.sh --
echo "script: ${1#--text=}!"
-- tools/script/wait/tool.yaml --
name: wait
description: Waits for ever.
parameters: {}
command: [sleep, "600"]
timeout: 300ms
-- tools/native/city.yaml --
name: city
description: Tells the city of a number.
api_url: SERVER/city/{number}
parameters: {number: {type: integer, required: true}}
-- tools/mcp/far.yaml --
name: far
command: mcpecho
`

// dispatch has the model write text, and then an answer. It returns what became of the calls
// and the last line, and what was said on standard error.
func dispatch(t *testing.T, text string) (results []dispatchedLine, reply, said string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "http: "+r.URL.Path)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(strings.ReplaceAll(dispatched, "SERVER", server.URL))).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	turns, err := json.Marshal(map[string]any{"turns": []any{map[string]any{"text": text}, map[string]any{"text": "So be it."}}})
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "turns.yaml") // which JSON is too
	if err := os.WriteFile(script, turns, 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := execute([]string{"run", "-w", dir, "--dialect", "tag", "--sim-script", script, "--jsonl", "Go."}, stdio{strings.NewReader(""), &out, &errs})
	if code != exitOK {
		t.Fatalf("exit code %d: %s%s", code, &out, &errs)
	}
	for l := range strings.Lines(out.String()) {
		var line dispatchedLine
		if err := json.Unmarshal([]byte(l), &line); err != nil {
			t.Fatal(err)
		}
		switch line.Type {
		case "tool_result":
			results = append(results, line)
		case "done":
			reply = line.Reply
		}
	}
	return results, reply, errs.String()
}

type dispatchedLine struct {
	Type, Name, Content, Reply string
	Error                      *struct{ Code, Message string }
}

// 调度内置工具, 调度 Skills 工具
func TestDoc001_DispatchByName(t *testing.T) {
	t.Parallel()
	for kind, test := range map[string]struct {
		call, want string
		isolated   bool
	}{
		"a built-in tool":               {`<tool_action name="calculate"><expression value="17 * 23" /></tool_action>`, "391", false},
		"a skill, by its name":          {`<tool_action name="greet"><script value="hello.sh" /><stdin value="Ada" /></tool_action>`, `{"exit_code":0,"stdout":"skill: hello Ada, I am 1000\n","stderr":""}`, true},
		"a skill, to be opened":         {`<tool_action name="skill"><name value="greet" /></tool_action>`, "Run `hello.sh NAME`.", false},
		"a skill, by the tool for them": {`<tool_action name="skill_run"><skill value="greet" /><script value="hello.sh" /><stdin value="Bo" /></tool_action>`, "skill: hello Bo", true},
		"a script":                      {`<tool_action name="shout"><text value="hi" /></tool_action>`, "script: hi!", true},
		"an HTTP API":                   {`<tool_action name="city"><number value="7" /></tool_action>`, "http: /city/7", false},
		"an MCP server":                 {`<tool_action name="far__echo"><text value="hi" /></tool_action>`, "hi", false},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			if test.isolated && !isolates() {
				t.Skip("no program can be isolated here")
			}
			results, reply, said := dispatch(t, "I do it. "+test.call)
			if len(results) != 1 || results[0].Error != nil || !strings.Contains(results[0].Content, test.want) || !strings.HasSuffix(reply, "So be it.") {
				t.Errorf("%+v, %q\n%s", results, reply, said)
			}
		})
	}
}

// 处理工具不存在
func TestDoc001_DispatchOfAnUnknownName(t *testing.T) {
	t.Parallel()
	results, reply, _ := dispatch(t, `<tool_action name="gret"><name value="Ada" /></tool_action>`)
	if len(results) != 1 || !strings.HasPrefix(results[0].Content, `{"success":false,"error":"Tool not found: gret"`) || reply != "So be it." {
		t.Errorf("%+v, %q", results, reply)
	}
}

// 处理执行超时, of a script's own limit and of a skill's. That the default is 30 seconds is
// tested in package executor, and for what runs in a sandbox in package script.
func TestDoc001_DispatchThatTakesTooLong(t *testing.T) {
	t.Parallel()
	if !isolates() {
		t.Skip("no program can be isolated here")
	}
	results, reply, _ := dispatch(t, `<tool_action name="wait"></tool_action><tool_action name="greet"><script value="wait.sh" /><timeout value="1" /></tool_action>`)
	if len(results) != 2 || reply != "So be it." {
		t.Fatalf("%+v, %q", results, reply)
	}
	for _, r := range results {
		switch r.Name {
		case "wait":
			if r.Error == nil || r.Error.Code != "timeout" {
				t.Errorf("%+v", r)
			}
		case "greet":
			if r.Error == nil || r.Error.Code != "timeout" || !strings.Contains(r.Content, "begun") {
				t.Errorf("%+v", r)
			}
		}
	}
}
