package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"helve/catalog"
	"helve/tool"
)

var errNoWorkspace = errors.New("there is no workspace here")

func (a *app) agentsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "agents [NAME]",
		Short: "Show the agents of the workspace",
		Long: `Agents lists the agents of the workspace or, with NAME, shows one: its model, its
instructions and the tools it gets. "helve run --agent NAME" runs it.`,
		Example: `  helve agents
  helve agents analyst
  helve agents --json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeAgents,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.workspace(cmd.Context())
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return a.showAgent(c, args[0])
			}
			return a.listAgents(c)
		},
	}
}

// shownAgent is an agent for programs.
type shownAgent struct {
	Name         string   `json:"name"`
	Description  string   `json:"description,omitempty"`
	Model        string   `json:"model,omitempty"`
	Instructions string   `json:"instructions,omitempty"`
	Tools        []string `json:"tools"`
	Approval     []string `json:"approval,omitempty"`
	File         string   `json:"file"`
}

func shown(agent *catalog.Agent) shownAgent {
	return shownAgent{agent.Name, agent.Description, agent.Model, agent.Instructions, toolNames(agent.Tools), agent.NeedApproval(), agent.File}
}

func (a *app) listAgents(c *catalog.Catalog) error {
	var all []shownAgent
	for _, agent := range c.Agents() {
		all = append(all, shown(agent))
	}
	if len(all) == 0 {
		fmt.Fprintln(a.std.err, "helve: no agents: they are files in agents/, see \"helve init\"")
	}
	err := list(a, all, func(s shownAgent) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s", s.Name, counted(len(s.Tools), "tool"), s.File, firstSentence(s.Description))
	})
	return cmp.Or(err, broken(c))
}

func (a *app) showAgent(c *catalog.Catalog, name string) error {
	agent, err := c.Agent(name)
	if err != nil {
		return usage("%w", err)
	}
	s := shown(agent)
	if a.json || a.jsonl {
		encode(a.std.out, s)
		return nil
	}
	fmt.Fprintf(a.std.out, "%s\n  %s\n", printable(headline(s.Name, s.Description)), printable(s.File))
	if s.Model != "" {
		fmt.Fprintf(a.std.out, "  model %s\n", printable(s.Model))
	}
	if s.Instructions != "" {
		fmt.Fprintf(a.std.out, "  | %s\n", strings.ReplaceAll(strings.TrimSpace(printable(s.Instructions)), "\n", "\n  | "))
	}
	if len(s.Approval) > 0 {
		fmt.Fprintf(a.std.out, "  a person is asked before %s\n", strings.Join(s.Approval, ", "))
	}
	a.printTools(agent.Tools)
	return nil
}

func (a *app) printTools(tools []tool.Tool) {
	w := tabwriter.NewWriter(a.std.out, 0, 0, 2, ' ', 0)
	for _, t := range tools {
		d := t.Definition()
		fmt.Fprintf(w, "  %s\t%s\n", d.Name, printable(firstSentence(d.Description)))
	}
	_ = w.Flush()
}

// headline is a name and what it is for, if that is said.
func headline(name, description string) string {
	if description == "" {
		return name
	}
	return name + ": " + description
}

// counted is "1 tool" or "2 tools".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func toolNames(tools []tool.Tool) []string {
	names := []string{}
	for _, t := range tools {
		names = append(names, t.Definition().Name)
	}
	return names
}

func (a *app) completeAgents(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	a.startNone = true // who types waits for no server
	c, err := a.workspace(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, agent := range c.Agents() {
		names = append(names, agent.Name+"\t"+firstSentence(agent.Description))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
