package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"helve/gofunc/internal/wire"
	"helve/message"
	"helve/tool"
)

// Serve answers the calls that come from r on w, each in a goroutine of its own, until
// r ends. It does not wait for calls that still run then; their contexts end.
func Serve(r io.Reader, w io.Writer, tools []tool.Tool) error {
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	s := &server{tools: registry, out: wire.NewWriter(w), cancel: map[uint64]context.CancelFunc{}, asked: map[uint64]chan wire.Ask{}}
	for in := wire.NewReader(r); ; {
		f, err := in.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch f.Kind {
		case wire.Call:
			s.begin(ctx, f)
		case wire.Cancel:
			s.end(f.ID)
		case wire.Given:
			s.given(f)
		}
	}
}

type server struct {
	tools *tool.Registry
	out   *wire.Writer

	mu     sync.Mutex
	cancel map[uint64]context.CancelFunc
	asked  map[uint64]chan wire.Ask
	asks   uint64
}

func (s *server) begin(ctx context.Context, f wire.Frame) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.cancel[f.ID] = cancel
	s.mu.Unlock()
	go func() {
		defer s.end(f.ID)
		s.answer(f.ID, s.call(ctx, f))
	}()
}

// end ends the context of a call.
func (s *server) end(id uint64) {
	s.mu.Lock()
	cancel := s.cancel[id]
	delete(s.cancel, id)
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// call runs a tool. A panic in it is an error like any other.
func (s *server) call(ctx context.Context, f wire.Frame) wire.Frame {
	t, ok := s.tools.Lookup(f.Tool)
	if !ok {
		return wire.Frame{Error: wire.NewError(s.tools.NotFound(f.Tool))}
	}
	rt := &tool.Runtime{
		CallID: tool.CallID(f.CallID),
		State:  tool.State{Messages: f.Messages, Values: f.Values},
		Store:  wire.NewStore(func(ctx context.Context, a wire.Ask) (wire.Ask, error) { return s.ask(ctx, f.ID, a) }),
		Config: f.Config,
		Report: func(_ tool.CallID, u tool.Update) { s.report(f.ID, u) },
		Answer: func(ctx context.Context, _ tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
			given, err := s.ask(ctx, f.ID, wire.Ask{Op: "questions", Questions: wire.NewQuestions(questions)})
			return given.ToolAnswers(), cmp.Or(err, given.Err())
		},
	}
	result, err := tool.Protect(tool.WithRuntime(ctx, rt), t, tool.Call{ID: f.CallID, Name: f.Tool, Arguments: f.Arguments})
	out := wire.Frame{}
	if data, jsonErr := json.Marshal(result.Artifact); jsonErr == nil && result.Artifact != nil {
		out.Artifact = data
	}
	if err == nil {
		out.Content, err = message.MarshalParts(result.Content)
	}
	if err != nil {
		out.Error = wire.NewError(tool.AsError(err))
	}
	return out
}

// answer sends the result of a call, or why it can't be sent. Where the host has gone
// there is nobody to tell.
func (s *server) answer(id uint64, f wire.Frame) {
	f.Kind, f.ID = wire.Result, id
	err := s.out.Write(f)
	var form *wire.FormError
	if errors.As(err, &form) {
		e := &tool.Error{Kind: tool.KindExecution, Message: "The tool's result can't be sent: " + form.Error() + "."}
		_ = s.out.Write(wire.Frame{Kind: wire.Result, ID: id, Error: wire.NewError(e)})
	}
}

// report passes on what a running call tells. What has no JSON form is left out.
func (s *server) report(id uint64, u tool.Update) {
	f := wire.Frame{Kind: wire.Update, ID: id}
	var err error
	switch u := u.(type) {
	case tool.Progress:
		f.Progress = &u
	case tool.Output:
		f.Output, err = message.MarshalParts([]message.Part{u.Part})
	case tool.Callback:
		f.Name = u.Name
		f.Data, err = json.Marshal(u.Data)
	}
	if err == nil {
		_ = s.out.Write(f) // as in answer
	}
}

// ask asks the host for a call.
func (s *server) ask(ctx context.Context, id uint64, a wire.Ask) (wire.Ask, error) {
	answer := make(chan wire.Ask, 1)
	s.mu.Lock()
	s.asks++
	a.N = s.asks
	s.asked[a.N] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.asked, a.N)
		s.mu.Unlock()
	}()
	if err := s.out.Write(wire.Frame{Kind: wire.Want, ID: id, Ask: &a}); err != nil {
		return wire.Ask{}, fmt.Errorf("asking the host: %w", err)
	}
	select {
	case got := <-answer:
		return got, nil
	case <-ctx.Done():
		_ = s.out.Write(wire.Frame{Kind: wire.Cancel, ID: id, Ask: &wire.Ask{N: a.N}})
		return wire.Ask{}, ctx.Err()
	}
}

func (s *server) given(f wire.Frame) {
	if f.Ask == nil {
		return
	}
	s.mu.Lock()
	answer := s.asked[f.Ask.N]
	s.mu.Unlock()
	if answer != nil {
		select {
		case answer <- *f.Ask:
		default: // it has one
		}
	}
}
