package openapi

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"helve/catalog"
	"helve/executor"
	"helve/httptool"
	"helve/netpolicy"
	"helve/tool"
)

// importTracker writes the tools of testdata/tracker.yaml into a workspace and
// loads it.
func importTracker(t *testing.T, server *httptest.Server) (*Import, *tool.Registry) {
	t.Helper()
	data, err := os.ReadFile("testdata/tracker.yaml")
	if err != nil {
		t.Fatal(err)
	}
	imported, err := Read(data, Options{Source: "testdata/tracker.yaml", Server: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	folder := filepath.Join(dir, "tools", "native")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, each := range imported.Tools {
		data, err := each.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, each.FileName()), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	environment := map[string]string{
		"QUILL_TRACKER_TOKEN": "the-token", "QUILL_TRACKER_USERNAME": "root", "QUILL_TRACKER_PASSWORD": "the-password",
		"QUILL_TRACKER_HEADERKEY_API_KEY": "the-header-key", "QUILL_TRACKER_QUERYKEY_API_KEY": "the-query-key",
		"QUILL_TRACKER_CLIENT_ID": "the-client", "QUILL_TRACKER_CLIENT_SECRET": "the-client-secret",
	}
	c, err := catalog.Load(t.Context(), catalog.Options{
		Dir: dir, Sources: []catalog.Source{httptool.Source(netpolicy.Policy{AllowPrivate: true})},
		Env: func(name string) (string, bool) { v, ok := environment[name]; return v, ok },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range c.Problems() {
		t.Error(p)
	}
	if got := len(c.Tools()); got != len(imported.Tools) || got < 30 {
		t.Fatalf("%d tools of %d were loaded", got, len(imported.Tools))
	}
	registry, err := tool.NewRegistry(c.Tools()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, made := range c.Tools() {
			made.(io.Closer).Close()
		}
	})
	return imported, registry
}

// Every operation of a document of over 40 is called, through files, a workspace
// and an executor, at a server that keeps what it is given.
func TestEveryOperationWorks(t *testing.T) {
	t.Parallel()
	server, listening := newTracker(t)
	imported, registry := importTracker(t, listening)
	run := executor.New(executor.Config{Tools: registry, Logger: slog.New(slog.DiscardHandler)})
	called := map[string]bool{}
	ids := map[string]string{} // that answers gave, by the names of the steps
	for _, step := range []struct {
		name, tool, args string
		want             string // a part of the answer
	}{
		{"", "getStatus", `{}`, `"up":true`},
		{"", "createProject", `{"key":"QUILL","name":"Quill ${HOME}","description":"a/b?c=d"}`, `"visibility":"private"`},
		{"", "getProject", `{"key":"QUILL"}`, `"name":"Quill ${HOME}"`},
		{"", "updateProject", `{"key":"QUILL","description":null,"archived":true}`, `{"archived":true,"key":"QUILL"`},
		{"", "listProjects", `{"q":"Quill"}`, `"key":"QUILL"`},
		{"", "listProjects", `{"q":"a&b"}`, `{"items":[]}`},
		{"", "setMember", `{"key":"QUILL","login":"ada","role":"owner"}`, `"notify":true`},
		{"", "listMembers", `{"key":"QUILL"}`, `"QUILL/ada":"owner"`},
		{"", "removeMember", `{"key":"QUILL","login":"ada"}`, `204 No Content`},
		{"", "createLabel", `{"key":"QUILL","name":"a/b c","color":"#00ff88"}`, `"a/b c"`},
		{"", "listLabels", `{"key":"QUILL"}`, `"color":"#00ff88"`},
		{"", "deleteLabel", `{"key":"QUILL","name":"a/b c"}`, `204`},
		{"stone", "createMilestone", `{"key":"QUILL","title":"1.0","due":"2026-12-24"}`, `"due":"2026-12-24"`},
		{"", "updateMilestone", `{"id":$stone,"progress":0.5}`, `"progress":0.5`},
		{"", "listMilestones", `{"key":"QUILL"}`, `"title":"1.0"`},
		{"issue", "createIssue", `{"project":"QUILL","title":"It breaks","priority":"high","assignees":["ada"],"estimate":{"hours":1.5},
			"checklist":[{"text":"try"},{"text":"mend","done":true}],"fields":{"browser":"x"}}`, `"checklist":[{"done":false,"text":"try"},{"done":true,"text":"mend"}],"estimate":{"hours":1.5}`},
		{"other", "createIssue", `{"project":"QUILL","title":"Another","estimate":{"points":3}}`, `"state":"open"`},
		{"", "getIssue", `{"id":$issue}`, `"fields":{"browser":"x"}`},
		{"", "updateIssue", `{"body":{"milestone":null,"title":"It still breaks"},"id":$issue}`, `"milestone":null`},
		{"", "replaceLabels", `{"id":$issue,"body":["bug","ui"]}`, `"labels":["bug","ui"]`},
		{"", "closeIssue", `{"id":$other}`, `"reason":null`},
		{"", "closeIssue", `{"id":$other,"body":{"reason":"done"}}`, `"reason":"done"`},
		{"", "reopenIssue", `{"id":$other}`, `"state":"open"`},
		{"", "searchIssues", `{"label":["bug","ui"],"filter_state":"open","X-Request-ID":"r 1"}`, `{"items":[$issue],"request":"r 1"}`},
		{"", "searchIssues", `{"ids":[$other,7]}`, `"items":[$other]`},
		{"", "searchIssues", `{"label":["bug","none"]}`, `"items":[]`},
		{"", "bulk", `{"body":{"action":"label","ids":[$issue,$other],"label":"x"}}`, `{"changed":2}`},
		{"", "get_issues_id_history", `{"id":$issue}`, `"PUT /issues/$issue/labels"`},
		{"comment", "addComment", `{"id":$issue,"body":"# Yes\n\n{id} & <b>"}`, `"text":"# Yes\n\n{id} \u0026 \u003cb\u003e"`},
		{"second", "addComment", `{"id":$issue,"body":"Second"}`, `Second`},
		{"", "addComment", `{"id":$issue,"body":"Third"}`, `Third`},
		{"", "listComments", `{"id":$issue}`, `"next":"$second"`},
		{"", "listComments", `{"id":$issue,"after":"$second"}`, `Third`},
		{"", "editComment", `{"id":$comment,"body_id":$comment,"text":"No"}`, `"text":"No"`},
		{"", "deleteComment", `{"id":$comment}`, `204`},
		{"", "createTree", `{"title":"a","children":[{"title":"b","children":[{"title":"c"}]},{"title":"d"}]}`, `{"made":4}`},
		{"", "createUser", `{"login":"bob","email":"bob@example.com","skills":["go","c&c"]}`, `"skills":["go","c\u0026c"]`},
		{"", "getUser", `{"login":"bob"}`, `bob@example.com`},
		{"", "listUsers", `{"login_prefix":"b"}`, `{"items":["bob"]}`},
		{"", "getMe", `{}`, `"login":"ada"`},
		{"", "burndown", `{"project":"QUILL","from":"2026-11-01"}`, `{"open":2,"project":"QUILL"}`},
		{"", "workload", `{}`, `"open":2`},
		{"hook", "createWebhook", `{"X-Idempotency-Key":"123e4567-e89b-12d3-a456-426614174000","url":"https://example.com/x","events":["closed"]}`, `"events":["closed"]`},
		{"", "listWebhooks", `{}`, `https://example.com/x`},
		{"", "deleteWebhook", `{"id":$hook}`, `204`},
		{"", "putSettings", `{"body":{"theme":"dark","zoom":1.5,"beta":true}}`, `"zoom":1.5`},
		{"", "getFile", `{"path":"docs/read me?.md"}`, `the file docs/read me?.md`},
		{"", "deleteIssue", `{"id":$other,"If-Match":"\"v1\""}`, `204`},
		{"", "deleteProject", `{"key":"QUILL"}`, `204`},
	} {
		for name, id := range ids {
			step.args, step.want = strings.ReplaceAll(step.args, "$"+name, id), strings.ReplaceAll(step.want, "$"+name, id)
		}
		result := run.Execute(t.Context(), []tool.Call{{ID: "1", Name: step.tool, Arguments: json.RawMessage(step.args)}})[0]
		called[step.tool] = true
		if result.Err != nil {
			t.Errorf("%s %s: %v %v", step.tool, step.args, result.Err, result.Err.Detail)
			continue
		}
		text := result.Output.Text()
		if !strings.Contains(text, step.want) {
			t.Errorf("%s %s:\ngot  %s\nwant %s", step.tool, step.args, text, step.want)
		}
		if step.name != "" {
			ids[step.name] = regexp.MustCompile(`"id":(\d+)`).FindStringSubmatch(text)[1]
		}
	}
	for _, each := range imported.Tools {
		if !called[each.Config.Name] {
			t.Errorf("%s was not called", each.Config.Name)
		}
	}
	if len(server.asked) != len(imported.Tools) {
		t.Errorf("%d operations of the server were reached, want one for each of %d tools", len(server.asked), len(imported.Tools))
	}
}

// What does not fit the document never reaches the server.
func TestArgumentsAreCheckedByTheDocument(t *testing.T) {
	t.Parallel()
	_, listening := newTracker(t)
	_, registry := importTracker(t, listening)
	for _, test := range []struct{ tool, args string }{
		{"createProject", `{"key":"quill","name":"x"}`},
		{"createProject", `{"key":"QUILL","name":"x","id":1}`},
		{"createIssue", `{"project":"QUILL","title":"x","priority":"urgent"}`},
		{"createIssue", `{"project":"QUILL","title":"x","estimate":{"hours":0}}`},
		{"createIssue", `{"project":"QUILL","title":"x","estimate":{"hours":1,"points":2}}`},
		{"createIssue", `{"project":"QUILL","title":"x","checklist":[{"done":true}]}`},
		{"updateMilestone", `{"id":1,"progress":1}`},
		{"createTree", `{"title":"a","children":[{"children":[]}]}`},
		{"closeIssue", `{"id":1,"body":{}}`},
		{"bulk", `{"body":{"action":"label","ids":[1]}}`},
		{"createWebhook", `{"X-Idempotency-Key":"x","url":"https://example.com","events":["closed"]}`},
	} {
		_, err := registry.Execute(t.Context(), test.tool, json.RawMessage(test.args))
		if e := tool.AsError(err); e == nil || e.Kind != tool.KindInvalidParameters {
			t.Errorf("%s %s: got %v", test.tool, test.args, err)
		}
	}
}
