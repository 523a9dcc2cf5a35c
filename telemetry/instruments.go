package telemetry

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"helve/model"
)

// instruments are the metrics. Which names they have depends on the conventions.
type instruments struct {
	chat, firstChunk, nextChunk metric.Float64Histogram
	tool, agent                 metric.Float64Histogram
	mcpClient, mcpServer        metric.Float64Histogram
	tokens                      tokenCounter
	agentChats, agentTools      metric.Int64Histogram // nil in the released conventions
}

// tokenCounter counts the tokens of one answer. failed is the error.type, or
// empty.
type tokenCounter interface {
	count(ctx context.Context, u model.Usage, failed string, attrs []attribute.KeyValue)
}

// maker makes instruments and gathers the errors.
type maker struct {
	meter metric.Meter
	err   error
}

func (m *maker) seconds(name, description string, bounds []float64) metric.Float64Histogram {
	h, err := m.meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description), metric.WithExplicitBucketBoundaries(bounds...))
	m.err = errors.Join(m.err, err)
	return h
}

func (m *maker) counts(name, unit, description string, bounds []float64) metric.Int64Histogram {
	h, err := m.meter.Int64Histogram(name, metric.WithUnit(unit), metric.WithDescription(description), metric.WithExplicitBucketBoundaries(bounds...))
	m.err = errors.Join(m.err, err)
	return h
}

func (m *maker) total(name, description string) metric.Int64Counter {
	c, err := m.meter.Int64Counter(name, metric.WithUnit("{token}"), metric.WithDescription(description))
	m.err = errors.Join(m.err, err)
	return c
}

// released makes the instruments of version 1.41.1.
func (m *maker) released() instruments {
	i := m.common(metricChat, metricFirstChunk, metricNextChunk)
	i.tokens = releasedTokens{m.counts(metricTokens, "{token}", "Number of input and output tokens used.", tokenCounts)}
	return i
}

// latest makes those of the unreleased conventions.
func (m *maker) latest() instruments {
	i := m.common(metricLatestChat, metricLatestFirstChunk, metricLatestNextChunk)
	i.tokens = latestTokens{
		input:      m.total(metricLatestInput, "Input tokens used, cached ones included."),
		output:     m.total(metricLatestOutput, "Output tokens used, reasoning included."),
		cacheRead:  m.total(metricLatestCacheRead, "Input tokens that came from a cache."),
		reasoning:  m.total(metricLatestReasoning, "Output tokens that were reasoning."),
		eachInput:  m.counts(metricLatestEachInput, "{token}", "Input tokens of one answer.", tokenCounts),
		eachOutput: m.counts(metricLatestEachOutput, "{token}", "Output tokens of one answer.", tokenCounts),
	}
	i.agentChats = m.counts(metricAgentChats, "{inference_call}", "Answers that one run of an agent asked for.", callCounts)
	i.agentTools = m.counts(metricAgentTools, "{tool_call}", "Tool calls that one run of an agent made.", callCounts)
	return i
}

func (m *maker) common(chat, firstChunk, nextChunk string) instruments {
	return instruments{
		chat:       m.seconds(chat, "Duration of one answer of a model, repeated requests included.", operationSeconds),
		firstChunk: m.seconds(firstChunk, "Time until the first piece of an answer.", operationSeconds),
		nextChunk:  m.seconds(nextChunk, "Time between two pieces of an answer.", operationSeconds),
		tool:       m.seconds(metricTool, "Duration of one tool call.", operationSeconds),
		agent:      m.seconds(metricAgent, "Duration of one run of an agent.", agentSeconds),
		mcpClient:  m.seconds(metricMCPClient, "Duration of one request to an MCP server, until its answer came.", mcpSeconds),
		mcpServer:  m.seconds(metricMCPServer, "Duration of one request of an MCP client.", mcpSeconds),
	}
}

// releasedTokens is one histogram for both kinds of tokens.
type releasedTokens struct{ usage metric.Int64Histogram }

func (r releasedTokens) count(ctx context.Context, u model.Usage, _ string, attrs []attribute.KeyValue) {
	r.record(ctx, "input", u.InputTokens, attrs)
	r.record(ctx, "output", u.OutputTokens, attrs)
}

func (r releasedTokens) record(ctx context.Context, kind string, n int, attrs []attribute.KeyValue) {
	if n > 0 { // 0 means unknown
		r.usage.Record(ctx, int64(n), metric.WithAttributes(with(attrs, attribute.String(attrTokenType, kind))...))
	}
}

// latestTokens is a counter for each kind of tokens, and a histogram for those
// that an answer always has. They count failed answers too, as 0.
type latestTokens struct {
	input, output, cacheRead, reasoning metric.Int64Counter
	eachInput, eachOutput               metric.Int64Histogram
}

func (l latestTokens) count(ctx context.Context, u model.Usage, failed string, attrs []attribute.KeyValue) {
	all := metric.WithAttributes(with(attrs, attribute.String(attrTokenModality, "unknown"))...) // no provider says it to us
	input, output := int64(max(u.InputTokens, 0)), int64(max(u.OutputTokens, 0))                 // a server may say anything
	l.input.Add(ctx, input, all)
	l.output.Add(ctx, output, all)
	if u.CachedTokens > 0 {
		l.cacheRead.Add(ctx, int64(u.CachedTokens), all)
	}
	if u.ReasoningTokens > 0 {
		l.reasoning.Add(ctx, int64(u.ReasoningTokens), all)
	}
	if failed != "" {
		attrs = with(attrs, attribute.String(attrErrorType, failed))
	}
	each := metric.WithAttributes(attrs...)
	l.eachInput.Record(ctx, input, each)
	l.eachOutput.Record(ctx, output, each)
}
