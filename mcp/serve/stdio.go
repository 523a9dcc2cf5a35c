package serve

import (
	"context"
	"errors"
	"fmt"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeStdio serves one client, which writes to in and reads from out, until it closes
// in or ctx ends. It closes both. The error is nil if the client left, and that of ctx
// if it ended. A message of more than 16 MiB ends the connection.
func (s *Server) ServeStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	session, err := s.sdk.Connect(context.WithoutCancel(ctx), &sdk.IOTransport{Reader: in, Writer: out}, nil)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		_ = in.Close() // ends the reading, and the calls with it
		_ = session.Close()
		<-ended
		return ctx.Err()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("mcp: the client's connection ended: %w", err)
	}
	return nil
}
