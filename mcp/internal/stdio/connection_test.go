//go:build linux

package stdio

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestReading(t *testing.T) {
	t.Parallel()
	type got struct {
		id   int64
		text string
	}
	for program, test := range map[string]struct {
		want  []got
		end   string // of the error; "" is EOF
		stray int
	}{
		"half":    {want: []got{{1, "whole"}}, stray: 1},
		"unended": {want: []got{{1, "whole"}}},
		"large":   {want: []got{{1, strings.Repeat("x", 17<<20)}}},
		"garbage": {want: []got{{1, "a\uFFFDb"}}, stray: 3},
		"unreadable": {want: []got{
			{1, "the server's answer can't be read"}, {2, "the server's answer can't be read"}, {3, "the server's answer can't be read"}, {4, "a"}, {5, "b"},
		}, stray: 1},
		"batches":   {want: []got{{2, "as many as there may be"}}, stray: 2},
		"too large": {want: []got{{1, "first"}}, end: "the server sent a message of more than 32 MiB", stray: 1},
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			p, conn := run(t, command(program))
			for _, want := range test.want {
				id, text := read(t, conn)
				if id != want.id || !strings.HasPrefix(text, want.text) {
					t.Errorf("read %d, %.100q; want %d, %.100q", id, text, want.id, want.text)
				}
			}
			_, err := conn.Read(t.Context())
			if test.end == "" && !errors.Is(err, io.EOF) || test.end != "" && (err == nil || err.Error() != test.end) {
				t.Errorf("it ended with %v, want %q", err, test.end)
			}
			if p.Stray() != test.stray {
				t.Errorf("%d stray lines, want %d", p.Stray(), test.stray)
			}
		})
	}
}

func TestBanner(t *testing.T) {
	t.Parallel()
	p, conn := run(t, command("banner"))
	for i, text := range []string{"one", "two"} {
		if err := conn.Write(t.Context(), request(t, i, text)); err != nil {
			t.Fatal(err)
		}
		if id, got := read(t, conn); id != int64(i) || got != text {
			t.Errorf("read %d, %q", id, got)
		}
	}
	if want := 6 + 1 + 2; p.Stray() != want { // the last noise is not read
		t.Errorf("%d stray lines, want %d", p.Stray(), want)
	}
}

func TestMend(t *testing.T) {
	t.Parallel()
	c := command("unended")
	c.Mend = func(data []byte) []byte { return []byte(strings.Replace(string(data), "whole", "mended", 1)) }
	_, conn := run(t, c)
	if _, text := read(t, conn); text != "mended" {
		t.Errorf("read %q", text)
	}
}

// A message of which mending leaves nothing is none, and not stray either.
func TestMendingMayLeaveNothing(t *testing.T) {
	t.Parallel()
	c := command("unreadable")
	c.Mend = func(data []byte) []byte {
		if strings.Contains(string(data), `"b"`) {
			return data
		}
		return nil
	}
	p, conn := run(t, c)
	if id, text := read(t, conn); id != 5 || text != "b" || p.Stray() != 0 {
		t.Errorf("read %d, %q, %d stray lines", id, text, p.Stray())
	}
}

// A message whose writer left is finished before the next one; one of which nothing was
// written is never sent.
func TestWritingToADeafServer(t *testing.T) {
	t.Parallel()
	p, conn := run(t, command("deaf"))
	read(t, conn)
	long := strings.Repeat("x", 1<<20)
	ctx, cancel := context.WithCancel(t.Context())
	begun := make(chan error)
	go func() { begun <- conn.Write(ctx, request(t, 1, long)) }()
	read(t, conn) // something came
	cancel()
	if err := <-begun; !errors.Is(err, context.Canceled) {
		t.Fatalf("writing what does not fit: %v", err)
	}
	for i := 2; i <= 3; i++ {
		if err := conn.Write(soon(t), request(t, i, long)); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("writing behind it: %v", err)
		}
	}
	if err := syscall.Kill(p.cmd.Process.Pid, syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	if err := conn.Write(t.Context(), request(t, 4, "short")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int64{1, 4} {
		if id, text := read(t, conn); id != want || (id == 1 && text != long) {
			t.Fatalf("read %d, %.20q; want %d", id, text, want)
		}
	}
}

func TestCloseEndsWriting(t *testing.T) {
	t.Parallel()
	p, conn := run(t, command("deaf"))
	read(t, conn)
	done := make(chan error, 2)
	for range 2 { // one writes, one waits for its turn
		go func() { done <- conn.Write(context.Background(), request(t, 1, strings.Repeat("x", 1<<20))) }()
	}
	if err := conn.Write(soon(t), request(t, 1, strings.Repeat("x", 1<<20))); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("writing: %v", err)
	}
	p.Close()
	for range 2 {
		if err := <-done; !errors.Is(err, sdk.ErrConnectionClosed) {
			t.Errorf("writing ended with %v", err)
		}
	}
}

// A server that died is no reason to end by SIGPIPE or to write for ever.
func TestWritingToADeadServer(t *testing.T) {
	t.Parallel()
	p, conn := run(t, command("dies"))
	<-p.Done()
	if err := conn.Write(t.Context(), request(t, 1, "")); !errors.Is(err, syscall.EPIPE) || !errors.Is(err, ErrNotWritten) {
		t.Errorf("writing: %v", err)
	}
	if err := p.Explain(io.EOF); !strings.Contains(err.Error(), "exit status 3") {
		t.Error(err)
	}
}

func TestAnEndedContext(t *testing.T) {
	t.Parallel()
	_, conn := run(t, command("echo"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := conn.Read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("reading: %v", err)
	}
	for range 10 {
		if err := conn.Write(ctx, request(t, 1, "")); !errors.Is(err, context.Canceled) {
			t.Errorf("writing: %v", err)
		}
	}
	if err := conn.Write(t.Context(), request(t, 2, "a")); err != nil {
		t.Fatal(err)
	}
	if id, _ := read(t, conn); id != 2 || conn.SessionID() != "" {
		t.Errorf("read %d", id)
	}
}
