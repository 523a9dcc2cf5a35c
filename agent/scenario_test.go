package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"

	"helve/agent"
	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/model/sim"
	"helve/session"
	"helve/tool"
)

var update = flag.Bool("update", false, "write the transcripts of testdata/*.txtar anew")

// TestScenarios runs the archives in testdata. Each is a story: what the run is
// like (config), what a person asks (prompt), what the tools do (tools), what the
// model says (model, a script of package sim, played over real HTTP), and what
// must come of it (transcript).
func TestScenarios(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sections := map[string]*txtar.File{}
			for i := range archive.Files {
				sections[archive.Files[i].Name] = &archive.Files[i]
			}
			got := play(t, sections)
			want := sections["transcript"]
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("%s(-want +got):\n%s", archive.Comment, diff)
			}
		})
	}
}

type scenarioConfig struct {
	Instructions  string             `yaml:"instructions"`
	MaxIterations int                `yaml:"max_iterations"`
	BadArguments  agent.BadArguments `yaml:"bad_arguments"`
	Timeout       time.Duration      `yaml:"timeout"`
}

// scenarioTool says what a tool does in a story.
type scenarioTool struct {
	Name         string    `yaml:"name"`
	Description  string    `yaml:"description"`
	Parameters   yaml.Node `yaml:"parameters"`
	Answers      string    `yaml:"answers"` // {key} stands for an argument
	Fails        string    `yaml:"fails"`
	Panics       string    `yaml:"panics"`
	Hangs        bool      `yaml:"hangs"` // and ignores its context, until the test is over
	ReturnDirect bool      `yaml:"return_direct"`
}

func play(t *testing.T, sections map[string]*txtar.File) string {
	t.Helper()
	var config scenarioConfig
	if f := sections["config"]; f != nil {
		unmarshal(t, f.Data, &config)
	}
	script, err := sim.ParseScript(sections["model"].Data)
	if err != nil {
		t.Fatal(err)
	}
	server, err := sim.Start(sim.Options{Script: &script})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	client, err := server.Client()
	if err != nil {
		t.Fatal(err)
	}

	a, err := agent.New(agent.Config{
		Client:         client,
		Instructions:   config.Instructions,
		Tools:          scenarioTools(t, sections["tools"]),
		MaxIterations:  config.MaxIterations,
		OnBadArguments: config.BadArguments,
		Executor:       executor.Config{Timeout: config.Timeout, Logger: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		t.Fatal(err)
	}
	conversation := session.New()
	var out strings.Builder
	for prompt := range strings.SplitSeq(strings.TrimSpace(string(sections["prompt"].Data)), "\n") {
		reply, err := a.Run(t.Context(), prompt, agent.WithSession(conversation))
		ending(&out, reply, err)
	}
	messages, state, err := conversation.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if state != nil {
		out.WriteString("the run is still open\n")
	}
	for _, problem := range message.Check(messages) {
		fmt.Fprintf(&out, "problem: %v\n", problem)
	}
	return transcript(messages) + out.String()
}

func unmarshal(t *testing.T, data []byte, into any) {
	t.Helper()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil {
		t.Fatal(err)
	}
}

func scenarioTools(t *testing.T, f *txtar.File) []tool.Tool {
	t.Helper()
	if f == nil {
		return nil
	}
	var specs []scenarioTool
	unmarshal(t, f.Data, &specs)
	var tools []tool.Tool
	for _, spec := range specs {
		var parameters any = map[string]any{"type": "object", "properties": map[string]any{}}
		if spec.Parameters.Kind != 0 {
			if err := spec.Parameters.Decode(&parameters); err != nil {
				t.Fatal(err)
			}
		}
		data, err := json.Marshal(parameters)
		if err != nil {
			t.Fatal(err)
		}
		var options []tool.Option
		if spec.ReturnDirect {
			options = append(options, tool.ReturnDirect())
		}
		made, err := tool.FromSchema(spec.Name, spec.Description, data, spec.behave(t), options...)
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, made)
	}
	return tools
}

func (s scenarioTool) behave(t *testing.T) func(context.Context, json.RawMessage) (any, error) {
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	return func(_ context.Context, args json.RawMessage) (any, error) {
		switch {
		case s.Hangs:
			<-over
		case s.Panics != "":
			panic(s.Panics)
		case s.Fails != "":
			return nil, errors.New(s.Fails)
		}
		var values map[string]any
		if err := json.Unmarshal(args, &values); err != nil {
			return nil, err
		}
		answer := s.Answers
		for k, v := range values {
			answer = strings.ReplaceAll(answer, "{"+k+"}", fmt.Sprint(v))
		}
		return answer, nil
	}
}

// transcript is a conversation as a person reads it.
func transcript(messages []message.Message) string {
	var b strings.Builder
	for _, m := range messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case message.Text:
				fmt.Fprintf(&b, "%s: %s\n", m.Role, p)
			case message.Reasoning:
				fmt.Fprintf(&b, "%s thinks: %s\n", m.Role, p)
			case message.ToolCall:
				fmt.Fprintf(&b, "%s calls %s: %s %s\n", m.Role, p.ID, p.Name, p.Arguments)
			case message.ToolResult:
				fmt.Fprintf(&b, "result of %s: %s\n", p.CallID, p.Text())
			}
		}
		if m.IsZero() {
			b.WriteString("nothing\n")
		}
	}
	return b.String()
}

func ending(b *strings.Builder, reply *agent.Reply, err error) {
	if reply != nil {
		fmt.Fprintf(b, "=> %s after %d: %s\n", reply.Stop, reply.Iterations, reply.Text)
	}
	var bad *model.ArgumentsError
	if errors.As(err, &bad) {
		fmt.Fprintf(b, "=> error: arguments of %s: %s\n", bad.Tool, bad.Raw)
	} else if err != nil {
		fmt.Fprintf(b, "=> error: %v\n", err)
	}
}
