package telemetry

import (
	"cmp"
	"context"
	"iter"
	"net"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"helve/model"
)

// Client returns a client that makes a span "chat MODEL" of every answer, and
// measures it. Put it outside what repeats requests: the span is that of the whole
// answer.
func (t *Telemetry) Client(client model.Client) model.Client {
	if t == nil {
		return client
	}
	info := client.Info()
	attrs := append([]attribute.KeyValue{attribute.String(attrOperation, opChat)}, modelAttrs(info)...)
	kind, server := trace.SpanKindInternal, serverAttrs(info)
	if server != nil {
		kind = trace.SpanKindClient
	}
	attrs = append(attrs, server...)
	return &chatClient{
		Client:    client,
		telemetry: t,
		spanName:  spanName(opChat, info.Model),
		kind:      kind,
		attrs:     attrs,
		forChunks: []metric.RecordOption{metric.WithAttributeSet(attribute.NewSet(attrs...))},
	}
}

// modelAttrs are the attributes that say what answers.
func modelAttrs(info model.Info) []attribute.KeyValue {
	return text([]attribute.KeyValue{name(attrProvider, cmp.Or(info.Provider, other))}, attrRequestModel, info.Model)
}

// serverAttrs say where it listens.
func serverAttrs(info model.Info) []attribute.KeyValue {
	host, port, err := net.SplitHostPort(info.Server)
	n, notANumber := strconv.Atoi(port)
	if err != nil || notANumber != nil {
		return nil
	}
	return []attribute.KeyValue{name(attrServerAddress, host), attribute.Int(attrServerPort, n)}
}

func spanName(operation, what string) string {
	if what == "" {
		return operation
	}
	return operation + " " + clean(what, mostName)
}

type chatClient struct {
	model.Client
	telemetry *Telemetry
	spanName  string
	kind      trace.SpanKind        // internal for a model in this process
	attrs     []attribute.KeyValue  // of spans and metrics
	forChunks []metric.RecordOption // the same: chunks are many
}

// Stream passes the answer on as it comes.
func (c *chatClient) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		a := c.begin(ctx, req)
		failed := errorPanic // unless the end is reached in another way
		defer func() { a.end(failed) }()
		for event, err := range c.Client.Stream(a.ctx, req) {
			a.take(event, err)
			if !yield(event, err) {
				failed = a.failed(errorCanceled)
				return
			}
		}
		failed = a.failed(errorIncomplete)
	}
}

// chatAnswer is one answer on its way.
type chatAnswer struct {
	client *chatClient
	ctx    context.Context
	span   trace.Span

	begun, first, last time.Time
	failure            string // the class of the client's error
	finished           bool
	finish             model.Finish
	said               *model.Fold // nil unless content is captured
}

func (c *chatClient) begin(ctx context.Context, req *model.Request) *chatAnswer {
	if i := invocationFrom(ctx); i != nil {
		i.chats.Add(1)
	}
	a := &chatAnswer{client: c, begun: time.Now()}
	a.ctx, a.span = c.telemetry.tracer.Start(ctx, c.spanName,
		trace.WithSpanKind(c.kind), trace.WithTimestamp(a.begun), trace.WithAttributes(c.attrs...))
	if a.span.IsRecording() {
		a.span.SetAttributes(requestAttrs(ctx, req)...)
		if c.telemetry.content {
			a.span.SetAttributes(requestContent(req)...)
			a.said = &model.Fold{}
		}
	}
	return a
}

// requestAttrs are what a request asks for besides an answer.
func requestAttrs(ctx context.Context, req *model.Request) []attribute.KeyValue {
	attrs := []attribute.KeyValue{attribute.Bool(attrRequestStream, true)}
	if i := invocationFrom(ctx); i != nil {
		attrs = text(attrs, attrConversation, i.Conversation)
	}
	if req == nil {
		return attrs
	}
	if req.Temperature != nil {
		attrs = append(attrs, attribute.Float64(attrRequestTemperature, *req.Temperature))
	}
	if req.Seed != nil {
		attrs = append(attrs, attribute.Int(attrRequestSeed, *req.Seed))
	}
	if len(req.Stop) > 0 {
		attrs = append(attrs, attribute.StringSlice(attrRequestStop, req.Stop))
	}
	return number(attrs, attrRequestMaxTokens, req.MaxTokens)
}

// take notes an event or the error that ends the answer.
func (a *chatAnswer) take(event model.Event, err error) {
	if err != nil {
		a.failure = errorType(err)
		return
	}
	if a.said != nil {
		a.said.Add(event)
	}
	switch e := event.(type) {
	case model.Finish:
		a.finish, a.finished = e, true
	case model.TextDelta, model.ReasoningDelta, model.ToolCallDelta:
		a.chunk()
	}
}

// chunk measures the wait for a piece of the answer. The calls that follow their
// pieces are not measured: they cost no time of the model's.
func (a *chatAnswer) chunk() {
	now, m := time.Now(), &a.client.telemetry.metrics
	if a.first.IsZero() {
		a.first = now
		m.firstChunk.Record(a.ctx, now.Sub(a.begun).Seconds(), a.client.forChunks...)
	} else {
		m.nextChunk.Record(a.ctx, now.Sub(a.last).Seconds(), a.client.forChunks...)
	}
	a.last = now
}

// failed is how the answer failed, or empty. unfinished is the word for an answer
// that has no end.
func (a *chatAnswer) failed(unfinished string) string {
	if a.failure == "" && !a.finished {
		return unfinished
	}
	return a.failure
}

func (a *chatAnswer) end(failed string) {
	t, over := a.client.telemetry, time.Now()
	if a.span.IsRecording() {
		a.span.SetAttributes(a.responseAttrs()...)
		if a.said != nil {
			a.span.SetAttributes(answerContent(a.said.Response()))
		}
	}
	attrs := a.client.attrs
	if a.finish.Model != "" {
		attrs = with(attrs, attribute.String(attrResponseModel, t.models.of(clean(a.finish.Model, mostName))))
	}
	record(a.ctx, t.metrics.chat, over.Sub(a.begun), failed, attrs)
	t.metrics.tokens.count(a.ctx, a.finish.Usage, failed, attrs)
	endSpan(a.span, failed, over)
}

func (a *chatAnswer) responseAttrs() []attribute.KeyValue {
	var attrs []attribute.KeyValue
	if !a.first.IsZero() {
		attrs = append(attrs, attribute.Float64(attrResponseFirstChunk, a.first.Sub(a.begun).Seconds()))
	}
	attrs = text(attrs, attrResponseID, a.finish.ID)
	attrs = text(attrs, attrResponseModel, a.finish.Model)
	return append(attrs, endAttrs(a.finish.Reason, a.finish.Usage)...)
}

// endAttrs say how answers ended and what they cost.
func endAttrs(reason model.FinishReason, u model.Usage) []attribute.KeyValue {
	var attrs []attribute.KeyValue
	if reason != "" {
		attrs = append(attrs, attribute.StringSlice(attrResponseFinish, []string{clean(string(reason), mostName)}))
	}
	attrs = number(attrs, attrUsageInput, u.InputTokens)
	attrs = number(attrs, attrUsageOutput, u.OutputTokens)
	attrs = number(attrs, attrUsageCacheRead, u.CachedTokens)
	return number(attrs, attrUsageReasoning, u.ReasoningTokens)
}
