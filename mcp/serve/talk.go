//lint:file-ignore SA1019 What 2026-07-28 deprecates, clients of every version still use.

package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/internal/excerpt"
	"helve/tool"
)

// work answers a request. What it runs may ask, with the Answer of rt.
type work func(ctx context.Context, rt *tool.Runtime) (sdk.Result, error)

// talk is work on its way, with a client that may have to answer questions before it
// has its result.
type talk struct {
	line   line
	ctx    context.Context // of the work
	cancel context.CancelCauseFunc
	rounds chan *round
	done   chan struct{}

	request request              // the first
	given   sdk.InputResponseMap // see takeGiven

	result sdk.Result // when done
	err    error
}

// round is the questions of one Ask, on their way to the client.
type round struct {
	open    []asked // not answered yet
	answers map[string]tool.Answer
	ready   chan error // nil when all are answered
}

var (
	errClosed  = errors.New("the server is closing")
	errExpired = errors.New("nobody answered in time")
)

// serve does the work of a request and returns its result, or the questions that the
// client must answer first.
func (s *Server) serve(r request, do work) (sdk.Result, *parked, error) {
	if !r.rounds {
		result, err := s.serveDirectly(r, do)
		return result, nil, err
	}
	if r.state != "" {
		return s.resume(r)
	}
	t := &talk{rounds: make(chan *round), done: make(chan struct{}), request: r, given: r.answers}
	t.ctx, t.cancel = context.WithCancelCause(context.WithoutCancel(r.ctx))
	t.line.name = r.name
	t.line.open(&t.request)
	if !s.parked.start() {
		return nil, nil, errClosed
	}
	go func() {
		defer s.parked.running.Done()
		defer close(t.done)
		defer t.cancel(nil)
		defer s.until(r.ctx, t.cancel)()
		t.result, t.err = s.contained(t.ctx, r.method, s.runtime(&t.line, t.ask), do)
	}()
	return s.attend(t, &t.request)
}

// serveDirectly is for a client that can be asked at any time.
func (s *Server) serveDirectly(r request, do work) (sdk.Result, error) {
	l := line{name: r.name}
	l.open(&r)
	defer l.close(s.ending(r.ctx))
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	defer s.until(r.ctx, cancel)()
	return do(ctx, s.runtime(&l, func(ctx context.Context, _ tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
		return askDirectly(ctx, &r, questions)
	}))
}

// until cancels when the server closes, or the connection of the request with this
// context does: the SDK keeps a call running then, and waits for it.
func (s *Server) until(ctx context.Context, cancel context.CancelCauseFunc) (stop func() bool) {
	ending := s.ending(ctx)
	return context.AfterFunc(ending, func() { cancel(context.Cause(ending)) })
}

// ending is a context that ends when the server closes, or the connection of the request
// with this context does.
func (s *Server) ending(ctx context.Context) context.Context {
	if ending, ok := ctx.Value(endingKey{}).(context.Context); ok {
		return ending
	}
	return s.closing
}

// endingKey is the key of a context that ends with a connection.
type endingKey struct{}

// runtime is what the host gives, with the way to the client.
func (s *Server) runtime(l *line, answer func(context.Context, tool.CallID, []tool.Question) ([]tool.Answer, error)) *tool.Runtime {
	rt := &tool.Runtime{}
	if given := s.content.Load().Runtime; given != nil {
		*rt = *given
	}
	rt.Report, rt.Answer = l.report, answer
	return rt
}

// contained keeps a panic from ending the process: the work has a goroutine of its own.
func (s *Server) contained(ctx context.Context, what string, rt *tool.Runtime, do work) (result sdk.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			result, err = nil, s.panicked(ctx, what, v)
		}
	}()
	return do(ctx, rt)
}

// attend waits, for the request r, until the work ends or asks.
func (s *Server) attend(t *talk, r *request) (sdk.Result, *parked, error) {
	for {
		select {
		case <-t.done:
			t.line.close(s.ending(r.ctx))
			return t.result, nil, t.err
		case asks := <-t.rounds:
			t.line.close(s.ending(r.ctx))
			p, err := s.parked.add(t, asks)
			if err == nil {
				return nil, p, nil
			}
			asks.ready <- err
			t.line.open(r)
		case <-r.ctx.Done():
			t.cancel(r.ctx.Err())
			return nil, nil, r.ctx.Err()
		}
	}
}

// resume goes on where the client was asked.
func (s *Server) resume(r request) (sdk.Result, *parked, error) {
	p := s.parked.take(&r)
	if p == nil {
		return nil, nil, invalid("invalid requestState: it is unknown, was used before, has expired, or belongs to another request; repeat the request without it")
	}
	if !p.round.take(r.answers) {
		again, err := s.parked.again(p)
		return nil, again, err
	}
	p.talk.line.open(&r)
	p.round.ready <- nil
	return s.attend(p.talk, &r)
}

// ask is the Answer of the work's [tool.Runtime].
func (t *talk) ask(ctx context.Context, _ tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
	r := t.line.current()
	if r == nil {
		r = &t.request // another Ask of the same call has its questions with the client
	}
	all, err := ask(questions, r.capabilities())
	if err != nil || len(all) == 0 {
		return nil, err
	}
	asks := &round{open: all, answers: map[string]tool.Answer{}, ready: make(chan error, 1)}
	given := t.takeGiven()
	if slices.ContainsFunc(questions, consents) {
		given = nil
	}
	if len(given) == 0 || !asks.take(given) {
		if err := t.wait(ctx, asks); err != nil {
			return nil, err
		}
	}
	answers := make([]tool.Answer, len(all))
	for i, a := range all {
		answers[i] = asks.answers[a.name]
	}
	return answers, nil
}

// consents reports that q is for a person to see before it is answered: a yes or no, as
// to whether a tool may run, or a link. Who accepts what it was not shown has consented
// to nothing.
func consents(q tool.Question) bool {
	switch q := q.(type) {
	case tool.Form:
		return q.Fields == nil
	case tool.Link:
		return true
	}
	return false
}

// takeGiven returns the answers that came with the first request, once: a client may
// know what it will be asked.
func (t *talk) takeGiven() sdk.InputResponseMap {
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	given := t.given
	t.given = nil
	return given
}

// wait has the client asked, and waits for its answers.
func (t *talk) wait(ctx context.Context, asks *round) error {
	rounds := t.rounds
	for {
		select {
		case rounds <- asks:
			rounds = nil
		case err := <-asks.ready:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-t.ctx.Done():
			return context.Cause(t.ctx)
		}
	}
}

// take reads answers, and reports whether none is missing any more. One that does not
// fit its question is as good as none; what nobody asked for is ignored.
func (r *round) take(responses sdk.InputResponseMap) bool {
	var open []asked
	for _, a := range r.open {
		answer, err := a.answer(responses[a.name])
		if err != nil {
			open = append(open, a)
			continue
		}
		r.answers[a.name] = answer
	}
	r.open = open
	return len(open) == 0
}

// askDirectly asks the client of a session one question after the other: a person can
// answer one at a time.
func askDirectly(ctx context.Context, r *request, questions []tool.Question) ([]tool.Answer, error) {
	all, err := ask(questions, r.capabilities())
	if err != nil {
		return nil, err
	}
	// The request's context says which stream the question belongs to, and the tool's
	// how long it waits.
	asking, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })()

	answers := make([]tool.Answer, len(all))
	for i, a := range all {
		response, err := a.send(asking, r.session)
		if err == nil {
			answers[i], err = a.answer(response)
		}
		if cause := context.Cause(asking); cause != nil {
			return nil, cause
		}
		if err != nil {
			return nil, fmt.Errorf("asking the client: %w", err)
		}
	}
	return answers, nil
}

func (a *asked) send(ctx context.Context, session *sdk.ServerSession) (sdk.InputResponse, error) {
	switch input := a.input.(type) {
	case *sdk.ElicitParams:
		return session.Elicit(ctx, input)
	case *sdk.CreateMessageWithToolsParams:
		return session.CreateMessageWithTools(ctx, input)
	case *sdk.ListRootsParams:
		return session.ListRoots(ctx, input)
	}
	return nil, fmt.Errorf("%T can't be sent", a.input)
}

// clip keeps what came from outside from filling a log or an error.
func clip(s string) string { return excerpt.Of(s, 200) }
