package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"helve/mcp/internal/remote"
	"helve/mcp/internal/rest"
	"helve/tool"
)

// poll is how often a server of document 004's form is asked whether its tools changed:
// it has no way to say so.
const poll = time.Minute

// restLink is a link to a server of document 004's form. It has no connection that could
// be lost: each call is a request of its own.
type restLink struct {
	client *Client
	remote *remote.Remote
	server *rest.Client
	life   context.Context
	end    context.CancelFunc
	gone   chan struct{}
	shut   sync.Once
}

func newRESTLink(c *Client, r *remote.Remote, server *rest.Client) *restLink {
	l := &restLink{client: c, remote: r, server: server, gone: make(chan struct{})}
	l.life, l.end = context.WithCancel(c.life)
	c.running.Go(func() {
		every := time.NewTicker(poll)
		defer every.Stop()
		for {
			select {
			case <-l.life.Done():
				l.close()
				return
			case <-every.C:
				select {
				case c.relist <- struct{}{}:
				default:
				}
			}
		}
	})
	return l
}

func (l *restLink) list(ctx context.Context) ([]json.RawMessage, error) {
	tools, _, err := l.server.List(ctx)
	return tools, err
}

func (l *restLink) call(name string, w *waiting) (tool.Result, error) {
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()
	ctx, outcome := remote.Watch(ctx)
	result, err := l.server.Call(ctx, name, w.call.Arguments)
	if err == nil || w.ctx.Err() != nil {
		return result, err
	}
	var status *remote.StatusError
	e := *tool.AsError(err)
	if e.Kind == tool.KindUnavailable && !errors.As(outcome.Err(), &status) { // no answer came, or not all of it
		return result, &lost{ran: !outcome.NotRun(), err: err}
	}
	e.Message = l.client.options.Redact(e.Message)
	e.Err = l.client.named(cmp.Or(e.Err, err))
	return result, &e
}

func (l *restLink) done() <-chan struct{} { return l.gone }

func (l *restLink) explain(err error) error { return l.remote.Explain(err) }

func (l *restLink) about() (server, protocol string) { return "", "rest" }

func (l *restLink) stray() int { return 0 }

func (l *restLink) close() {
	l.shut.Do(func() {
		l.end()
		l.remote.Close()
		close(l.gone)
	})
}
