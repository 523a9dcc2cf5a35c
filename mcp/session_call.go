package mcp

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/internal/excerpt"
	"helve/tool"
)

// enter notes a call, and returns its progress token; "" where the session is closing.
func (s *session) enter(w *waiting) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.quiet != nil {
		return ""
	}
	s.last++
	w.number = s.last
	progress := "helve-" + strconv.FormatUint(s.last, 10)
	s.calls[progress] = w
	return progress
}

func (s *session) leave(progress string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.calls, progress)
	if s.quiet != nil && len(s.calls) == 0 {
		close(s.quiet)
	}
}

// call sends a call and waits for its answer.
func (s *session) call(name string, w *waiting) (tool.Result, error) {
	progress := s.enter(w)
	if progress == "" {
		return tool.Result{}, &lost{ran: false, err: errLost}
	}
	defer s.leave(progress)
	result, err := s.send(name, w, progress)
	if links := linksIn(err); len(links) > 0 && s.opened(w, links) {
		return s.send(name, w, progress)
	}
	return result, err
}

// send makes one request, and has it measured.
func (s *session) send(name string, w *waiting, progress string) (tool.Result, error) {
	began := time.Now()
	result, err := s.request(name, w, progress)
	s.measure(w, began, err)
	return result, err
}

func (s *session) request(name string, w *waiting, progress string) (tool.Result, error) {
	meta := sdk.Meta{"progressToken": progress}
	s.trace(w.ctx, meta)
	ctx, cancel := context.WithCancel(w.values)
	w.sending(cancel)
	if s.life.Err() != nil { // cutOff may have come before
		cancel()
	}
	ctx, watch := s.carrier.watch(ctx)
	result, err := s.sdk.CallTool(ctx, &sdk.CallToolParams{Meta: meta, Name: name, Arguments: w.call.Arguments})
	if err != nil {
		cancel()
		return tool.Result{}, s.failed(w, err, watch)
	}
	watch.release(cancel)
	converted, err := convert(result, s.client.options.Redact)
	if said, failed := errors.AsType[*tool.Error](err); failed {
		said.Err = s.client.named(errToldSo)
	}
	return converted, err
}

// cutOff ends the calls that wait, when the session does.
func (s *session) cutOff() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.calls {
		w.cutOff()
	}
}

// errToldSo is the cause of an error that is a tool's own result, for the log.
var errToldSo = errors.New("its tool says that it failed")

// failed says what the error of a call means.
func (s *session) failed(w *waiting, err error, watch watch) error {
	var said *jsonrpc.Error
	switch {
	case w.ctx.Err() != nil, needsAuth(err):
		return err
	case errors.As(err, &said) && said.Code != codeRejected:
		return s.client.protocolError(said)
	}
	return &lost{ran: watch.ran(err), err: err}
}

// codeRejected is the SDK's own, for what its transport did not send or got no answer to.
const codeRejected = -32005

// protocolError is what a server answers in place of a result.
func (c *Client) protocolError(e *jsonrpc.Error) error {
	kind := tool.KindExecution
	if e.Code == jsonrpc.CodeInvalidParams {
		kind = tool.KindInvalidParameters
	}
	text := excerpt.Of(c.options.Redact(strings.TrimSpace(e.Message)), 8<<10)
	if text == "" {
		text = fmt.Sprintf("The server gave no reason (error %d).", e.Code)
	}
	return &tool.Error{Kind: kind, Message: text, Err: c.named(e)}
}

// waitingFor returns the call that a progress token is of.
func (s *session) waitingFor(token any) *waiting {
	name, _ := token.(string)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[name]
}

// asking returns the call during which a server asks: in the newest protocol the one
// that ctx is of, before it the one that was sent last.
func (s *session) asking(ctx context.Context) *waiting {
	if w, ok := ctx.Value(waitingKey{}).(*waiting); ok {
		return w
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var last *waiting
	for _, w := range s.calls {
		if last == nil || w.number > last.number {
			last = w
		}
	}
	return last
}

type waitingKey struct{}
