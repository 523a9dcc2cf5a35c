package sim

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"helve/model"
	"helve/model/openai"
)

// Server is the offline model, listening on the loopback interface.
type Server struct {
	url       string
	http      *http.Server
	abort     context.CancelFunc // ends what waits for nothing: Silence and Slow
	served    chan struct{}      // closed when Serve has returned
	err       error              // why, to be read after that
	transport *http.Transport    // of the clients
	calling   model.Ability      // as far as a client can know
}

// Start serves the offline model on a random port of 127.0.0.1 until
// [Server.Close].
func Start(opts Options) (*Server, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("sim: the offline model can't listen on 127.0.0.1: %w", err)
	}
	ctx, abort := context.WithCancel(context.Background())
	s := &Server{
		url:    "http://" + ln.Addr().String(),
		abort:  abort,
		served: make(chan struct{}),
		http: &http.Server{
			Handler:           Handler(opts),
			BaseContext:       func(net.Listener) context.Context { return ctx },
			ReadHeaderTimeout: 10 * time.Second,
			ReadTimeout:       time.Minute,
			IdleTimeout:       time.Minute,
			MaxHeaderBytes:    64 << 10,
		},
		transport: &http.Transport{MaxIdleConnsPerHost: 16},
	}
	if !opts.textOnly() {
		s.calling = model.Yes
	}
	go func() {
		defer close(s.served)
		s.err = s.http.Serve(ln)
	}()
	return s, nil
}

// URL returns the address that an OpenAI client wants as its base URL, such as
// http://127.0.0.1:40001/v1.
func (s *Server) URL() string { return s.url + "/v1" }

// Client returns a client of the model: the ordinary one of package openai, over
// HTTP. Its provider is "sim" and its model "offline"; it names no server, for the
// model is part of this process, and its port is another one each time. It works until
// Close. Of a model without function calling it does not know that: it is as with a server
// that answers so only when it is asked.
func (s *Server) Client() (model.Client, error) {
	client, err := openai.New(openai.Config{
		Provider:        "sim",
		Model:           modelName,
		BaseURL:         s.URL(),
		HTTPClient:      &http.Client{Transport: s.transport},
		FunctionCalling: s.calling,
	})
	if err != nil {
		return nil, err
	}
	return inside{client}, nil
}

// inside is a client of a model in its own process.
type inside struct{ model.Client }

func (i inside) Info() model.Info {
	info := i.Client.Info()
	info.Server = ""
	return info
}

// closeGrace is how long Close lets answers end that are under way.
const closeGrace = time.Second / 2

// Close stops the server. Answers under way may end within half a second; a
// request that waits for nothing ends at once. To close twice does no harm.
func (s *Server) Close() error {
	s.abort()
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	s.transport.CloseIdleConnections()
	<-s.served
	if !errors.Is(s.err, http.ErrServerClosed) {
		err = s.err
	}
	if err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	return nil
}
