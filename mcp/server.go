package mcp

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"helve/catalog"
)

// Server is one server of a workspace, for who looks after it. It is good as long as the
// catalog that was loaded is.
type Server struct {
	Name   string
	Config Config // as its file says, its variables filled in
	File   string // below the workspace
	Line   int

	// ShadowedBy is the file of the server of the same name that counts; empty for
	// that server itself.
	ShadowedBy string

	lease *lease // nil for one that is wrong
	fault string // what is wrong
}

// running is what the server shares with who describes it alike; nil for one that is
// disabled or wrong.
func (s *Server) running() *shared {
	if s.lease == nil {
		return nil
	}
	return s.lease.server
}

// List returns the servers of what was loaded and not yet closed, in the order of the
// files.
func (s *Servers) List() []Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Server
	for l := range s.leases {
		all = append(all, Server{Name: l.Name, Config: l.Config, File: l.place, Line: l.line, lease: l})
	}
	slices.SortFunc(all, func(a, b Server) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Name, b.Name))
	})
	first := map[string]string{}
	for i, server := range all {
		file, taken := first[server.Name]
		if !taken {
			first[server.Name] = server.File
			continue
		}
		all[i].ShadowedBy = file
	}
	return all
}

// Wrong returns the servers that are none because of what is wrong in their files, one
// for each of those that all the problems of a workspace name. What is wrong is in their
// Status; a file that can't be read at all is one, by its path.
func (s *Servers) Wrong(all []catalog.Problem) []Server {
	var wrong []Server
	for _, p := range all {
		if p.Undefined == "" || !slices.ContainsFunc(s.Patterns(), func(pattern string) bool { ok, _ := path.Match(pattern, p.File); return ok }) {
			continue
		}
		fault := strings.TrimPrefix(p.Message, about(p.Undefined))
		if p.Hint != "" {
			fault += ": " + p.Hint
		}
		i := slices.IndexFunc(wrong, func(s Server) bool { return s.File == p.File && s.Name == p.Undefined })
		if i >= 0 {
			wrong[i].fault += "; " + fault
			continue
		}
		wrong = append(wrong, Server{Name: p.Undefined, File: p.File, Line: p.Line, fault: fault})
	}
	return wrong
}

// Status says how the server is. Of one that was not connected it tells what it listed
// before.
func (s *Server) Status() Status {
	l := s.lease
	if l == nil {
		return Status{Name: s.Name, State: Wrong, Err: s.fault}
	}
	if l.server == nil {
		return Status{Name: s.Name, State: Disabled, Type: l.kind()}
	}
	status := l.server.client.Status()
	status.Name, status.Type = s.Name, cmp.Or(status.Type, l.kind())
	status.Err = l.hidden.in(status.Err)
	if listing, _, known := l.server.known(); known {
		status.Tools = len(l.pins(listing))
		status.Server = cmp.Or(status.Server, listing.Server)
		status.Protocol = cmp.Or(status.Protocol, listing.Protocol)
	}
	return status
}

// kind is the type as far as the configuration tells.
func (c *Config) kind() Type {
	if c.Command != "" {
		return Stdio
	}
	return cmp.Or(c.Type, HTTP)
}

// Connect connects to the server, and has it list its tools.
func (s *Server) Connect(ctx context.Context) error {
	if s.lease == nil {
		return errors.New("what describes it is wrong: " + s.fault)
	}
	if s.lease.server == nil {
		return errors.New("it is disabled")
	}
	if err := s.lease.server.client.Connect(ctx); err != nil {
		return errors.New(s.lease.hidden.in(err.Error()))
	}
	return nil
}

// Listed is when the server was asked for its tools last, maybe by another process; zero
// if nobody knows.
func (s *Server) Listed() time.Time {
	if s.running() == nil {
		return time.Time{}
	}
	_, at, _ := s.running().known()
	return at
}

// Held returns the tools that mcp.pin keeps from models, of those that the server listed
// last.
func (s *Server) Held() []Change {
	if s.running() == nil {
		return nil
	}
	return s.running().held(s.lease.lock)
}

// Approval is what is approved by who approves the server and the tools that it listed
// last.
func (s *Server) Approval() Approval {
	if s.running() == nil {
		return Approval{}
	}
	l, _, _ := s.running().known()
	return s.running().approval(l)
}
