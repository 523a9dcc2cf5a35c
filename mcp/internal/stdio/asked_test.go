//go:build linux

package stdio

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/internal/asked"
)

// question wants a request.
func question(t *testing.T, conn sdk.Connection) jsonrpc.ID {
	t.Helper()
	message, err := conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	request, ok := message.(*jsonrpc.Request)
	if !ok || request.Method != "ping" {
		t.Fatalf("read %#v", message)
	}
	return request.ID
}

func TestAServerThatAsksTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	_, conn := run(t, command("asks"))
	var first jsonrpc.ID
	for range asked.Most {
		first = question(t, conn)
	}
	for _, want := range []int64{asked.Most, asked.Most + 1, asked.Most + 1} {
		if id, text := read(t, conn); id != want || text != asked.ErrTooMany.Error() {
			t.Errorf("%d was refused with %q, want %d", id, text, want)
		}
	}
	if err := conn.Write(t.Context(), &jsonrpc.Response{ID: first, Result: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if id, _ := read(t, conn); id != asked.Most-1 {
		t.Errorf("%d was answered", id)
	}
}

// Nothing is held for a server that asks and does not read, and nobody waits for it.
func TestAServerThatAsksAndDoesNotRead(t *testing.T) {
	t.Parallel()
	p, conn := run(t, command("asks without end"))
	conn.(*connection).patience = 10 * time.Millisecond
	var stuck []chan error
	for range asked.Most {
		id, done := question(t, conn), make(chan error, 1)
		stuck = append(stuck, done)
		go func() {
			done <- conn.Write(t.Context(), &jsonrpc.Response{ID: id, Result: []byte(`"` + strings.Repeat("x", 64<<10) + `"`)})
		}()
	}
	_, err := conn.Read(t.Context())
	if err == nil || !strings.HasPrefix(err.Error(), "the server asks and does not read the answers: 100 of its requests are open") {
		t.Fatalf("reading: %v", err)
	}
	for _, known := range []error{err, errors.New("the connection is lost")} {
		if got := p.Explain(known).Error(); strings.Count(got, "does not read the answers") != 1 {
			t.Errorf("explained: %s", got)
		}
	}
	for _, done := range stuck {
		if err := <-done; !errors.Is(err, sdk.ErrConnectionClosed) {
			t.Errorf("writing: %v", err)
		}
	}
}
