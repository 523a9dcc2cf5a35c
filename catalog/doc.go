// Package catalog is the tool manager of requirement document 004: it finds, loads,
// checks and watches what a workspace describes in files: tools of every kind, sets of
// tools, and agents.
//
// A workspace is a folder:
//
//	helve.yaml          Settings: the model, the network, what is built in
//	agents/*.yaml       AgentFile (or configs/agents/*.yaml)
//	tool_sets/*.yaml    SetFile (or configs/tool_sets/*.yaml)
//	tools/...           tools, each kind in places of its own
//
// A [Source] may also find something that is no tool, such as prompts, in places of its
// own; [Values] returns that.
//
// [Load] reads it all and returns a [Catalog], which never changes. What is wrong in a
// file takes nothing else down: it is one of the catalog's [Problem]s, with the line,
// the column and a remedy. [Watch] loads again whenever a file changes; what no longer
// loads then stays as it was.
//
// How tools are made of files is the business of [Source]s, one for each kind, which
// the caller lists. The tools of a source that is [Changing] may be others tomorrow,
// though its files are the same:
//
//	c, err := catalog.Load(ctx, catalog.Options{
//		Dir:     "demo",
//		Sources: []catalog.Source{httptool.Source(…)},
//		Builtin: func(s *catalog.Settings) ([]tool.Tool, error) { … },
//	})
//	analyst, err := c.Agent("analyst")
//	a, err := agent.New(analyst.Config(client, nil))
//
// A workspace is trusted as a program is: its files say which servers are asked,
// which environment variables are sent there and, where the source of MCP servers is
// given, which programs are started, by Load itself. Do not load one from somebody you
// would not run a program of.
package catalog
