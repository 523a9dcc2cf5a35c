package telemetry

import (
	"context"
	"iter"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"helve/agent"
	"helve/model"
)

// Invocation says which agent runs.
type Invocation struct {
	Agent        string // its name, a label of metrics; empty where it has none
	Description  string
	Model        model.Info // what answers
	Conversation string     // the session's ID; empty where nobody keeps it
}

// Run makes a span "invoke_agent NAME" of the run of an agent, and measures it.
// Answers and calls in it are the span's children if run passes on its context:
//
//	events := t.Run(ctx, invocation, func(ctx context.Context) iter.Seq2[agent.Event, error] {
//		return a.Stream(ctx, prompt)
//	})
//
// The events are those of run. Each range over them is a run of its own.
func (t *Telemetry) Run(ctx context.Context, i Invocation, run func(context.Context) iter.Seq2[agent.Event, error]) iter.Seq2[agent.Event, error] {
	if t == nil {
		return run(ctx)
	}
	return func(yield func(agent.Event, error) bool) {
		r := t.invoke(ctx, i)
		failed := errorPanic // unless the end is reached in another way
		defer func() { r.end(failed) }()
		for event, err := range run(r.ctx) {
			r.take(event, err)
			if !yield(event, err) {
				failed = r.failed()
				return
			}
		}
		failed = r.failed()
	}
}

// invocation is a run on its way. The context carries it to what happens inside.
type invocation struct {
	Invocation
	telemetry *Telemetry
	ctx       context.Context
	span      trace.Span
	begun     time.Time

	chats, tools atomic.Int64 // that were begun

	reply   *agent.Reply
	failure string
}

type invocationKey struct{}

// invocationFrom returns the run that ctx belongs to, or nil.
func invocationFrom(ctx context.Context) *invocation {
	i, _ := ctx.Value(invocationKey{}).(*invocation)
	return i
}

func (t *Telemetry) invoke(ctx context.Context, i Invocation) *invocation {
	i.Agent = clean(i.Agent, mostName)
	r := &invocation{Invocation: i, telemetry: t, begun: time.Now()}
	attrs := append([]attribute.KeyValue{attribute.String(attrOperation, opInvokeAgent)}, modelAttrs(i.Model)...)
	attrs = text(attrs, attrAgentName, i.Agent)
	attrs = text(attrs, attrConversation, i.Conversation)
	if i.Description != "" {
		attrs = append(attrs, attribute.String(attrAgentDescription, clean(i.Description, mostDescription)))
	}
	ctx, r.span = t.tracer.Start(ctx, spanName(opInvokeAgent, i.Agent), trace.WithTimestamp(r.begun), trace.WithAttributes(attrs...))
	r.ctx = context.WithValue(ctx, invocationKey{}, r)
	return r
}

func (r *invocation) take(event agent.Event, err error) {
	if err != nil {
		r.failure = errorType(err)
	}
	if done, ok := event.(agent.Done); ok {
		r.reply = done.Reply
	}
}

// failed is how the run failed, or empty. A run without an end was stopped.
func (r *invocation) failed() string {
	switch {
	case r.failure != "":
		return r.failure
	case r.reply == nil:
		return errorCanceled
	case r.reply.Stop == agent.StopError:
		return other // and nobody wanted to hear which
	}
	return ""
}

func (r *invocation) end(failed string) {
	over := time.Now()
	if r.reply != nil && r.span.IsRecording() {
		u := r.reply.Usage
		u.ReasoningTokens = 0 // the conventions have it for answers only
		r.span.SetAttributes(endAttrs(r.reply.Finish, u)...)
	}
	m := &r.telemetry.metrics
	named := text(nil, attrAgentName, r.Agent)
	record(r.ctx, m.agent, over.Sub(r.begun), failed, text(named, attrRequestModel, r.Model.Model))
	if m.agentChats != nil {
		m.agentChats.Record(r.ctx, r.chats.Load(), metric.WithAttributes(named...))
		m.agentTools.Record(r.ctx, r.tools.Load(), metric.WithAttributes(named...))
	}
	endSpan(r.span, failed, over)
}
