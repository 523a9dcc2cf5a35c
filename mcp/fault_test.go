package mcp_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"helve/mcp"
	"helve/tool"
)

// fault is a server that is wrong from the start, or in its list.
type fault struct {
	server *server

	fails []string // patterns of the error of Tools; nil if Tools works, and echo
	may   bool     // it may work as well
	check func(t *testing.T, s *server, tools map[string]tool.Tool)
}

// patterns of more than one error
const (
	inTime = `(?i)time|deadline|answer|within|2s|seconds` // it took too long
	quoted = `(?i)mcp server "?bad"?`
)

func TestFaultsOfAServer(t *testing.T) {
	t.Parallel()
	for name, start := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := start(t)
			stop := healthy(t)
			f.server.open()
			tools, err := f.server.tools()
			switch {
			case err != nil && f.fails == nil:
				t.Errorf("Tools: %s", whole(err))
			case err != nil:
				match(t, whole(err), append(f.fails, quoted)...)
				if status := f.server.client.Status(); status.Err == "" {
					t.Errorf("status: %+v", status)
				}
			case f.fails != nil && !f.may:
				t.Errorf("Tools: %d of them, and no error", len(tools))
			case f.check != nil:
				f.check(t, f.server, tools)
			default:
				f.server.works()
			}
			stop()
			f.server.close()
		})
	}
}

// faults are made by name, so that each has a process only while it is tested.
var faults = map[string]func(t *testing.T) fault{
	// A program.
	"missing program": func(t *testing.T) fault {
		s := newServer(t)
		s.config.Command = filepath.Join(t.TempDir(), "no-such-program")
		return fault{server: s, fails: []string{"no-such-program", "no such file|not found|does not exist"}}
	},
	"a folder as program": func(t *testing.T) fault {
		s := newServer(t)
		s.config.Command = t.TempDir()
		return fault{server: s, fails: []string{"(?i)directory|folder|permission"}}
	},
	"exit":         stdioFails("exit", "API_KEY not set", "status 1"),
	"hang":         impatient(stdioFails("hang", inTime)),
	"never-reads":  impatient(stdioFails("never-reads", inTime)),
	"list-hang":    impatient(stdioFails("list-hang", inTime)),
	"list-error":   stdioFails("list-error", "the tools are in the other coat"),
	"stderr-flood": stdioWorks("stderr-flood"),
	"banner": func(t *testing.T) fault {
		return fault{server: overStdio(t, "banner"), check: func(t *testing.T, s *server, _ map[string]tool.Tool) {
			s.works()
			if n := s.client.Status().Stray; n == 0 {
				t.Error("no stray line was counted")
			}
		}}
	},
	"hang-discover":    stdioWorks("hang-discover"),
	"exit-on-discover": stdioWorks("exit-on-discover"),
	"grandchild":       stdioWorks("grandchild"),
	"ignore-eof":       stdioWorks("ignore-eof"),
	"ignore-term":      stdioWorks("ignore-eof+ignore-term"),
	"string-ids":       stdioWorks("string-ids"),
	"unknown-id":       stdioWorks("unknown-id"),
	"flood":            stdioWorks("flood"),
	"batch":            impatient(either(stdioFails("batch", ""))),
	"wrong-jsonrpc":    impatient(either(stdioFails("wrong-jsonrpc", ""))),
	"clean environment": func(t *testing.T) fault {
		return fault{server: overStdio(t, ""), check: func(t *testing.T, s *server, _ map[string]tool.Tool) {
			result, err := s.call(within(t), "environ", nil)
			if err != nil {
				t.Fatal(whole(err))
			}
			match(t, result.Text(), `\bPATH\b`, `\bAPI_KEY\b`)
			if strings.Contains(result.Text(), "HELVE_TEST_LEAK") {
				t.Errorf("our environment is the server's: %s", result.Text())
			}
		}}
	},

	// A web server.
	"refused": func(t *testing.T) fault {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		s := newServer(t)
		s.config.URL = "http://" + l.Addr().String()
		return fault{server: s, fails: []string{"refused"}}
	},
	"its own address": func(t *testing.T) fault { // which the file itself names
		s := overHTTP(t, "")
		s.options.AllowPrivate = false
		return fault{server: s}
	},
	"redirect-302":  elsewhere("redirect-302"),
	"redirect-307":  elsewhere("redirect-307"),
	"redirect-same": httpWorks("redirect-same"),
	"401": func(t *testing.T) fault {
		f := httpFails("status=401", "401", "the key is not known here|the gate is closed")(t)
		t.Cleanup(func() {
			if n := f.server.record.Count("request POST /"); n > 4 {
				t.Errorf("a wrong key was tried %d times", n)
			}
		})
		return f
	},
	"403":     httpFails("status=403", "403", "the gate is closed"),
	"404":     httpFails("status=404", "404"),
	"500":     httpFails("status=500", "500", "the gate is closed"),
	"a key":   httpWorks("key=" + secret),
	"no key":  httpFails("key=another", "401"),
	"its key": withHeader(httpWorks("key=" + secret)),

	"html":          httpFails("html", "web page"),
	"html-discover": httpWorks("html-discover"),
	"get-405":       httpWorks("get-405"),
	"get-closed":    httpWorks("get-closed"),
	"legacy-sse":    httpWorks("legacy-sse"),
	"rest":          httpWorks("rest"),
	"rest, refused": httpFails("rest+status=500", "500"),
	"slow-headers":  impatient(httpFails("slow-headers", inTime)),
	"gzip":          httpWorks("gzip"),
	"content-type":  impatient(either(httpFails("content-type", "(?i)text/plain|content.type"))),
	"http hang":     impatient(httpFails("hang", inTime)),
}

func stdioWorks(words string) func(*testing.T) fault {
	return func(t *testing.T) fault { return fault{server: overStdio(t, words)} }
}

func stdioFails(words string, patterns ...string) func(*testing.T) fault {
	return func(t *testing.T) fault { return fault{server: overStdio(t, words), fails: patterns} }
}

func httpWorks(words string) func(*testing.T) fault {
	return func(t *testing.T) fault { return fault{server: overHTTP(t, words)} }
}

func httpFails(words string, patterns ...string) func(*testing.T) fault {
	return func(t *testing.T) fault { return fault{server: overHTTP(t, words), fails: patterns} }
}

// impatient waits two seconds for what never comes.
func impatient(start func(*testing.T) fault) func(*testing.T) fault {
	return func(t *testing.T) fault {
		f := start(t)
		f.server.config.ConnectTimeout, f.server.config.ListTimeout = 2*time.Second, 2*time.Second
		f.server.config.Protocol = "2025-11-25" // no time for probes
		return f
	}
}

// either is for servers that break the protocol so that to read them is as good as to
// say why not.
func either(start func(*testing.T) fault) func(*testing.T) fault {
	return func(t *testing.T) fault {
		f := start(t)
		f.may = true
		return f
	}
}

func withHeader(start func(*testing.T) fault) func(*testing.T) fault {
	return func(t *testing.T) fault {
		f := start(t)
		f.server.config.APIKeyHeader = "X-Api-Key"
		return f
	}
}

// elsewhere is a server that sends its clients to another one, which must not get the
// key.
func elsewhere(word string) func(*testing.T) fault {
	return func(t *testing.T) fault {
		other := overHTTP(t, "")
		s := overHTTP(t, word+"="+other.web.URL)
		s.config.Headers = map[string]mcp.Secret{"X-Api-Key": secret}
		t.Cleanup(func() {
			for _, h := range other.over.Headers() {
				for name, values := range h {
					if strings.Contains(strings.Join(values, " "), secret) {
						t.Errorf("another host got the key: %s", name)
					}
				}
			}
		})
		return fault{server: s, fails: []string{"(?i)redirect"}}
	}
}

func TestMakingAClientChecksItsConfig(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]mcp.Config{
		"neither":      {Name: "bad"},
		"both":         {Name: "bad", Command: "x", URL: "http://localhost"},
		"no URL":       {Name: "bad", URL: "::"},
		"not a scheme": {Name: "bad", URL: "ftp://localhost"},
		"no name":      {Command: "x"},
	} {
		if client, err := mcp.New(c, mcp.Options{}); err == nil {
			t.Errorf("%s: no error", name)
			client.Close()
		}
	}
}

func TestToolsOfAClosedClient(t *testing.T) {
	t.Parallel()
	s := overStdio(t, "")
	client := s.open()
	s.works()
	s.close()
	if _, err := client.Tools(within(t)); err == nil {
		t.Error("a closed client has tools")
	}
	if state := client.Status().State; state != mcp.Closed {
		t.Errorf("state %s", state)
	}
	if n := s.record.Count("ran echo"); n != 1 {
		t.Errorf("echo ran %d times", n)
	}
}

// What waits for a connection does not wait longer than its context.
func TestCanceledWhileItConnects(t *testing.T) {
	t.Parallel()
	for name, over := range map[string]func(*testing.T, string) *server{"stdio": overStdio, "HTTP": overHTTP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := over(t, "hang")
			client := s.open()
			ctx, cancel := context.WithCancel(within(t))
			defer cancel()
			failed := make(chan error, 1)
			go func() {
				_, err := client.Tools(ctx)
				failed <- err
			}()
			first := map[string]string{"stdio": "pid ", "HTTP": "request POST"}[name]
			if _, err := s.record.First(within(t), first); err != nil {
				t.Fatal(err)
			}
			cancel()
			if err := <-failed; !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
		})
	}
}
