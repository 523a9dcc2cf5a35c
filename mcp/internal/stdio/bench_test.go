//go:build linux

package stdio

import (
	"os/exec"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkRoundTrip sends a message to a server that sends it back, by our connection
// and by the SDK's.
func BenchmarkRoundTrip(b *testing.B) {
	for name, size := range map[string]int{"11B": 11, "64KiB": 64 << 10, "4MiB": 4 << 20} {
		text := strings.Repeat("x", size)
		c := command("echo")
		b.Run(name+"/helve", func(b *testing.B) {
			_, conn := run(b, c)
			exchange(b, conn, text)
		})
		b.Run(name+"/sdk", func(b *testing.B) {
			cmd := exec.Command(c.Path)
			cmd.Env = c.Env
			conn, err := (&sdk.CommandTransport{Command: cmd}).Connect(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			defer conn.Close()
			exchange(b, conn, text)
		})
	}
}

func exchange(b *testing.B, conn sdk.Connection, text string) {
	message := request(b, 1, text)
	b.SetBytes(int64(2 * len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := conn.Write(b.Context(), message); err != nil {
			b.Fatal(err)
		}
		if _, err := conn.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLife is a server's start, its first answer and its end.
func BenchmarkLife(b *testing.B) {
	for b.Loop() {
		p, conn := run(b, Command{Name: "shell", Path: "/bin/sh", Args: []string{"-c", answers}, Log: command("").Log, Env: Environment(nil)})
		if err := conn.Write(b.Context(), request(b, 1, "")); err != nil {
			b.Fatal(err)
		}
		read(b, conn)
		p.Close()
	}
}
