package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"helve/internal/excerpt"
	"helve/tool"
)

// remoteTool is a tool of a server.
type remoteTool struct {
	client     *Client
	listed     listed
	definition tool.Definition
}

// Definition makes remoteTool a [tool.Tool].
func (t *remoteTool) Definition() tool.Definition { return t.definition }

// Call makes remoteTool a [tool.Tool].
func (t *remoteTool) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	growStack()
	c := t.client
	if err := c.allowed(t.listed.raw); err != nil {
		return tool.Result{}, err
	}
	w := newWaiting(ctx, call, c.config.IdleTimeout, cmp.Or(c.config.Timeout, longestCall))
	defer w.stop()
	for again := false; ; again = true {
		l, err := c.need(w.ctx)
		if err != nil {
			return tool.Result{}, c.unavailable(w, err)
		}
		if err := c.allowed(t.listed.raw); err != nil { // the server may have come back with other tools
			return tool.Result{}, err
		}
		result, err := l.call(t.listed.raw, w)
		if err == nil {
			return result, nil
		}
		cut, ok := errors.AsType[*lost](err)
		if !ok || w.ctx.Err() != nil {
			return result, c.failure(w, l, err)
		}
		if again || cut.ran && !t.definition.Idempotent {
			return tool.Result{}, c.failure(w, l, err)
		}
		c.log.Info("mcp server is asked again", "tool", excerpt.Of(t.listed.raw, mostName), "reason", c.named(err), "may_have_run", cut.ran)
		c.drop(w.ctx, l)
	}
}

// growStack makes room for the SDK under net/http. Each call has a fresh goroutine, which
// would find out at their deepest point that it needs more, and move all of it
// (docs/performance.md).
//
//go:noinline
func growStack() {
	var room [12 << 10]byte
	runtime.KeepAlive(&room)
}

// allowed refuses a tool that the server has no more, or that is not as it was approved.
func (c *Client) allowed(name string) error {
	c.mu.Lock()
	now := c.tools[name]
	c.mu.Unlock()
	switch {
	case now == nil:
		return &tool.Error{Kind: tool.KindUnavailable, Message: fmt.Sprintf("The server %s does not offer this tool any more.", c.config.Name)}
	case !c.approves(now.listed):
		return &tool.Error{Kind: tool.KindPermissionDenied, Message: fmt.Sprintf("Nobody approved this tool of the server %s as it is now.", c.config.Name)}
	}
	return nil
}

// unavailable is the error of a call that found no connection.
func (c *Client) unavailable(w *waiting, err error) error {
	if cause := context.Cause(w.ctx); cause != nil && errors.Is(err, w.ctx.Err()) {
		return c.timedOut(cause, err)
	}
	kind, message := tool.KindUnavailable, "it can't be reached"
	if needsAuth(err) {
		kind, message = tool.KindPermissionDenied, "it wants a login or a key"
	}
	return &tool.Error{Kind: kind, Message: fmt.Sprintf("The server %s of this tool is not available: %s.", c.config.Name, message), Err: c.named(err), Retryable: kind == tool.KindUnavailable}
}

// failure is the error of a call that was sent.
func (c *Client) failure(w *waiting, l link, err error) error {
	var said *tool.Error
	var cut *lost
	cause := context.Cause(w.ctx)
	switch {
	case cause != nil:
		return c.timedOut(cause, err)
	case errors.As(err, &cut) && cut.ran:
		return &tool.Error{Kind: tool.KindUnavailable, Message: fmt.Sprintf("The connection to the server %s was lost during the call. The tool may have run.", c.config.Name), Err: c.named(l.explain(err))}
	case errors.As(err, &cut):
		return &tool.Error{Kind: tool.KindUnavailable, Message: fmt.Sprintf("The server %s did not take the call.", c.config.Name), Err: c.named(l.explain(err)), Retryable: true}
	case errors.As(err, &said):
		return said
	case needsAuth(err):
		return &tool.Error{Kind: tool.KindPermissionDenied, Message: fmt.Sprintf("The server %s of this tool wants a login or a key.", c.config.Name), Err: c.named(l.explain(err))}
	}
	return &tool.Error{Kind: tool.KindExecution, Message: fmt.Sprintf("The server %s failed: %s", c.config.Name, excerpt.Of(c.options.Redact(err.Error()), 1<<10)), Err: c.named(l.explain(err))}
}

// timedOut is the error of a call whose context ended, by its own clock or from outside.
func (c *Client) timedOut(cause, err error) error {
	e := *tool.AsError(cause)
	switch {
	case errors.Is(cause, errIdle):
		e = tool.Error{Kind: tool.KindTimeout, Message: fmt.Sprintf("The server %s said nothing for %v.", c.config.Name, c.config.IdleTimeout)}
	case e.Kind == tool.KindTimeout:
		e.Message = fmt.Sprintf("The server %s did not answer in time.", c.config.Name)
	}
	e.Err = c.named(err)
	return &e
}

// drop makes sure that a connection which failed a call is not taken again, and waits
// for its end.
func (c *Client) drop(ctx context.Context, l link) {
	l.close()
	select {
	case <-l.done():
	case <-ctx.Done():
	}
}

// waiting is a call that was sent: how long it may take, and whom its server may ask.
type waiting struct {
	number uint64 // of the call, in its session
	call   tool.Call
	values context.Context // of the host's context for the call; it does not end
	ctx    context.Context // it ends with the call
	cancel context.CancelCauseFunc
	follow func() bool   // ends that the host's context ends ctx
	idle   time.Duration // how long the server may say nothing

	mu    sync.Mutex
	cut   func()      // ends what was sent; nil before
	timer *time.Timer // of both clocks: it rings when the first of them may have run out
	heard time.Time   // when the server gave its last sign of life
	asks  int         // questions that are open
	asked int         // questions in all

	ends time.Time     // when the call in all does, but for questions
	left time.Duration // until then, while a question is open

	latest  *tool.Progress // that the host was not told of
	telling bool
	tellers sync.WaitGroup
}

// longestCall is how long a call may take in all where nothing else is said.
const longestCall = 15 * time.Minute

var (
	errIdle    = errors.New("the server says nothing")
	errTooLong = fmt.Errorf("the call takes too long: %w", context.DeadlineExceeded)
)

func newWaiting(ctx context.Context, call tool.Call, idle, whole time.Duration) *waiting {
	now := time.Now()
	w := &waiting{call: call, idle: idle, heard: now, ends: now.Add(whole)}
	w.values = context.WithValue(context.WithoutCancel(ctx), waitingKey{}, w)
	w.ctx, w.cancel = context.WithCancelCause(w.values)
	w.follow = afterFunc(ctx, func() { w.giveUp(context.Cause(ctx)) })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(min(idle, whole), w.ring)
	return w
}

// afterFunc is [context.AfterFunc], without a context of its own for a context that can do
// it alone, as the executor's.
func afterFunc(ctx context.Context, f func()) (stop func() bool) {
	if able, ok := ctx.(interface{ AfterFunc(func()) func() bool }); ok {
		return able.AfterFunc(f)
	}
	return context.AfterFunc(ctx, f)
}

// sending has cut called when the call ends before it was answered. An answer's last
// bytes may be on their way after that, so what is sent has a context of its own.
func (w *waiting) sending(cut func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	if w.ctx.Err() != nil {
		cut()
	}
}

// cutOff ends what was sent, and not the call.
func (w *waiting) cutOff() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut != nil {
		w.cut()
	}
}

// giveUp ends the call before it was answered.
func (w *waiting) giveUp(cause error) {
	w.cancel(cause)
	w.cutOff()
}

// ring ends the call if one of its clocks has run out.
func (w *waiting) ring() {
	if cause := w.late(); cause != nil {
		w.giveUp(cause)
	}
}

func (w *waiting) late() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.asks > 0 || w.ctx.Err() != nil {
		return nil
	}
	silent, all := time.Until(w.heard.Add(w.idle)), time.Until(w.ends)
	switch {
	case silent <= 0:
		return errIdle
	case all <= 0:
		return errTooLong
	}
	w.timer.Reset(min(silent, all))
	return nil
}

func (w *waiting) stop() {
	w.follow()
	w.timer.Stop()
	w.mu.Lock()
	w.cut = nil
	w.cancel(nil) // no teller begins after this
	w.mu.Unlock()
	w.tellers.Wait()
}

// alive is told of each sign of life of the call.
func (w *waiting) alive() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heard = time.Now()
}

// standStill stops the clocks while a question is open.
func (w *waiting) standStill() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.asked++; w.asked > maxAsked {
		return fmt.Errorf("more than %d questions in one call", maxAsked)
	}
	if w.asks++; w.asks == 1 {
		w.timer.Stop()
		w.left = time.Until(w.ends)
	}
	return nil
}

func (w *waiting) goOn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.asks--; w.asks == 0 && w.ctx.Err() == nil {
		w.heard = time.Now()
		w.ends = w.heard.Add(w.left)
		w.timer.Reset(min(w.idle, w.left))
	}
}

// progress passes on what the server tells of the call, without waiting for the host: of
// several reports the latest counts.
func (w *waiting) progress(p tool.Progress) {
	w.alive()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx.Err() != nil {
		return
	}
	if w.latest == nil && !w.telling {
		w.telling = true
		w.tellers.Go(w.tell)
	}
	w.latest = &p
}

func (w *waiting) tell() {
	for {
		w.mu.Lock()
		p := w.latest
		w.latest = nil
		w.telling = p != nil
		w.mu.Unlock()
		if p == nil {
			return
		}
		tool.RuntimeFrom(w.ctx).Progress(p.Done, p.Total, p.Note)
	}
}

// maxAsked is how many questions a server may ask during one call.
const maxAsked = 20

// ask asks the host. The time that it takes is not the server's.
func (w *waiting) ask(ctx context.Context, q tool.Question) (tool.Answer, error) {
	if err := w.standStill(); err != nil {
		return tool.Answer{}, err
	}
	defer w.goOn()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(w.ctx, stop)()
	answers, err := tool.RuntimeFrom(w.ctx).Ask(ctx, q)
	if err != nil {
		return tool.Answer{}, err
	}
	return answers[0], nil
}
