package script

import (
	"time"

	"helve/internal/yamlfile"
)

// Secret is a value that nothing prints; its Reveal method returns it.
type Secret = yamlfile.Secret

// JSON is a JSON value of any shape. In a file it is written as YAML.
type JSON = yamlfile.JSON

// Config is what a tool.yaml holds: the yaml tags are its keys, and those with omitempty
// may be left out.
type Config struct {
	Name        string `yaml:"name" jsonschema_description:"What the model calls: letters, digits, _ and -, at most 64."`
	Description string `yaml:"description" jsonschema_description:"What the tool is for. The model chooses by it."`

	// Parameters are as those of package httptool: a JSON Schema with type: object, or
	// an object whose keys are the parameters.
	Parameters JSON `yaml:"parameters,omitempty" jsonschema_description:"The arguments: name: {type, description, required, default, enum, …}, or a JSON Schema with type: object."`

	Command []string `yaml:"command,omitempty" jsonschema_description:"The program and its arguments, as a list: [./run.py] or [python3, run.py]. No shell reads it."`
	WASM    string   `yaml:"wasm,omitempty" jsonschema_description:"A WebAssembly module (wasip1) of the folder, in the place of command."`

	Input  string `yaml:"input,omitempty" jsonschema:"enum=json,enum=arguments" jsonschema_description:"How the arguments arrive: json, an object on standard input (default), or arguments, each as --name=value behind the command."`
	Output string `yaml:"output,omitempty" jsonschema:"enum=text,enum=json" jsonschema_description:"What is printed: text (default) or json, which is checked."`

	Env     map[string]Secret `yaml:"env,omitempty" jsonschema_description:"Its environment. ${NAME} is a variable of yours; no other reaches it."`
	Timeout time.Duration     `yaml:"timeout,omitempty" jsonschema_description:"How long a call may take. Default: that of helve.yaml, 30s."`
	Limits  Limits            `yaml:"limits,omitempty" jsonschema_description:"What a call may use."`

	Sequential   bool `yaml:"sequential,omitempty" jsonschema_description:"No other call of the same answer runs while this one does."`
	ReadOnly     bool `yaml:"read_only,omitempty" jsonschema_description:"The same arguments give the same result: it may be reused."`
	Idempotent   bool `yaml:"idempotent,omitempty" jsonschema_description:"Calling twice does no more harm than once: it may be retried."`
	ReturnDirect bool `yaml:"return_direct,omitempty" jsonschema_description:"The answer ends the run."`
}

// Limits are what a call may use besides time. Sizes are written as 64KiB or 256MiB. What
// is left out is as the sandbox has it.
type Limits struct {
	CPU       time.Duration `yaml:"cpu,omitempty" jsonschema_description:"Time of computing, of each process. Default: the timeout."`
	Memory    string        `yaml:"memory,omitempty" jsonschema_description:"Memory, such as 256MiB. Default 512MiB."`
	Processes int           `yaml:"processes,omitempty" jsonschema_description:"Processes and threads. Default 64."`
	Work      string        `yaml:"work,omitempty" jsonschema_description:"Files in its directory, such as 16MiB. Default 64MiB."`
	Output    string        `yaml:"output,omitempty" jsonschema_description:"The longest output for the model, such as 16KiB. Default 64KiB."`
}

const (
	defaultTimeout = 30 * time.Second
	defaultOutput  = 64 << 10

	// graceTime is what the sandbox may need besides: to start, to compile a module when
	// it is first called, to stop what does not want to end.
	graceTime = 10 * time.Second
)
