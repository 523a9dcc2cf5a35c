package agent

import (
	"maps"

	"helve/message"
	"helve/session"
)

// Option sets something for one run.
type Option func(*run)

// With passes a value to the tools of this run. A tool reads it by its type with
// tool.Value; no model can see or set it (document 002, section 1.3).
func With(value any) Option {
	return func(r *run) { r.runtime.Values = append(r.runtime.Values, value) }
}

// WithState gives tools named values to read, as tool.Runtime's State.Values.
func WithState(values map[string]any) Option {
	return func(r *run) { r.runtime.State.Values = maps.Clone(values) }
}

// WithConfig gives tools the run's configuration, as tool.Runtime's Config.
func WithConfig(config map[string]any) Option {
	return func(r *run) { r.runtime.Config = maps.Clone(config) }
}

// WithSession makes the run part of a conversation that lasts: its messages are
// added to s. Without it the conversation ends with the run. A run that is open
// in s is given up; see [Agent.Resume]. Only one run may use a session at a time:
// of two at once, each place keeps the message that came first.
func WithSession(s session.Session) Option {
	return func(r *run) { r.session = s }
}

// WithHistory puts messages ahead of the prompt, in a run without a session or
// at the end of the session. A system message that does not come first reaches the
// model as the user's; see [message.Repair].
func WithHistory(messages ...message.Message) Option {
	return func(r *run) { r.history = append(r.history, messages...) }
}

// Attach adds parts, such as an image, to the prompt.
func Attach(parts ...message.Part) Option {
	return func(r *run) { r.attached = append(r.attached, parts...) }
}
