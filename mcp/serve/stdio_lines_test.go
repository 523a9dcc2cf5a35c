package serve_test

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"helve/mcp/serve"
)

// TestStdioBadLines has a client write lines that are no messages among its requests.
// Each is answered, and the requests after it are served.
// FuzzStdioLine writes any line before a request, which is answered all the same.
func FuzzStdioLine(f *testing.F) {
	for _, line := range []string{"hello", `{"foo":1}`, "\ufeff{}", `[]`, `[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]`, `{"jsonrpc":"2.0","id":1.5,"method":"x"}`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s := newServer(t, serve.Options{}, serve.Content{})
		fromServer, out := io.Pipe()
		ended := make(chan error, 1)
		input := line + "\n" + `{"jsonrpc":"2.0","id":"last","method":"ping"}` + "\n"
		go func() { ended <- s.ServeStdio(t.Context(), io.NopCloser(strings.NewReader(input)), out) }()
		all, _ := io.ReadAll(fromServer)
		if !strings.Contains(string(all), `"id":"last"`) {
			t.Errorf("%q: %.500s", line, all)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestStdioBadLines(t *testing.T) {
	t.Parallel()
	const ping = `{"jsonrpc":"2.0","id":7,"method":"ping"}`
	for name, test := range map[string]struct{ line, want string }{
		"no JSON":            {`hello`, `-32700`},
		"what it was":        {`hello`, `hello`},
		"no message":         {`{"foo":1}`, `-32600`},
		"another version":    {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, `-32600`},
		"a bad ID":           {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `-32600`},
		"a number":           {`7`, `-32600`},
		"a batch":            {`[` + ping + `]`, ""}, // of older clients
		"a bad batch":        {`[` + ping + `,{}]`, `-32600`},
		"a batch of one ID":  {`[` + ping + `,` + ping + `]`, `-32600`},
		"an empty batch":     {`[]`, `-32600`},
		"nesting":            {strings.Repeat("[", 20000) + strings.Repeat("]", 20000), `-32700`},
		"nesting in params":  {`{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, `-32700`},
		"half a message":     {`{"jsonrpc":"2.0",`, `-32700`},
		"two on a line":      {ping + ping, `-32700`},
		"too long":           {`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 16<<20) + `"}`, `16 MiB`},
		"bytes of a picture": {"\x89PNG\xff\x00", `-32700`},
		"an empty line":      {"", ""},
		"a carriage return":  {"\r", ""},
		"a BOM":              {"\ufeff", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, serve.Options{}, serve.Content{})
			fromServer, out := io.Pipe()
			ended := make(chan error, 1)
			input := strings.Replace(initialize, "2025-11-25", "2025-03-26", 1) + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + test.line + "\n" + ping
			if name == "a BOM" {
				input = test.line + initialize + "\r\n" + ping
			}
			go func() { ended <- s.ServeStdio(t.Context(), io.NopCloser(strings.NewReader(input)), out) }()
			var got []string
			for lines := bufio.NewScanner(fromServer); lines.Scan(); {
				got = append(got, lines.Text())
			}
			all := strings.Join(got, "\n")
			if !strings.Contains(all, `"protocolVersion"`) || !strings.Contains(all, `"id":7,"result":{}`) || !strings.Contains(all, test.want) {
				t.Errorf("%.1000s", all)
			}
			if refused := strings.Contains(all, `"id":null`); refused != (test.want != "") || len(all) > 2000 {
				t.Errorf("%.1000s", all)
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
