package mcp

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"helve/catalog"
	"helve/internal/yamlfile"
)

// serverFile is one server as a file in tools/mcp describes it. The first keys are
// document 004's, section 2.1.
type serverFile struct {
	Name      string        `yaml:"name,omitempty" jsonschema_description:"What the names of its tools begin with. Default: the name of the file."`
	ServerURL string        `yaml:"mcp_server_url,omitempty" jsonschema_description:"Where the server is, such as https://example.com/mcp. Either this or command."`
	APIKey    Secret        `yaml:"mcp_api_key,omitempty" jsonschema_description:"The key for the server, from the environment: ${NAME}."`
	Timeout   time.Duration `yaml:"timeout,omitempty" jsonschema_description:"How long a call may take in all."`

	Type    string            `yaml:"type,omitempty" jsonschema:"enum=stdio,enum=http,enum=sse,enum=rest" jsonschema_description:"stdio for a command; http, sse or rest for a URL. Where it is left out it is found out; rest never is."`
	Command string            `yaml:"command,omitempty" jsonschema_description:"The program of a server on standard input and output: a name, or a path below the workspace."`
	Args    []string          `yaml:"args,omitempty" jsonschema_description:"Its arguments."`
	Env     map[string]Secret `yaml:"env,omitempty" jsonschema_description:"Its environment, besides PATH, HOME and the like: NAME: ${NAME}."`
	Dir     string            `yaml:"dir,omitempty" jsonschema_description:"The folder it runs in, below the workspace. Default: the workspace."`

	APIKeyHeader string            `yaml:"api_key_header,omitempty" jsonschema_description:"The header for mcp_api_key. Default: Authorization, with Bearer before the key."`
	Headers      map[string]Secret `yaml:"headers,omitempty" jsonschema_description:"More headers of each request."`
	OAuth        *oauthFile        `yaml:"oauth,omitempty" jsonschema_description:"How to get a token, where helve mcp login can't find it out."`

	Protocol       date          `yaml:"protocol,omitempty" jsonschema:"enum=auto,enum=2025-11-25,enum=2026-07-28" jsonschema_description:"The version to speak. Default: auto."`
	IdleTimeout    time.Duration `yaml:"idle_timeout,omitempty" jsonschema_description:"How long a call may go without a sign of progress. Default: 120s."`
	ConnectTimeout time.Duration `yaml:"connect_timeout,omitempty" jsonschema_description:"How long to connect. Default: 30s."`
	ListTimeout    time.Duration `yaml:"list_timeout,omitempty" jsonschema_description:"How long to list the tools. Default: 15s."`

	Allow       []string `yaml:"allow,omitempty" jsonschema_description:"Only these of its tools, by the server's own names: read_*. Default: all."`
	Deny        []string `yaml:"deny,omitempty" jsonschema_description:"None of these tools."`
	Idempotent  []string `yaml:"idempotent,omitempty" jsonschema_description:"Tools that may be called again when an answer was lost."`
	Elicitation string   `yaml:"elicitation,omitempty" jsonschema:"enum=ask,enum=decline" jsonschema_description:"May it ask the person? Default: ask."`
	Sampling    string   `yaml:"sampling,omitempty" jsonschema:"enum=ask,enum=decline" jsonschema_description:"May it ask the model? Default: decline."`
	Disabled    bool     `yaml:"disabled,omitempty" jsonschema_description:"true: it is not used."`
}

// date is text, also where it looks like a date, which is another type in YAML.
type date string

func (d *date) UnmarshalYAML(node *yaml.Node) error {
	*d = date(node.Value)
	return nil
}

type oauthFile struct {
	ClientID     string   `yaml:"client_id,omitempty" jsonschema_description:"Who helve is, where the server does not register it by itself."`
	ClientSecret Secret   `yaml:"client_secret,omitempty" jsonschema_description:"As ${NAME}."`
	Scopes       []string `yaml:"scopes,omitempty" jsonschema_description:"What to ask for."`
	Grant        string   `yaml:"grant,omitempty" jsonschema:"enum=authorization_code,enum=client_credentials" jsonschema_description:"authorization_code: a person logs in once. client_credentials: a program alone."`
	CallbackPort int      `yaml:"callback_port,omitempty" jsonschema:"minimum=0,maximum=65535" jsonschema_description:"The port to which the login returns, where one is registered."`
}

// configured is a server that a file describes.
type configured struct {
	Config
	workspace string
	line      int // in its file; 0 is the file as a whole
	hidden    hidden
}

// readYAML reads a file in helve's own form: one server.
func readYAML(f *catalog.File) (configured, error) {
	var file serverFile
	err := f.Decode(&file)
	c := file.config()
	c.Name = cmp.Or(c.Name, strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path)))
	if err != nil {
		return configured{}, undefined(f.Path, c.Name, err)
	}
	if found := c.check(); len(found) > 0 {
		var all []error
		for _, one := range found {
			wrong := f.Errorf(one.key, "%s", one.message)
			if placed, ok := errors.AsType[*yamlfile.Error](wrong); ok {
				placed.Hint = one.hint
			}
			all = append(all, wrong)
		}
		return configured{}, undefined(f.Path, c.Name, errors.Join(all...))
	}
	c.place(f.Dir)
	line := max(f.Line("/command"), f.Line("/mcp_server_url")) // one is not there, and then it is the first line
	return configured{Config: c, workspace: f.Dir, line: line, hidden: hide(&c, f.Environment())}, nil
}

// undefined are the problems of a file that defines no server because of them. A key of
// another program's form gets helve's name for it.
func undefined(file, server string, err error) error {
	var all []error
	for _, one := range joined(err) {
		wrong, ok := errors.AsType[*yamlfile.Error](one)
		if !ok {
			wrong = &yamlfile.Error{File: file, Message: one.Error()}
		}
		p := &catalog.Problem{File: wrong.File, Line: wrong.Line, Column: wrong.Column, Message: wrong.Message, Hint: wrong.Hint, Undefined: server}
		if own := keysElsewhere[wrong.Unknown]; own != "" {
			p.Hint = "did you mean " + own + "?"
		}
		all = append(all, p)
	}
	return errors.Join(all...)
}

func (s *serverFile) config() Config {
	c := Config{
		Name: s.Name, Type: Type(s.Type),
		Command: s.Command, Args: s.Args, Env: s.Env, Dir: s.Dir,
		URL: s.ServerURL, APIKey: s.APIKey, APIKeyHeader: s.APIKeyHeader, Headers: s.Headers,
		Protocol: string(s.Protocol),
		Timeout:  s.Timeout, IdleTimeout: s.IdleTimeout, ConnectTimeout: s.ConnectTimeout, ListTimeout: s.ListTimeout,
		Allow: s.Allow, Deny: s.Deny, Idempotent: s.Idempotent,
		Elicitation: Policy(s.Elicitation), Sampling: Policy(s.Sampling), Disabled: s.Disabled,
	}
	if o := s.OAuth; o != nil {
		c.OAuth = &OAuth{ClientID: o.ClientID, ClientSecret: o.ClientSecret, Scopes: o.Scopes, Grant: o.Grant, CallbackPort: o.CallbackPort}
	}
	return c
}

// place makes the folder of a program absolute: it is relative to the workspace.
func (c *Config) place(workspace string) {
	if c.Command == "" {
		return
	}
	dir := filepath.FromSlash(c.Dir)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(workspace, dir)
	}
	c.Dir = dir
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
