package main

import (
	"cmp"
	"os"

	"github.com/spf13/cobra"

	"helve/agent"
	"helve/catalog"
	"helve/model"
	"helve/session"
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
	name := cmp.Or(a.workspaceFlags.agent, os.Getenv("HELVE_AGENT"), settings.Agent)
	if name == "" {
		return &catalog.Agent{Tools: c.Tools()}, nil
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

// agent makes an agent of what the workspace and the flags say.
func (a *app) agent(c *catalog.Catalog) (*agent.Agent, func(), error) {
	if a.maxIterationsGiven && a.maxIterations < 1 {
		return nil, nil, usage("--max-iterations must be at least 1")
	}
	spec, err := a.chosen(c)
	if err != nil {
		return nil, nil, err
	}
	tools, err := a.allowed(spec.Tools)
	if err != nil {
		return nil, nil, err
	}
	settings, err := c.Settings()
	if err != nil {
		return nil, nil, usage("%w", err)
	}
	client, closeModel, err := a.client(settings, spec)
	if err != nil {
		return nil, nil, err
	}
	client = patient(client)

	config := spec.Config(client, a.ask)
	config.Client, config.Strategy = a.calling(client, spec.Output)
	config.Tools = nil
	config.MaxIterations = settings.MaxIterations
	if spec.MaxIterations > 0 {
		config.MaxIterations = spec.MaxIterations
	}
	if a.maxIterationsGiven {
		config.MaxIterations = a.maxIterations
	}
	config.Window = session.Window{MaxTokens: windowTokens}.Fit
	config.Adjust = func(*model.Request) { a.answers++ }
	config.Executor.Tools = tools
	config.Executor.Timeout = cmp.Or(config.Executor.Timeout, settings.Timeout)
	config.Executor.Logger = a.logger()
	ag, err := agent.New(config)
	if err != nil {
		closeModel()
		return nil, nil, err
	}
	return ag, closeModel, nil
}
