package catalog

import (
	"cmp"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"helve/internal/yamlfile"
	"helve/netpolicy"
)

// Secret is text from a file that nothing prints; its Reveal method returns it.
type Secret = yamlfile.Secret

// Settings are what helve.yaml says. All may be left out. What flags and the
// environment say counts more, what the user's own helve.yaml says counts less.
type Settings struct {
	Model         string        `yaml:"model,omitempty" jsonschema_description:"The model, as PROVIDER/NAME: openai/gpt-4.1-mini, ollama/qwen3:8b, sim/offline."`
	BaseURL       string        `yaml:"base_url,omitempty" jsonschema_description:"The URL of an OpenAI-compatible server, such as http://localhost:8000/v1. It gets no key but api_key."`
	APIKey        Secret        `yaml:"api_key,omitempty" jsonschema_description:"The key for base_url, from the environment: ${NAME}."`
	Agent         string        `yaml:"agent,omitempty" jsonschema_description:"The agent that helve run, helve chat and helve mcp use where none is named."`
	MaxIterations int           `yaml:"max_iterations,omitempty" jsonschema:"minimum=1" jsonschema_description:"How many answers a model may take for one prompt."`
	Timeout       time.Duration `yaml:"timeout,omitempty" jsonschema_description:"How long a tool call may take where its tool says nothing else."`
	Database      string        `yaml:"database,omitempty" jsonschema_description:"Where sessions and tools keep things: a file of SQLite, or postgres://… for PostgreSQL."`
	Network       Network       `yaml:"network,omitempty" jsonschema_description:"Which servers tools may ask."`
	Builtin       Builtin       `yaml:"builtin,omitempty" jsonschema_description:"What the built-in tools may do."`
	MCP           MCP           `yaml:"mcp,omitempty" jsonschema_description:"The Model Context Protocol servers whose tools the workspace uses."`
	Sandbox       Sandbox       `yaml:"sandbox,omitempty" jsonschema_description:"What scripts and skills run in."`
	Telemetry     Telemetry     `yaml:"telemetry,omitempty" jsonschema_description:"Metrics. Traces are set by the OTEL_… environment variables."`
}

// Network says which servers tools may ask.
type Network struct {
	AllowHosts   []string `yaml:"allow_hosts,omitempty" jsonschema_description:"Hosts that http_get may fetch from: example.org, *.example.org for its subdomains, * for any."`
	AllowPrivate bool     `yaml:"allow_private,omitempty" jsonschema_description:"Also addresses of this machine and its network, for http_get and for native tools."`
}

// Builtin says what the built-in tools may do. Paths are below the workspace.
type Builtin struct {
	Files        string        `yaml:"files,omitempty" jsonschema_description:"The folder that read_file and list_files may read."`
	GoEnv        []string      `yaml:"go_env,omitempty" jsonschema_description:"Names of environment variables that the Go functions in tools/builtin may read, besides PATH, HOME and the like."`
	DataAnalysis *DataAnalysis `yaml:"data_analysis,omitempty" jsonschema_description:"Gives sql_tool, excel_tool and plot_tool."`
}

// DataAnalysis has the folders of the tools for data. Paths are below the workspace.
type DataAnalysis struct {
	Data   string `yaml:"data" jsonschema_description:"The folder of the tables: CSV, TSV, JSON Lines, Parquet, Excel, SQLite. It is only read."`
	Output string `yaml:"output,omitempty" jsonschema_description:"The folder for pictures and workbooks. Without it nothing is written."`
}

// MCP says what holds for all Model Context Protocol servers.
type MCP struct {
	Pin bool `yaml:"pin,omitempty" jsonschema_description:"Only tools that were approved by helve mcp pin, and are as they were then, reach a model."`
}

// Sandbox says what scripts and skills run in.
type Sandbox struct {
	Level string `yaml:"level,omitempty" jsonschema:"enum=strict,enum=strict-noproc,enum=reduced" jsonschema_description:"How much isolation. Without it strict, or strict-noproc where /proc can't be mounted. reduced is weaker, and had only by its name."`
	Warm  int    `yaml:"warm,omitempty" jsonschema:"minimum=0,maximum=64" jsonschema_description:"How many sandboxes are started in advance, so that a call begins sooner. For helve mcp and helve chat. Default 0."`
}

// Telemetry says how a process may be watched.
type Telemetry struct {
	MetricsAddr string `yaml:"metrics_addr,omitempty" jsonschema_description:"The address at which a long-running command serves /metrics for Prometheus, such as 127.0.0.1:9464."`
}

// SettingError is what [Options.Builtin] finds wrong in the settings, at the place that
// Pointer, a JSON Pointer (RFC 6901), names in helve.yaml.
type SettingError struct {
	Pointer string
	Err     error
}

func (e *SettingError) Error() string {
	return strings.ReplaceAll(strings.TrimPrefix(e.Pointer, "/"), "/", ".") + ": " + e.Err.Error()
}
func (e *SettingError) Unwrap() error { return e.Err }

// place makes the path of a SQLite file absolute: it is relative to the file that names
// it.
func (s *Settings) place(dir string) {
	if s.Database != "" && !strings.Contains(s.Database, "://") && !filepath.IsAbs(s.Database) {
		s.Database = filepath.Join(dir, filepath.FromSlash(s.Database))
	}
}

// under fills what s leaves out from what the user set for all workspaces. Folders
// and servers are a workspace's own and not taken over; nor is the key of a server
// that the workspace does not ask.
func (s *Settings) under(user Settings) {
	if s.Model == "" && s.BaseURL == "" {
		s.Model, s.BaseURL, s.APIKey = user.Model, user.BaseURL, user.APIKey
	}
	s.MaxIterations = cmp.Or(s.MaxIterations, user.MaxIterations)
	s.Timeout = cmp.Or(s.Timeout, user.Timeout)
	s.Database = cmp.Or(s.Database, user.Database)
	s.Sandbox.Level = cmp.Or(s.Sandbox.Level, user.Sandbox.Level)
	s.Sandbox.Warm = cmp.Or(s.Sandbox.Warm, user.Sandbox.Warm)
	s.Telemetry.MetricsAddr = cmp.Or(s.Telemetry.MetricsAddr, user.Telemetry.MetricsAddr)
}

// check finds what no type can.
func (s *Settings) check(f *File) (errs yamlfile.Errors) {
	if err := (netpolicy.Policy{Hosts: s.Network.AllowHosts}).Check(); err != nil {
		errs = append(errs, f.errorf("/network/allow_hosts", "", "%v", err))
	}
	if u, err := url.Parse(s.BaseURL); s.BaseURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		errs = append(errs, f.errorf("/base_url", "write it in full, such as http://localhost:8000/v1", "base_url is not the URL of a server"))
	}
	if scheme, _, found := strings.Cut(s.Database, "://"); found && scheme != "postgres" && scheme != "postgresql" {
		errs = append(errs, f.errorf("/database", "write postgres://…, or the path of a SQLite file", "a database of the kind %.20s is not known", scheme))
	}
	switch s.Sandbox.Level {
	case "", "strict", "strict-noproc", "reduced":
	default:
		errs = append(errs, f.errorf("/sandbox/level", "there are strict, strict-noproc and reduced", "unknown level %q", s.Sandbox.Level))
	}
	if s.Sandbox.Warm < 0 || s.Sandbox.Warm > 64 {
		errs = append(errs, f.errorf("/sandbox/warm", "write 0 to 64", "warm is %d", s.Sandbox.Warm))
	}
	if s.MaxIterations < 0 {
		errs = append(errs, f.errorf("/max_iterations", "write 1 or more, or leave it out", "max_iterations is %d", s.MaxIterations))
	}
	return errs
}
