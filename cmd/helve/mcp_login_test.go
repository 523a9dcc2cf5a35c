package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"helve/mcp"
)

// account is a server that wants a login, and the server where one logs in, in one.
type account struct {
	*httptest.Server
	denies   bool
	unusable bool // also for who is logged in
	revoked  []string
}

func newAccount(t *testing.T) *account {
	t.Helper()
	s := &account{}
	mux := http.NewServeMux()
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	say := func(path string, v any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(v)
		})
	}
	notes := sdk.NewServer(&sdk.Implementation{Name: "notes", Version: "1.0"}, nil)
	sdk.AddTool(notes, &sdk.Tool{Name: "note"}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{}, nil, nil
	})
	serves := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return notes }, nil)
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer acc3ss" && !s.unusable {
			serves.ServeHTTP(w, r)
			return
		}
		w.Header().Set("WWW-Authenticate", `Bearer scope="notes:read"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	mux.HandleFunc("POST /open", func(http.ResponseWriter, *http.Request) {})
	say("GET /.well-known/oauth-protected-resource/mcp", map[string]any{"resource": s.URL + "/mcp", "authorization_servers": []string{s.URL}})
	say("GET /.well-known/oauth-authorization-server", map[string]any{
		"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token",
		"registration_endpoint": s.URL + "/register", "revocation_endpoint": s.URL + "/revoke",
		"code_challenge_methods_supported": []string{"S256"},
	})
	say("POST /register", map[string]any{"client_id": "helve-1", "token_endpoint_auth_method": "none"})
	say("POST /token", map[string]any{"access_token": "acc3ss", "refresh_token": "r3fresh", "token_type": "Bearer", "expires_in": 3600})
	mux.HandleFunc("GET /authorize", func(w http.ResponseWriter, r *http.Request) {
		back := url.Values{"state": {r.FormValue("state")}, "code": {"c0de"}}
		if s.denies {
			back = url.Values{"state": back["state"], "error": {"access_denied"}}
		}
		http.Redirect(w, r, r.FormValue("redirect_uri")+"?"+back.Encode(), http.StatusFound)
	})
	mux.HandleFunc("POST /revoke", func(_ http.ResponseWriter, r *http.Request) { s.revoked = append(s.revoked, r.FormValue("token")) })
	return s
}

// visitor is a standard error whose reader opens the address that it sees.
type visitor struct {
	bytes.Buffer
	client *http.Client
	opens  bool
}

var shownAddress = regexp.MustCompile(`(?m)^  (http\S+)$`)

func (p *visitor) Write(data []byte) (int, error) {
	p.Buffer.Write(data)
	if address := shownAddress.FindStringSubmatch(string(data)); address != nil && p.opens {
		response, err := p.client.Get(address[1]) // the port of the redirect is open already
		if err != nil {
			return 0, err
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	return len(data), nil
}

func TestMCPLogin(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	t.Setenv("HELVE_HOME", home)
	s := newAccount(t)
	servers := map[string]mcp.Config{
		"notes":  {Name: "notes", URL: s.URL + "/mcp"},
		"open":   {Name: "open", URL: s.URL + "/open"},
		"local":  {Name: "local", Command: "notes-server"},
		"absent": {Name: "absent", URL: "http://127.0.0.1:1/mcp"},
	}
	find := func(_ context.Context, name string) (mcp.Config, error) {
		c, ok := servers[name]
		if !ok {
			return c, usage("there is no MCP server %s", name)
		}
		return c, nil
	}
	opener := &http.Client{Transport: &http.Transport{}}
	defer opener.CloseIdleConnections()
	type ran struct {
		code     int
		out, err string
	}
	run := func(ctx context.Context, opens bool, args ...string) ran {
		t.Helper()
		var out bytes.Buffer
		p := &visitor{client: opener, opens: opens}
		a := &app{std: stdio{strings.NewReader(""), &out, p}}
		root := &cobra.Command{Use: "mcp", SilenceErrors: true, SilenceUsage: true}
		root.PersistentFlags().BoolVar(&a.json, "json", false, "")
		root.AddCommand(a.mcpLoginCommand(find), a.mcpLogoutCommand(find))
		root.SetArgs(args)
		err := root.ExecuteContext(ctx)
		if err != nil && ctx.Err() != nil {
			err = errInterrupted // as execute does
		}
		code := a.exit(err)
		for _, secret := range []string{"acc3ss", "r3fresh", "c0de"} {
			if strings.Contains(out.String()+p.String(), secret) {
				t.Errorf("%v: a secret is printed:\n%s%s", args, &out, p)
			}
		}
		return ran{code, out.String(), p.String()}
	}

	got := run(t.Context(), true, "login", "notes", "--no-browser")
	until := time.Now().Add(time.Hour).Format("2006-01-02 15")
	if got.code != exitOK || !strings.Contains(got.out, "Logged in to notes, which has 1 tool; the token is good until "+until[:10]) || !strings.Contains(got.err, "Waiting for the browser") {
		t.Errorf("got %+v", got)
	}
	if files, err := filepath.Glob(filepath.Join(home, "mcp-logins", "*.json")); err != nil || len(files) != 1 {
		t.Errorf("kept: %v, %v", files, err)
	} else if data, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(data), "r3fresh") {
		t.Errorf("kept: %s, %v", data, err)
	}
	got = run(t.Context(), true, "login", "notes", "--json")
	var value struct {
		Server  string
		Expires time.Time
		Renewed bool
		Tools   int
	}
	if err := json.Unmarshal([]byte(got.out), &value); err != nil || value.Server != "notes" || !value.Renewed || value.Tools != 1 || time.Until(value.Expires) < 50*time.Minute {
		t.Errorf("got %+v, %v", got, err)
	}
	got = run(t.Context(), false, "logout", "notes")
	if got.code != exitOK || got.out != "Logged out of notes.\n" || strings.Join(s.revoked, " ") != "r3fresh acc3ss" {
		t.Errorf("got %+v; revoked %v", got, s.revoked)
	}
	got = run(t.Context(), false, "logout", "notes", "--json")
	if got.code != exitOK || got.out != `{"server":"notes","was_logged_in":false}`+"\n" {
		t.Errorf("got %+v", got)
	}

	s.unusable = true
	got = run(t.Context(), true, "login", "notes")
	if got.code != exitOK || !strings.Contains(got.out, "Logged in to notes; ") || !strings.Contains(got.err, "the login is kept, but the server can't be used: mcp server notes: ") {
		t.Errorf("got %+v", got)
	}
	s.unusable, s.denies = false, true
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"login", "notes"}, exitAuth, "the login was refused (access_denied)"},
		{[]string{"login", "open"}, exitUsage, "does not ask for a login"},
		{[]string{"login", "local"}, exitUsage, "a program on this machine"},
		{[]string{"logout", "nobody"}, exitUsage, "there is no MCP server nobody"},
		{[]string{"login", "absent"}, exitUnreachable, "connection refused"},
	} {
		if got := run(t.Context(), true, test.args...); got.code != test.code || got.out != "" || !strings.Contains(got.err, test.want) {
			t.Errorf("%v: got %+v, want %d and %q", test.args, got, test.code, test.want)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := run(ctx, false, "login", "notes"); got.code != exitInterrupted {
		t.Errorf("got %+v", got)
	}
}
