package catalog

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"helve/agent"
	"helve/executor"
	"helve/model/sim"
	"helve/tool"
)

// TestConfigMakesAnAgentThatAsks runs an agent of a file, whose tool needs approval.
func TestConfigMakesAnAgentThatAsks(t *testing.T) {
	t.Parallel()
	c := mustLoad(t, options(write(t, good+`
-- agents/a.yaml --
name: a
instructions: Be brief.
tools: [good]
max_iterations: 3
parallel: false
timeout: 7s
output_strategy: {function_calling: false, dialect: tag}
overrides: {good: {approval: always}}
`)))
	a, err := c.Agent("a")
	if err != nil {
		t.Fatal(err)
	}
	server, err := sim.Start(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := server.Client()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		ask  executor.Ask
		kind tool.Kind
	}{
		{"nobody", nil, tool.KindDenied},
		{"no", func(context.Context, tool.Call, tool.Definition) (bool, error) { return false, nil }, tool.KindDenied},
		{"gone", func(context.Context, tool.Call, tool.Definition) (bool, error) { return false, errors.New("gone") }, tool.KindDenied},
		{"yes", func(context.Context, tool.Call, tool.Definition) (bool, error) { return true, nil }, ""},
	} {
		config := a.Config(client, test.ask)
		if config.Instructions != "Be brief." || config.MaxIterations != 3 || config.Executor.MaxParallel != 1 || config.Executor.Timeout != 7*time.Second ||
			!config.Strategy.TextOnly || config.Strategy.Dialect.Name() != "tag" {
			t.Errorf("got %+v", config)
		}
		if _, err := agent.New(config); err != nil {
			t.Error(err)
		}
		tools, err := tool.NewRegistry(config.Tools...)
		if err != nil {
			t.Fatal(err)
		}
		config.Executor.Tools = tools
		result := executor.New(config.Executor).Execute(t.Context(), []tool.Call{{ID: "1", Name: "good"}})[0]
		var kind tool.Kind
		if result.Err != nil {
			kind = result.Err.Kind
		}
		if kind != test.kind {
			t.Errorf("%s: got %v", test.name, result.Err)
		}
	}
}

// TestDoc004_OutputStrategy: what an agent's file says and how the model is used.
func TestDoc004_OutputStrategy(t *testing.T) {
	t.Parallel()
	no := false
	for _, test := range []struct {
		output   OutputStrategy
		textOnly bool
		native   bool
		dialect  string
	}{
		{OutputStrategy{}, false, false, ""},
		{OutputStrategy{FunctionCalling: &no}, true, false, ""},
		{OutputStrategy{Fallback: &no}, false, true, ""},
		{OutputStrategy{Dialect: "hermes"}, false, false, "hermes"},
		{OutputStrategy{Dialect: "auto"}, false, false, "qwen3-coder"},
	} {
		s := test.output.Strategy("qwen3-coder:30b")
		name := ""
		if s.Dialect != nil {
			name = s.Dialect.Name()
		}
		if s.TextOnly != test.textOnly || s.NativeOnly != test.native || !strings.HasPrefix(name, test.dialect) {
			t.Errorf("%+v: got %+v %s", test.output, s, name)
		}
	}
}
