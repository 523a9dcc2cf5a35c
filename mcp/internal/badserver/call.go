package badserver

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
)

// call is one tools/call.
type call struct {
	ctx     context.Context
	session *session
	out     func(raw)
	params  callParams
	args    arguments
}

type callParams struct {
	Name      string
	Arguments raw
	Responses map[string]raw `json:"inputResponses"`
	Meta      struct {
		Token   raw    `json:"progressToken"`
		Version string `json:"io.modelcontextprotocol/protocolVersion"`
	} `json:"_meta"`
}

// arguments are those of all tools.
type arguments struct {
	Text                    string
	Steps, Pause, Megabytes int
	File                    string
}

// modern says that the client asks in the protocol without sessions.
func (c *call) modern() bool { return c.params.Meta.Version >= modern }

// call runs a tool. The record has "ran NAME" before anything can go wrong.
func (s *session) call(ctx context.Context, m message, out func(raw), reply func(result, failure raw)) {
	c := &call{ctx: ctx, session: s, out: out}
	if err := json.Unmarshal(m.Params, &c.params); err != nil {
		reply(nil, failure(-32602, "params: "+err.Error()))
		return
	}
	if len(c.params.Arguments) > 0 {
		if err := json.Unmarshal(c.params.Arguments, &c.args); err != nil {
			reply(nil, failure(-32602, "arguments: "+err.Error()))
			return
		}
	}
	run := s.server.behaviour(c.params.Name)
	if run == nil {
		reply(nil, failure(-32602, "unknown tool: "+c.params.Name))
		return
	}
	s.server.tell("ran " + c.params.Name)
	result, failed := run(c)
	if c.modern() && result != nil && !bytes.Contains(result, []byte(`"resultType"`)) {
		result = append(raw(`{"resultType":"complete",`), bytes.TrimPrefix(result, []byte(`{`))...)
		result = bytes.Replace(result, []byte(`,}`), []byte(`}`), 1) // of an empty object
	}
	if result != nil || failed != nil {
		reply(result, failed)
	}
}

// behaviour returns what the tool of that name does. The tools that only strange lists
// name answer like echo.
func (s *Server) behaviour(name string) func(*call) (raw, raw) {
	for _, b := range tools {
		if b.name == name {
			return b.run
		}
	}
	if strings.HasPrefix(name, "page_") {
		return (*call).called
	}
	for _, d := range s.all() {
		var listed struct{ Name string }
		if json.Unmarshal(d, &listed) == nil && listed.Name == name {
			return (*call).called
		}
	}
	return nil
}

// called says which tool was meant, so that a test can tell tools with strange names
// apart.
func (c *call) called() (raw, raw) { return text(strings.TrimSpace("this is " + c.params.Name)), nil }
