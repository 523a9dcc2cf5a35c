package catalog

import (
	"context"
	"errors"
	"slices"

	"helve/agent"
	"helve/dialect"
	"helve/executor"
	"helve/internal/yamlfile"
	"helve/model"
	"helve/tool"
)

// autoDialect stands for the dialect of the model's name.
const autoDialect = "auto"

// Config returns what makes an [agent.Agent] of this one: its instructions, tools,
// limits and way of calling. Client is its model. Ask is asked before calls that need
// approval; where it is nil they are denied. The caller may change what is returned.
func (a *Agent) Config(client model.Client, ask executor.Ask) agent.Config {
	return agent.Config{
		Client:        client,
		Instructions:  a.Instructions,
		Tools:         a.Tools,
		MaxIterations: a.MaxIterations,
		Strategy:      a.Output.Strategy(client.Info().Model),
		Executor:      a.Executor(ask),
	}
}

// Executor returns what makes an [executor.Executor] of this agent, but for the tools: it
// is for who calls them without a model. Ask is as in [Agent.Config].
func (a *Agent) Executor(ask executor.Ask) executor.Config {
	c := executor.Config{Timeout: a.Timeout}
	if isFalse(a.Parallel) {
		c.MaxParallel = 1
	}
	if tools := a.NeedApproval(); len(tools) > 0 {
		if ask == nil {
			ask = nobody
		}
		c.Middleware = []executor.Middleware{executor.Approve(a.asks(ask), tools...)}
	}
	return c
}

// asks is ask for the calls that it is meant for.
func (a *Agent) asks(ask executor.Ask) executor.Ask {
	return func(ctx context.Context, call tool.Call, d tool.Definition) (bool, error) {
		if a.Overrides[call.Name].Approval != ApprovalAlways && a.InsteadOf(call) == "" {
			return true, nil
		}
		return ask(ctx, call, d)
	}
}

// InsteadOf returns the name of the tool whose work a call of another does, such as
// skill_run for a call of a skill's own name that runs a script. It is empty where it does
// its own. Who allows calls of that tool allows this call.
func (a *Agent) InsteadOf(call tool.Call) string {
	if i := a.instead[call.Name]; i.does(call) {
		return i.Of
	}
	return ""
}

func nobody(context.Context, tool.Call, tool.Definition) (bool, error) {
	return false, errors.New("the program has no way to ask")
}

// NeedApproval returns the names of its tools whose calls a person must allow, sorted: also
// of those that do the work of such a tool, where nothing else is said of them.
func (a *Agent) NeedApproval() []string {
	var names []string
	for _, name := range keys(a.Overrides) {
		if a.Overrides[name].Approval == ApprovalAlways {
			names = append(names, name)
		}
	}
	for name, i := range a.instead {
		if a.Overrides[name].Approval == "" && a.Overrides[i.Of].Approval == ApprovalAlways {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Strategy is o as package dialect wants it, for the model of that name.
func (o OutputStrategy) Strategy(modelName string) dialect.Strategy {
	s := dialect.Strategy{TextOnly: isFalse(o.FunctionCalling), NativeOnly: isFalse(o.Fallback)}
	switch o.Dialect {
	case "":
	case autoDialect:
		s.Dialect = dialect.ForModel(modelName) // nil is the structured one
	default:
		s.Dialect, _ = dialect.Lookup(o.Dialect) // check has found it
	}
	return s
}

func (o OutputStrategy) check(f *File) (errs yamlfile.Errors) {
	if isFalse(o.FunctionCalling) && isFalse(o.Fallback) {
		errs = append(errs, f.errorf("/output_strategy", "allow one of them", "without function_calling and fallback_to_structured_output there is no way to call a tool"))
	}
	if o.Dialect != "" && o.Dialect != autoDialect {
		if _, err := dialect.Lookup(o.Dialect); err != nil {
			errs = append(errs, f.errorf("/output_strategy/dialect", "", "%v", err))
		}
	}
	return errs
}
