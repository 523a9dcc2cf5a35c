package serve

import (
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
	s := &server{tools: registry, out: wire.NewWriter(w), cancel: map[uint64]context.CancelFunc{}, asked: map[uint64]chan wire.Frame{}}
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
		case wire.Stored:
			s.stored(f)
		}
	}
}

type server struct {
	tools *tool.Registry
	out   *wire.Writer

	mu     sync.Mutex
	cancel map[uint64]context.CancelFunc
	asked  map[uint64]chan wire.Frame
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
		Store:  &store{s, f.ID},
		Config: f.Config,
		Report: func(_ tool.CallID, u tool.Update) { s.report(f.ID, u) },
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

// store is the host's, asked by frames.
type store struct {
	s  *server
	id uint64
}

func (st *store) Get(ctx context.Context, key string) ([]byte, bool, error) {
	f, err := st.ask(ctx, wire.Frame{Op: "get", Key: key})
	return f.Value, f.Found, err
}

func (st *store) Put(ctx context.Context, key string, value []byte) error {
	_, err := st.ask(ctx, wire.Frame{Op: "put", Key: key, Value: value})
	return err
}

func (st *store) Delete(ctx context.Context, key string) error {
	_, err := st.ask(ctx, wire.Frame{Op: "delete", Key: key})
	return err
}

func (st *store) List(ctx context.Context, prefix string) ([]string, error) {
	f, err := st.ask(ctx, wire.Frame{Op: "list", Key: prefix})
	return f.Keys, err
}

func (st *store) ask(ctx context.Context, f wire.Frame) (wire.Frame, error) {
	s, answer := st.s, make(chan wire.Frame, 1)
	s.mu.Lock()
	s.asks++
	f.Kind, f.ID, f.Ask = wire.Store, st.id, s.asks
	s.asked[f.Ask] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.asked, f.Ask)
		s.mu.Unlock()
	}()
	if err := s.out.Write(f); err != nil {
		return wire.Frame{}, fmt.Errorf("the store: %w", err)
	}
	select {
	case got := <-answer:
		switch got.Fault {
		case "":
			return got, nil
		case tool.ErrNoStore.Error():
			return wire.Frame{}, tool.ErrNoStore
		}
		return wire.Frame{}, errors.New(got.Fault)
	case <-ctx.Done():
		return wire.Frame{}, ctx.Err()
	}
}

func (s *server) stored(f wire.Frame) {
	s.mu.Lock()
	answer := s.asked[f.Ask]
	s.mu.Unlock()
	if answer != nil {
		select {
		case answer <- f:
		default: // it has one
		}
	}
}
