package catalog_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"helve/agent"
	"helve/catalog"
	"helve/executor"
	"helve/httptool"
	"helve/model/sim"
	"helve/netpolicy"
	"helve/tool"
)

// workspace makes a folder of files. A program has one already.
func workspace(files map[string]string) (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "workspace")
	if err != nil {
		panic(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			panic(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
	return dir, func() { os.RemoveAll(dir) }
}

// add is a tool of the program.
func add(*catalog.Settings) ([]tool.Tool, error) {
	type in struct{ A, B int }
	t, err := tool.New("add", "Add two whole numbers.", func(_ context.Context, in in) (int, error) { return in.A + in.B, nil })
	return []tool.Tool{t}, err
}

// How does a program get the tools and agents of a folder, and what of a mistake?
func ExampleLoad() {
	dir, remove := workspace(map[string]string{
		"tools/native/weather.yaml": "name: weather\ndescription: The weather.\napi_url: https://weather.example/{city}\nparameters: {city: {type: string, required: true}}\n",
		"tool_sets/all.yaml":        "name: all\ntools: [\"*\"]\n",
		"agents/helper.yaml":        "name: helper\ntool_sets: [all]\n",
		"agents/slip.yaml":          "name: slip\ntools: [wether]\n",
	})
	defer remove()
	c, err := catalog.Load(context.Background(), catalog.Options{
		Dir:     dir,
		Sources: []catalog.Source{httptool.Source(netpolicy.Policy{})},
		Builtin: add,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range c.Entries() {
		fmt.Println(e.Tool.Definition().Name, "from", e.Place())
	}
	for _, p := range c.Problems() {
		fmt.Println(p.Error())
	}
	helper, err := c.Agent("helper")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(helper.Name, "has", len(helper.Tools), "tools")
	// Output:
	// add from built in
	// weather from tools/native/weather.yaml:1
	// agents/slip.yaml:2:9: unknown tool "wether": did you mean weather?
	// helper has 2 tools
}

// How does an agent of a file run?
func ExampleAgent_Config() {
	dir, remove := workspace(map[string]string{"agents/adder.yaml": "name: adder\ninstructions: Add, never guess.\ntools: [add]\n"})
	defer remove()
	c, err := catalog.Load(context.Background(), catalog.Options{Dir: dir, Builtin: add})
	if err != nil {
		fmt.Println(err)
		return
	}
	adder, err := c.Agent("adder")
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := sim.Start(sim.Options{Script: &sim.Script{Turns: []sim.Turn{
		{Calls: []sim.Call{{Name: "add", Arguments: `{"A": 2, "B": 3}`}}},
		{Text: "It is 5."},
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client, err := server.Client() // in earnest: openai.New(…)
	if err != nil {
		fmt.Println(err)
		return
	}
	config := adder.Config(client, nil)
	config.Executor.Logger = slog.New(slog.DiscardHandler)
	a, err := agent.New(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := a.Run(context.Background(), "What is 2 + 3?")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reply.Text)
	// Output: It is 5.
}

// How are an agent's tools run without a model, with its approvals and limits?
func ExampleAgent_Executor() {
	dir, remove := workspace(map[string]string{
		"agents/clerk.yaml": "name: clerk\ntools: [add]\noverrides: {add: {approval: always}}\n",
	})
	defer remove()
	c, err := catalog.Load(context.Background(), catalog.Options{Dir: dir, Builtin: add})
	if err != nil {
		fmt.Println(err)
		return
	}
	clerk, err := c.Agent("clerk")
	if err != nil {
		fmt.Println(err)
		return
	}
	config := clerk.Executor(func(_ context.Context, call tool.Call, _ tool.Definition) (bool, error) {
		fmt.Println("May it", call.Name+"?")
		return true, nil
	})
	if config.Tools, err = tool.NewRegistry(clerk.Tools...); err != nil {
		fmt.Println(err)
		return
	}
	results := executor.New(config).Execute(context.Background(), []tool.Call{{ID: "1", Name: "add", Arguments: []byte(`{"A": 1, "B": 2}`)}})
	fmt.Println(results[0].Output.Text())
	// Output:
	// May it add?
	// 3
}

// How does a server use files as they change?
func ExampleWatch() {
	dir, remove := workspace(map[string]string{"agents/one.yaml": "name: one\n"})
	defer remove()
	changed := make(chan *catalog.Catalog, 1)
	live, err := catalog.Watch(context.Background(), catalog.Options{Dir: dir}, slog.New(slog.DiscardHandler), func(c *catalog.Catalog) { changed <- c })
	if err != nil {
		fmt.Println(err)
		return
	}
	defer live.Close()
	fmt.Println(len(live.Catalog().Agents()), "agent")
	if err := os.WriteFile(filepath.Join(dir, "agents", "two.yaml"), []byte("name: two\n"), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len((<-changed).Agents()), "agents")
	// Output:
	// 1 agent
	// 2 agents
}
