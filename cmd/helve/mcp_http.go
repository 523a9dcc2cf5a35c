package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/net/netutil"

	"helve/mcp/serve"
)

// tokenVariable holds a token where no flag names another.
const tokenVariable = "HELVE_MCP_TOKEN"

// serveFlags say how the tools are served.
type serveFlags struct {
	address   string // "" is standard input and output
	tokenEnv  string
	tokenFile string
	noAuth    bool
	origins   []string
	hosts     []string
}

func (s *serveFlags) add(f *pflag.FlagSet) {
	f.StringVar(&s.address, "http", "", "serve over HTTP at `HOST:PORT`, such as 127.0.0.1:8080; port 0 is any that is free")
	f.StringVar(&s.tokenEnv, "token-env", "", "the `NAME` of the variable with the token that clients must send (default "+tokenVariable+")")
	f.StringVar(&s.tokenFile, "token-file", "", "a `FILE` with such tokens, one in a line")
	f.BoolVar(&s.noAuth, "no-auth", false, "let in everybody who reaches the address")
	f.StringSliceVar(&s.origins, "allow-origin", nil, "let web pages of `ORIGIN` use the server, such as https://app.example.com")
	f.StringSliceVar(&s.hosts, "allowed-host", nil, "a `NAME` that the server is reached by, other than that of this machine")
}

// check finds flags that do not go together.
func (s *serveFlags) check(f *pflag.FlagSet) error {
	if !f.Changed("http") {
		for _, name := range []string{"token-env", "token-file", "no-auth", "allow-origin", "allowed-host"} {
			if f.Changed(name) {
				return usage("--%s needs an address: --http HOST:PORT", name)
			}
		}
		return nil
	}
	if s.address == "" {
		return usage("--http is empty: write it as HOST:PORT, such as 127.0.0.1:8080")
	}
	if s.noAuth && (s.tokenEnv != "" || s.tokenFile != "") {
		return usage("--no-auth lets in everybody: give it, or tokens, and not both")
	}
	return nil
}

// listener is an address that is served over HTTP.
type listener struct {
	app  *app
	net  net.Listener
	http serve.HTTP

	requests sync.RWMutex // a request that is being answered holds it for reading
}

// listen opens the address of --http; nil is for none.
func (a *app) listen(how serveFlags) (*listener, error) {
	if how.address == "" {
		return nil, nil
	}
	address, err := net.ResolveTCPAddr("tcp", how.address)
	if err != nil {
		return nil, usage("--http %s: %w; write it as HOST:PORT, such as 127.0.0.1:8080", how.address, err)
	}
	l := &listener{app: a, http: serve.HTTP{Origins: how.origins, Hosts: how.hosts}}
	if !how.noAuth {
		if l.http.Tokens, err = how.tokens(); err != nil {
			return nil, err
		}
		how.warnOfReaders(a.std.err)
	}
	if len(l.http.Tokens) == 0 && !how.noAuth && !address.IP.IsLoopback() {
		return nil, &failure{exitUsage, "usage",
			fmt.Errorf("--http %s: other machines reach this address, and there is no token: whoever finds it could call the tools", how.address),
			"set " + tokenVariable + ", or give --token-file; 127.0.0.1 is for this machine alone; --no-auth if all may"}
	}
	if l.net, err = net.ListenTCP("tcp", address); err != nil {
		return nil, &failure{exitUnreachable, "address", fmt.Errorf("--http: %w", err), "is something served there already? Port 0 takes any that is free"}
	}
	return l, nil
}

// tokens are those that a client may send; none where nobody has set one.
func (s *serveFlags) tokens() ([]serve.Secret, error) {
	var tokens []serve.Secret
	name := tokenVariable
	if s.tokenEnv != "" {
		name = s.tokenEnv
	}
	if value := os.Getenv(name); value != "" {
		tokens = append(tokens, serve.Secret(value))
	} else if s.tokenEnv != "" {
		return nil, usage("--token-env: the variable %s is not set", name)
	}
	if s.tokenFile == "" {
		return tokens, nil
	}
	data, err := os.ReadFile(s.tokenFile)
	if err != nil {
		return nil, usage("--token-file: %w", err)
	}
	before := len(tokens)
	lines := bufio.NewScanner(strings.NewReader(string(data)))
	for lines.Scan() {
		if token := strings.TrimSpace(lines.Text()); token != "" {
			tokens = append(tokens, serve.Secret(token))
		}
	}
	if len(tokens) == before {
		return nil, usage("--token-file: %s holds no token", s.tokenFile)
	}
	return tokens, lines.Err()
}

// warnOfReaders says when others on this machine can read the tokens. It is no error: what
// puts secrets into containers often leaves them so. Windows has no such bits.
func (s *serveFlags) warnOfReaders(w io.Writer) {
	if s.tokenFile == "" || runtime.GOOS == "windows" {
		return
	}
	if info, err := os.Stat(s.tokenFile); err == nil && info.Mode().Perm()&0o077 != 0 {
		fmt.Fprintf(w, "helve: warning: --token-file: others on this machine may read %s (its mode is %04o), and with a token call the tools: chmod 600 it\n", printable(s.tokenFile), info.Mode().Perm())
	}
}

// Bounds of a connection. Those of a body and of a write are the handler's.
const (
	mostConnections = 4096
	headerTimeout   = 10 * time.Second
	idleTimeout     = 2 * time.Minute
	mostHeader      = 64 << 10 // bytes
	drain           = 5 * time.Second
)

// serve serves h until ctx ends.
func (l *listener) serve(ctx context.Context, h *host) error {
	handler, err := h.server.Handler(l.http)
	if err != nil {
		return usage("%w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", l.counted(handler))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "the MCP server is at /mcp", http.StatusNotFound)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: mostHeader}
	fmt.Fprintf(l.app.std.err, "helve: serving %s at http://%s/mcp\n", counted(h.tools(), "tool"), l.net.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(netutil.LimitListener(l.net, mostConnections)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	fmt.Fprintln(l.app.std.err, "helve: ending; a second interrupt ends at once")
	h.drain(drain, l.answered)
	// Streams end with the server. One whose client does not read ends with its connection.
	closing, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	stuck := context.AfterFunc(closing, func() { _ = server.Close() })
	defer stuck()
	_ = h.server.Close()
	if err := server.Shutdown(closing); err != nil {
		_ = server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// counted lets answered know what is not answered yet. A stream of notifications is no
// answer, and lasts as long as its client.
func (l *listener) counted(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.Header.Get("Mcp-Method") != "subscriptions/listen" {
			l.requests.RLock()
			defer l.requests.RUnlock()
		}
		inner.ServeHTTP(w, r)
	})
}

// answered waits for the answers of all requests. Those that come meanwhile wait too.
func (l *listener) answered() {
	l.requests.Lock()
	defer l.requests.Unlock()
}
