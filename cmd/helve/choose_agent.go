package main

import (
	"cmp"
	"context"
	"iter"
	"os"

	"github.com/spf13/cobra"

	"helve/agent"
	"helve/catalog"
	"helve/model"
	"helve/session"
	"helve/telemetry"
	"helve/tool"
)

// windowTokens is how much of a long chat a model is sent: what nearly every model
// of today takes, with room for its answer.
const windowTokens = 100_000

func (a *app) agentFlag(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&a.workspaceFlags.agent, "agent", "a", "", "the `NAME` of an agent of the workspace (HELVE_AGENT)")
	_ = cmd.RegisterFlagCompletionFunc("agent", a.completeAgents)
}

// chosen is the agent that answers: that of --agent, else of HELVE_AGENT, else of
// helve.yaml, else one with all tools.
func (a *app) chosen(c *catalog.Catalog) (*catalog.Agent, error) {
	settings, err := c.Settings()
	if err != nil {
		return nil, usage("%w", err)
	}
	return a.agentNamed(c, cmp.Or(a.workspaceFlags.agent, os.Getenv("HELVE_AGENT"), settings.Agent))
}

// agentNamed is an agent of the workspace, or for no name one with all tools. Those of the
// names of skills are for who names them, and for MCP clients, who read no catalogue.
func (a *app) agentNamed(c *catalog.Catalog, name string) (*catalog.Agent, error) {
	switch {
	case name == "" && a.toolsGiven:
		return &catalog.Agent{Tools: append(generalTools(c), a.skillsNamed(c)...)}, nil
	case name == "" && a.serving:
		return &catalog.Agent{Tools: c.Tools()}, nil
	case name == "":
		return &catalog.Agent{Tools: generalTools(c)}, nil
	}
	if c.Dir() == "" {
		return nil, &failure{exitUsage, "usage", errNoWorkspace, "make one with \"helve init\", or name it with --workspace"}
	}
	spec, err := c.Agent(name)
	if err != nil {
		return nil, usage("%w", err)
	}
	return spec, nil
}

// answerer is an agent that was made of the workspace and the flags.
type answerer struct {
	agent     *agent.Agent
	tools     *tool.Registry // what its model can call
	about     telemetry.Invocation
	telemetry *telemetry.Telemetry
	close     func() // ends what its model holds
}

// stream runs a prompt, watched.
func (w *answerer) stream(ctx context.Context, run func(context.Context) iter.Seq2[agent.Event, error]) iter.Seq2[agent.Event, error] {
	return w.telemetry.Run(ctx, w.about, run)
}

func (a *app) answerer(ctx context.Context, c *catalog.Catalog) (*answerer, error) {
	spec, err := a.chosen(c)
	if err != nil {
		return nil, err
	}
	settings, err := c.Settings()
	if err != nil {
		return nil, usage("%w", err)
	}
	watch, err := a.watcher(ctx, settings)
	if err != nil {
		return nil, err
	}
	client, closeModel, err := a.client(settings, spec)
	if err != nil {
		return nil, err
	}
	config, err := a.config(ctx, c, spec, patient(client))
	if err != nil {
		closeModel()
		return nil, err
	}
	made, err := agent.New(watch.Agent(config))
	if err != nil {
		closeModel()
		return nil, err
	}
	about := telemetry.Invocation{Agent: spec.Name, Description: spec.Description, Model: client.Info(), Conversation: a.session}
	return &answerer{made, config.Executor.Tools, about, watch, closeModel}, nil
}

// config is what spec says, with what the flags change of it.
func (a *app) config(ctx context.Context, c *catalog.Catalog, spec *catalog.Agent, client model.Client) (agent.Config, error) {
	settings, _ := c.Settings() // answerer has read them
	config := spec.Config(client, a.telemetry.Ask(a.unlessInstead(spec, a.ask)))
	var err error
	config.Answer = a.answering(a.telemetry.Client(client))
	if config.Executor.Tools, err = a.allowed(spec.Tools); err != nil {
		return config, err
	}
	db, err := a.database(ctx, c, false)
	if err != nil {
		return config, err
	}
	if db != nil {
		config.Store = db.Tools()
	}
	config.Tools = nil
	withSkills(c, spec, &config)
	config.Client, config.Strategy = a.calling(client, spec.Output)
	config.MaxIterations = cmp.Or(a.maxIterations, spec.MaxIterations, settings.MaxIterations)
	config.Window = session.Window{MaxTokens: windowTokens}.Fit
	config.Adjust = func(*model.Request) { a.answers++ }
	config.Executor.Timeout = cmp.Or(config.Executor.Timeout, settings.Timeout)
	config.Executor.Logger = a.logger()
	return config, nil
}
