package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"helve/catalog"
	"helve/internal/jsonc"
	"helve/internal/yamlfile"
)

// readJSON reads a file in the form that many programs share: {"mcpServers": {NAME: …}},
// and the editor's {"servers": {NAME: …}, "inputs": […]}. What helve does not know in it
// is for others, and a warning; a server that is wrong takes no other down.
func readJSON(f *catalog.File) ([]configured, error) {
	r := &jsonReader{file: f}
	if len(f.Data) > yamlfile.MaxBytes {
		return nil, r.problem(jsonc.Place{}, "split it", "the file is %d bytes long, and at most %d are read", len(f.Data), yamlfile.MaxBytes)
	}
	root, err := jsonc.Parse(f.Data)
	if fault, ok := errors.AsType[*jsonc.Error](err); ok {
		return nil, r.problem(fault.Place, "", "this is not JSON: %s", fault.Message)
	}
	if root.Kind != jsonc.Object {
		return nil, r.problem(root.Place, `write {"mcpServers": {…}}`, "want an object, not %s", root.Kind)
	}
	r.inputs = root.Get("inputs")
	servers, found := r.servers(root)
	if !found {
		r.warn(root.Place, `write {"mcpServers": {…}}`, "no servers are in this file")
	}
	var all []configured
	names := map[string]bool{}
	for _, m := range servers {
		if names[m.Name] {
			r.warn(m.Place, "rename one of them, or take one out", "the server %s is in this file already, which counts", m.Name)
			continue
		}
		names[m.Name] = true
		if c, ok := r.server(m); ok {
			all = append(all, c)
		}
	}
	return all, errors.Join(r.problems...)
}

// jsonReader reads one file.
type jsonReader struct {
	file     *catalog.File
	inputs   *jsonc.Value
	problems []error
}

func (r *jsonReader) problem(at jsonc.Place, hint, format string, args ...any) *catalog.Problem {
	return &catalog.Problem{File: r.file.Path, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...), Hint: hint, Undefined: r.file.Path}
}

func (r *jsonReader) fail(at jsonc.Place, hint, format string, args ...any) {
	r.problems = append(r.problems, r.problem(at, hint, format, args...))
}

func (r *jsonReader) warn(at jsonc.Place, hint, format string, args ...any) {
	p := r.problem(at, hint, format, args...)
	p.Warning, p.Undefined = true, ""
	r.problems = append(r.problems, p)
}

// servers returns the members of the objects that hold servers.
func (r *jsonReader) servers(root *jsonc.Value) (all []jsonc.Member, found bool) {
	for _, m := range root.Members {
		switch m.Name {
		case "mcpServers", "servers":
			found = true
			if m.Value.Kind != jsonc.Object {
				r.fail(m.Value.Place, `write {"NAME": {…}}`, "want an object, not %s", m.Value.Kind)
			}
			all = append(all, m.Value.Members...)
		case "inputs", "$schema":
		default:
			r.warn(m.Place, meant(m.Name, "mcpServers", "servers", "inputs"), "the key %.60q means nothing to helve", m.Name)
		}
	}
	return all, found
}

// server reads one server; it is not ok if something is wrong with it.
func (r *jsonReader) server(m jsonc.Member) (configured, bool) {
	s := &jsonServer{jsonReader: r, name: m.Name, at: m.Place, environment: map[string]string{}, places: map[string]jsonc.Place{}}
	s.config.Name = m.Name
	if m.Value.Kind != jsonc.Object {
		s.fail(m.Value.Place, "", "want an object, not %s", m.Value.Kind)
		return configured{}, false
	}
	s.members(m.Value)
	s.readEnvFile()
	if !s.bad {
		for _, one := range s.config.check() {
			key, _, _ := strings.Cut(strings.TrimPrefix(one.key, "/"), "/")
			at, known := s.places[key]
			if !known {
				at = s.at
			}
			s.fail(at, inJSON.Replace(one.hint), "%s", inJSON.Replace(one.message))
		}
	}
	if s.bad {
		return configured{}, false
	}
	s.config.place(r.file.Dir)
	return configured{Config: s.config, workspace: r.file.Dir, line: m.Line, hidden: hide(&s.config, s.environment)}, true
}

// inJSON names keys as these files do.
var inJSON = strings.NewReplacer("mcp_server_url", "url", "client_id", "clientId", "client_secret", "clientSecret", "mcp_api_key", "headers")

// jsonServer reads one server.
type jsonServer struct {
	*jsonReader
	name   string
	at     jsonc.Place
	config Config

	places      map[string]jsonc.Place // of values, by the keys of a YAML file
	environment map[string]string      // what it put in, by the names of the variables
	envFile     *jsonc.Value
	bad         bool
}

func (s *jsonServer) fail(at jsonc.Place, hint, format string, args ...any) {
	s.bad = true
	p := s.problem(at, hint, "%s%s", about(s.name), fmt.Sprintf(format, args...))
	p.Undefined = s.name
	s.problems = append(s.problems, p)
}

// members reads the keys that one program or another writes.
func (s *jsonServer) members(of *jsonc.Value) {
	c := &s.config
	for _, m := range of.Members {
		v := m.Value
		switch m.Name {
		case "type", "transport":
			s.transport(m)
		case "command":
			s.at1("command", v)
			c.Command = s.text(v)
		case "args":
			s.at1("args", v)
			c.Args = s.texts(v)
		case "env":
			s.at1("env", v)
			c.Env = s.secrets(v)
		case "envFile":
			s.envFile = v
		case "cwd":
			s.at1("dir", v)
			c.Dir = s.text(v)
		case "url", "serverUrl", "httpUrl":
			s.at1("mcp_server_url", v)
			c.URL = s.text(v)
		case "headers":
			s.at1("headers", v)
			c.Headers = s.secrets(v)
		case "timeout":
			s.at1("timeout", v)
			c.Timeout = s.duration(v)
		case "oauth":
			s.at1("oauth", v)
			c.OAuth = s.oauth(v)
		case "disabled":
			c.Disabled = s.truth(v)
		case "enabled":
			c.Disabled = !s.truth(v)
		case "tools", "includeTools":
			s.at1("allow", v)
			c.Allow = s.texts(v)
		case "disabledTools", "excludeTools":
			s.at1("deny", v)
			c.Deny = s.texts(v)
		case "alwaysAllow", "autoApprove", "description", "name": // for people, and for programs that ask before each call
		default:
			s.warn(m.Place, meantInJSON(m.Name), "%sthe key %.60q means nothing to helve", about(s.name), m.Name)
		}
	}
}

// meantInJSON says what to do about a key that is not known.
func meantInJSON(key string) string {
	if name := ownKeys[key]; name != "" {
		return "did you mean " + name + "?"
	}
	return cmp.Or(
		meant(key, "type", "command", "args", "env", "envFile", "cwd", "url", "headers", "timeout", "oauth", "disabled", "tools", "disabledTools"),
		"helve's own keys are for a file in tools/mcp, see \"helve schema mcp\"")
}

func (s *jsonServer) at1(key string, v *jsonc.Value) { s.places[key] = v.Place }

// transport reads the type, also one that holds all the rest, as some write it.
func (s *jsonServer) transport(m jsonc.Member) {
	if m.Value.Kind == jsonc.Object {
		s.members(m.Value)
		return
	}
	s.at1("type", m.Value)
	name := s.text(m.Value)
	if name == "remote" { // whichever it is
		return
	}
	s.config.Type = Type(name)
	if t, known := typeElsewhere(name); known {
		s.config.Type = t
	}
}

// want reports whether v is of a kind, and else what is wrong.
func (s *jsonServer) want(v *jsonc.Value, kind jsonc.Kind) bool {
	if v.Kind != kind {
		s.fail(v.Place, "", "want %s, not %s", kind, v.Kind)
	}
	return v.Kind == kind
}

// text reads text, with its variables.
func (s *jsonServer) text(v *jsonc.Value) string {
	if !s.want(v, jsonc.String) {
		return ""
	}
	text, err := s.expand(v.Text)
	if err != nil {
		s.fail(v.Place, err.hint, "%s", err.message)
	}
	return text
}

func (s *jsonServer) texts(v *jsonc.Value) (all []string) {
	if !s.want(v, jsonc.Array) {
		return nil
	}
	for _, one := range v.Elements {
		all = append(all, s.text(one))
	}
	return all
}

// secrets reads an object of texts. A number is as good as its text, and null as none.
func (s *jsonServer) secrets(v *jsonc.Value) map[string]Secret {
	all := map[string]Secret{}
	if !s.want(v, jsonc.Object) {
		return nil
	}
	for _, m := range v.Members {
		switch m.Value.Kind {
		case jsonc.Number, jsonc.Bool:
			all[m.Name] = Secret(m.Value.Text)
		case jsonc.Null:
		default:
			all[m.Name] = Secret(s.text(m.Value))
		}
	}
	return all
}

func (s *jsonServer) truth(v *jsonc.Value) bool {
	return s.want(v, jsonc.Bool) && v.Text == "true"
}

const (
	longest      = 24 * time.Hour // that a call may be given
	milliseconds = 1000           // from here on a number is milliseconds: some programs write these, others seconds
)

func (s *jsonServer) duration(v *jsonc.Value) time.Duration {
	var d time.Duration
	switch v.Kind {
	case jsonc.String:
		d, _ = time.ParseDuration(v.Text)
	case jsonc.Number:
		unit := time.Second
		n, _ := strconv.ParseFloat(v.Text, 64)
		if n >= milliseconds {
			unit = time.Millisecond
		}
		d = time.Duration(min(n, 1e9) * float64(unit)) // no overflow, and too long all the same
	}
	if d <= 0 || d > longest {
		s.fail(v.Place, "write seconds, or milliseconds from 1000 on", "want a time of at most 24 hours")
		return 0
	}
	return d
}

func (s *jsonServer) oauth(v *jsonc.Value) *OAuth {
	if !s.want(v, jsonc.Object) {
		return nil
	}
	o := &OAuth{}
	for _, m := range v.Members {
		switch m.Name {
		case "clientId":
			o.ClientID = s.text(m.Value)
		case "clientSecret":
			o.ClientSecret = Secret(s.text(m.Value))
		case "callbackPort":
			port, err := strconv.Atoi(m.Value.Text)
			if err != nil {
				s.fail(m.Value.Place, "", "want the number of a port")
			}
			o.CallbackPort = port
		case "scopes", "scope":
			if m.Value.Kind == jsonc.String {
				o.Scopes = strings.Fields(s.text(m.Value))
			} else {
				o.Scopes = s.texts(m.Value)
			}
		default:
			s.warn(m.Place, meant(m.Name, "clientId", "clientSecret", "callbackPort", "scopes"), "%sthe key %.60q of oauth means nothing to helve", about(s.name), m.Name)
		}
	}
	return o
}

// readEnvFile adds the variables of the file that envFile names. Those of env count more.
func (s *jsonServer) readEnvFile() {
	if s.envFile == nil {
		return
	}
	path := filepath.FromSlash(s.text(s.envFile))
	if s.bad {
		return
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.file.Dir, path)
	}
	variables, err := readEnvFile(path)
	if err != nil {
		s.fail(s.envFile.Place, "", "envFile: %v", err)
	}
	if s.config.Env == nil {
		s.config.Env = map[string]Secret{}
	}
	for name, value := range variables {
		s.environment[name] = value
		if _, given := s.config.Env[name]; !given {
			s.config.Env[name] = Secret(value)
		}
	}
}
