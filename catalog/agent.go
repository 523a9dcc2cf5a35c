package catalog

import (
	"time"

	"helve/internal/yamlfile"
	"helve/tool"
)

// AgentFile is an agent as a file describes it (document 004, sections 4.2 and 4.3).
type AgentFile struct {
	Name          string              `yaml:"name" jsonschema_description:"What helve run --agent names it by."`
	Description   string              `yaml:"description,omitempty" jsonschema_description:"What it is for, for people."`
	Model         string              `yaml:"model,omitempty" jsonschema_description:"Its model, as PROVIDER/NAME. Without it, that of helve.yaml."`
	Instructions  string              `yaml:"instructions,omitempty" jsonschema_description:"What the model is told ahead of every conversation."`
	Tools         []string            `yaml:"tools,omitempty" jsonschema_description:"Names of tools. sql_* takes all that match, -sql_drop leaves one out, * takes all."`
	ToolSets      []string            `yaml:"tool_sets,omitempty" jsonschema_description:"Names of tool sets."`
	Output        OutputStrategy      `yaml:"output_strategy,omitempty" jsonschema_description:"How the model calls tools."`
	MaxIterations int                 `yaml:"max_iterations,omitempty" jsonschema:"minimum=1" jsonschema_description:"How many answers the model may take for one prompt. 5 where nothing is said."`
	Parallel      *bool               `yaml:"parallel,omitempty" jsonschema_description:"false runs the calls of an answer one after the other."`
	Timeout       time.Duration       `yaml:"timeout,omitempty" jsonschema_description:"How long a call may take where its tool says nothing else, such as 30s."`
	Overrides     map[string]Override `yaml:"overrides,omitempty" jsonschema_description:"What is different for some of its tools: their names, and what changes."`
}

// OutputStrategy says how a model calls tools (document 004, section 4.3.1).
type OutputStrategy struct {
	FunctionCalling *bool  `yaml:"function_calling,omitempty" jsonschema_description:"false: calls are text, even where the model has function calling."`
	Fallback        *bool  `yaml:"fallback_to_structured_output,omitempty" jsonschema_description:"false: a model without function calling is an error."`
	Dialect         string `yaml:"dialect,omitempty" jsonschema_description:"The dialect of calls that are text: a name of helve dialects, or auto for that of the model."`
}

// Override is what an agent changes of a tool.
type Override struct {
	Enabled  *bool         `yaml:"enabled,omitempty" jsonschema_description:"false takes the tool away from this agent."`
	Timeout  time.Duration `yaml:"timeout,omitempty" jsonschema_description:"How long a call of it may take."`
	Approval Approval      `yaml:"approval,omitempty" jsonschema:"enum=never,enum=always" jsonschema_description:"always: a person is asked before each call. never: nobody is."`
}

// Approval says when a person is asked before a call runs.
type Approval string

// The values of Approval; the zero value is never.
const (
	ApprovalNever  Approval = "never"
	ApprovalAlways Approval = "always"
)

// Agent is an agent and its tools: those it names and those of its sets, in the order
// of their names, with its overrides.
type Agent struct {
	AgentFile
	Tools []tool.Tool
	File  string // where it is defined

	broken bool // it names what is not there
	from   []*made

	instead map[string]*Instead // by the names of its tools
}

// check finds what no type can.
func (a *AgentFile) check(f *File) (errs yamlfile.Errors) {
	if a.MaxIterations < 0 {
		errs = append(errs, f.errorf("/max_iterations", "write 1 or more, or leave it out", "max_iterations is %d", a.MaxIterations))
	}
	for name, o := range a.Overrides {
		switch o.Approval {
		case "", ApprovalNever, ApprovalAlways:
		default:
			errs = append(errs, f.errorf("/overrides/"+pointerEscape(name)+"/approval", "write never or always", "unknown approval %q", o.Approval))
		}
	}
	return append(errs, a.Output.check(f)...)
}

func isFalse(b *bool) bool { return b != nil && !*b }
