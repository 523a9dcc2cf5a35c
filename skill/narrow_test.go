package skill

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
	"helve/message"
	"helve/tool"
)

func TestPatternsOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                               {},
		"Read":                           {"Read"},
		"Bash(git add:*)  Read,Grep, LS": {"Bash(git add:*)", "Read", "Grep", "LS"},
		"a(b (c) d) e":                   {"a(b (c) d)", "e"},
		"a(b c":                          {"a(b c"},
		") a":                            {")", "a"},
	} {
		if diff := cmp.Diff(want, patternsOf(text)); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
}

func TestAllows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		patterns, name, arguments string
		want                      bool
	}{
		{"", "x", `{}`, false},
		{"sql_*", "sql_query", `{}`, true},
		{"sql_*", "excel", `{}`, false},
		{"READ_FILE", "read_file", `{}`, true},
		{"Read", "read_file", `{}`, true},
		{"WebFetch", "http_get", `{}`, true},
		{"Read", "http_get", `{}`, false},
		{"[", "[", `{}`, false},
		{"bash", "bash", `{"command":"rm -rf /"}`, true},
		{"bash(git:*)", "bash", `{"command":"git"}`, true},
		{"bash(git diff:*)", "bash", `{"command":"git diff --stat"}`, true},
		{"bash(git diff:*)", "bash", `{"command":"git difftool"}`, false},
		{"bash(git:*)", "bash", `{"command":"rm"}`, false},
		{"bash(git:*)", "bash", `{"command":"git; rm"}`, false},
		{"bash(git:*)", "bash", `{"command":"git $(rm)"}`, false},
		{"bash(git:*)", "bash", `{"command":"git\nrm"}`, false},
		{"bash(git:*)", "bash", `{"command":"git","shell":"x"}`, false},
		{"bash(git:*)", "bash", `{"command":["git"]}`, false},
		{"bash(git:*)", "bash", `{"command":null}`, false},
		{"bash(git:*)", "bash", `not JSON`, false},
		{"bash(git:*", "bash", `{"command":"git"}`, false},
		{"bash()", "bash", `{"command":""}`, false},
		{"bash(:*)", "bash", `{"command":""}`, false},
		{"bash(*)", "bash", `{"command":"*"}`, false},
		{"http_get(https://example.org/)", "http_get", `{"url":"https://example.org/"}`, true},
		{"http_get(https://example.org/)", "http_get", `{"url":"https://example.org/x"}`, false},
		{"WebFetch(domain:example.org)", "http_get", `{"url":"https://example.org/"}`, false},
	} {
		if got := Allows(patternsOf(test.patterns), tool.Call{Name: test.name, Arguments: json.RawMessage(test.arguments)}); got != test.want {
			t.Errorf("%s allows %s %s: %t", test.patterns, test.name, test.arguments, got)
		}
	}
	if !Allows(nil, tool.Call{Name: "x"}) {
		t.Error("a skill that says nothing takes something away")
	}
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	l, _ := libraryOf(t, &recorder{}, map[string]string{
		"free/SKILL.md":   skillMD("free", ""),
		"free/run.sh":     "",
		"narrow/SKILL.md": skillMD("narrow", "allowed-tools: calculate other\n"),
		"narrow/run.sh":   "", "narrow/assets/tools.json": `{"tools":[{"name":"go","description":"Go.","script":"run.sh"}]}`,
		"none/SKILL.md":   skillMD("none", "allowed-tools: \"\"\n"),
		"sums/SKILL.md":   skillMD("sums", "allowed-tools: calculate\n"),
		"hidden/SKILL.md": skillMD("hidden", "allowed-tools: calculate\ndisable-model-invocation: true\n"),
	})
	opened := func(id, name, arguments string, failed bool) []message.Message {
		return []message.Message{
			message.Assistant(message.ToolCall{ID: id, Name: name, Arguments: json.RawMessage(arguments)}),
			message.Result(message.ToolResult{CallID: id, Name: name, IsError: failed}),
		}
	}
	user := []message.Message{message.User("help")}
	join := func(all ...[]message.Message) (joined []message.Message) {
		for _, m := range all {
			joined = append(joined, m...)
		}
		return joined
	}
	narrow := join(user, opened("1", "skill", `{"name":"narrow"}`, false))
	for _, test := range []struct {
		name      string
		messages  []message.Message
		call      string
		arguments string
		refused   bool
	}{
		{"nothing is open", user, "http_get", `{}`, false},
		{"outside of an agent", nil, "http_get", `{}`, false},
		{"open, another tool", narrow, "http_get", `{}`, true},
		{"open, an allowed tool", narrow, "calculate", `{}`, false},
		{"a tool that is not there", narrow, "nothing", `{}`, true},
		{"opened by its own name", join(user, opened("1", "narrow", `{}`, false)), "http_get", `{}`, true},
		{"read by its own name", join(user, opened("1", "narrow", `{"path":"run.sh"}`, false)), "http_get", `{}`, false},
		{"not opened after all", join(user, opened("1", "skill", `{"name":"narrow"}`, true)), "http_get", `{}`, false},
		{"the person spoke since", join(narrow, user), "http_get", `{}`, false},
		{"one that says nothing", join(user, opened("1", "skill", `{"name":"free"}`, false)), "http_get", `{}`, false},
		{"one that says nothing does not widen", join(narrow, opened("2", "skill", `{"name":"free"}`, false)), "http_get", `{}`, true},
		{"each must allow it", join(narrow, opened("2", "skill", `{"name":"sums"}`, false)), "other", `{}`, true},
		{"both do", join(narrow, opened("2", "skill", `{"name":"sums"}`, false)), "calculate", `{}`, false},
		{"nothing is allowed", join(user, opened("1", "skill", `{"name":"none"}`, false)), "calculate", `{}`, true},
		{"a hidden one can't be opened", join(user, opened("1", "skill", `{"name":"hidden"}`, false)), "http_get", `{}`, false},
		{"opening another", narrow, "skill", `{"name":"free"}`, false},
		{"reading another", narrow, "skill_read", `{"skill":"free","path":"run.sh"}`, false},
		{"its own script", narrow, "skill_run", `{"skill":"narrow","script":"run.sh"}`, false},
		{"its own script, by its name", narrow, "narrow", `{"script":"run.sh"}`, false},
		{"its own typed tool", narrow, "narrow__go", `{}`, false},
		{"a name like that of its typed tool", narrow, "narrow__search", `{}`, true},
		{"another's script", narrow, "skill_run", `{"skill":"free","script":"run.sh"}`, true},
		{"another's script, by its name", narrow, "free", `{"script":"run.sh"}`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ran := false
			next := func(context.Context, executor.Request) (tool.Result, error) {
				ran = true
				return tool.Result{}, nil
			}
			ctx := tool.WithRuntime(t.Context(), &tool.Runtime{State: tool.State{Messages: test.messages}})
			_, err := l.Narrow()(next)(ctx, executor.Request{Call: tool.Call{Name: test.call, Arguments: json.RawMessage(test.arguments)}})
			if ran == test.refused || test.refused && kind(err) != tool.KindPermissionDenied {
				t.Errorf("ran: %t, %v", ran, err)
			}
		})
	}
}

// In an executor a refused call is a result like others, and its neighbours run.
func TestNarrow_InAnExecutor(t *testing.T) {
	t.Parallel()
	l, _ := libraryOf(t, nil, map[string]string{"x/SKILL.md": skillMD("x", "allowed-tools: good\n")})
	make := func(name string) tool.Tool {
		return tool.Must(tool.New(name, "Do it.", func(context.Context, struct{}) (string, error) { return "done", nil }))
	}
	registry, err := tool.NewRegistry(make("good"), make("bad"))
	if err != nil {
		t.Fatal(err)
	}
	e := executor.New(executor.Config{Tools: registry, Middleware: []executor.Middleware{l.Narrow()}, Logger: slog.New(slog.DiscardHandler)})
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{State: tool.State{Messages: []message.Message{
		message.User("help"), message.Assistant(message.ToolCall{ID: "1", Name: "skill", Arguments: json.RawMessage(`{"name":"x"}`)}),
	}}})
	results := e.Execute(ctx, []tool.Call{{ID: "2", Name: "bad"}, {ID: "3", Name: "good"}})
	want := "The skill x, which is in use, does not allow this call of bad. It allows: good."
	if results[0].Err == nil || results[0].Err.Message != want || results[1].Output.Text() != "done" {
		t.Errorf("%+v", results)
	}
	if strings.Contains(want, "  ") {
		t.Error(want)
	}
}

// A tool that has the name of a skill is no call of the skill: it opens none, and one in
// use may forbid it.
func TestNarrow_ANameThatAnotherToolHas(t *testing.T) {
	t.Parallel()
	l, _ := libraryOf(t, nil, map[string]string{"x/SKILL.md": skillMD("x", "allowed-tools: good\n"), "calculate/SKILL.md": skillMD("calculate", "allowed-tools: good\n")})
	call := func(opened, name string) error {
		ctx := tool.WithRuntime(t.Context(), &tool.Runtime{State: tool.State{Messages: []message.Message{
			message.User("help"), message.Assistant(message.ToolCall{ID: "1", Name: opened, Arguments: json.RawMessage(`{"name":"x"}`)}),
		}}})
		next := func(context.Context, executor.Request) (tool.Result, error) { return tool.Result{}, nil }
		_, err := l.Narrow("calculate")(next)(ctx, executor.Request{Call: tool.Call{Name: name}})
		return err
	}
	if err := call("skill", "calculate"); kind(err) != tool.KindPermissionDenied {
		t.Error(err)
	}
	if err := call("calculate", "free"); err != nil {
		t.Error(err)
	}
}
