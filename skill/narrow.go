package skill

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"helve/executor"
	"helve/message"
	"helve/tool"
)

// Narrow returns middleware that refuses what the skills in use do not allow. A skill is in
// use from when a model has opened it until a person speaks again; of several that are, each
// must allow a call. To open and read skills is always allowed, and so are a skill's own
// scripts while it is in use.
//
// It knows which skills are in use from the conversation in [tool.State], so it is the same
// after a restart. Outside of an agent there is no conversation, and it allows everything.
//
// Taken are names that other tools have: a call of one is no call of the skill of that name.
func (l *Library) Narrow(taken ...string) executor.Middleware {
	n := narrowing{l, taken}
	return func(next executor.Handler) executor.Handler {
		return func(ctx context.Context, req executor.Request) (tool.Result, error) {
			for _, s := range n.inUse(tool.RuntimeFrom(ctx).State.Messages) {
				if n.concerns(s, req.Call) || Allows(s.AllowedTools, req.Call) {
					continue
				}
				return tool.Result{}, &tool.Error{
					Kind:    tool.KindPermissionDenied,
					Message: fmt.Sprintf("The skill %s, which is in use, does not allow this call of %.100s. It allows: %s.", s.Name, req.Call.Name, allowedText(s.AllowedTools)),
				}
			}
			return next(ctx, req)
		}
	}
}

// narrowing knows which calls are about skills.
type narrowing struct {
	*Library
	taken []string
}

func allowedText(patterns []string) string {
	if len(patterns) == 0 {
		return "only its own files and scripts"
	}
	return brief(strings.Join(patterns, " "), maxCompatibility)
}

// inUse returns the skills that were opened since a person spoke last and that say which
// tools they allow.
func (n narrowing) inUse(messages []message.Message) []*Skill {
	start := len(messages)
	for start > 0 && messages[start-1].Role != message.RoleUser {
		start--
	}
	failed := map[string]bool{}
	for _, m := range messages[start:] {
		if r, ok := m.ToolResult(); ok && r.IsError {
			failed[r.CallID] = true
		}
	}
	var used []*Skill
	seen := map[*Skill]bool{}
	for _, m := range messages[start:] {
		for _, c := range m.ToolCalls() {
			s, does := n.purpose(c.Name, c.Arguments)
			if does == opens && s != nil && s.AllowedTools != nil && !failed[c.ID] && !seen[s] {
				seen[s] = true
				used = append(used, s)
			}
		}
	}
	return used
}

// concerns reports whether a call is one that a skill in use can't forbid.
func (n narrowing) concerns(s *Skill, call tool.Call) bool {
	of, does := n.purpose(call.Name, call.Arguments)
	return does == opens || does == reads || does == runs && of == s
}

// purpose is what a call does with a skill.
type purpose int

const (
	other purpose = iota
	opens
	reads
	runs
)

// purpose says which skill a call is about, and what it does with it.
func (n narrowing) purpose(name string, arguments json.RawMessage) (*Skill, purpose) {
	var in struct{ Name, Skill, Path, Script string }
	if slices.Contains(n.taken, name) {
		return nil, other
	}
	_ = json.Unmarshal(arguments, &in) // arguments that are none fail later
	switch name {
	case nameOpen:
		return n.visibleSkill(in.Name), opens
	case nameRead:
		return n.visibleSkill(in.Skill), reads
	case nameRun:
		return n.visibleSkill(in.Skill), runs
	}
	if s := n.typed[name]; s != nil {
		return s, runs
	}
	switch s := n.visibleSkill(name); {
	case s == nil:
		return nil, other
	case in.Script != "":
		return s, runs
	case in.Path != "":
		return s, reads
	default:
		return s, opens
	}
}

func (l *Library) visibleSkill(name string) *Skill {
	if s, err := l.Skill(name); err == nil && !s.Hidden {
		return s
	}
	return nil
}
