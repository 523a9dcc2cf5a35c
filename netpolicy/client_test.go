package netpolicy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"helve/tool"
)

var onLoopback = Policy{Hosts: []string{"127.0.0.1", "localhost"}, AllowPrivate: true}

// newClient returns a client that leaves no connection behind.
func newClient(t *testing.T, p Policy) *http.Client {
	t.Helper()
	transport := p.Transport()
	t.Cleanup(transport.CloseIdleConnections)
	return p.Client(transport, 10*time.Second)
}

func newServer(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func send(t *testing.T, client *http.Client, method, url, body string) (string, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer s3cret")
	request.Header.Set("X-Api-Key", "s3cret")
	request.Header.Set("Accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return string(data), err
}

func TestClientUsesNoProxy(t *testing.T) {
	t.Parallel()
	if (Policy{}).Transport().Proxy != nil {
		t.Error("a proxy would connect past the check of the address")
	}
}

func TestClientRefusesPrivateAddresses(t *testing.T) {
	t.Parallel()
	server := newServer(t, func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") })
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	client := newClient(t, Policy{Hosts: []string{"*"}})
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0"} {
		_, err := send(t, client, "GET", "http://"+host+":"+port+"/", "")
		var refusal *Refusal
		if !errors.As(err, &refusal) || !refusal.Private || !strings.Contains(refusal.Reason, "is not on the public internet") {
			t.Errorf("%s: got error %v", host, err)
		}
	}
}

// echo answers with the headers of the request that could be a key.
func echo(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "%s auth=%q key=%q accept=%q referer=%q", r.Method, r.Header.Get("Authorization"), r.Header.Get("X-Api-Key"), r.Header.Get("Accept"), r.Header.Get("Referer"))
}

func TestCredentialsStayAtTheirOrigin(t *testing.T) {
	t.Parallel()
	other := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if back := r.URL.Query().Get("back"); back != "" {
			http.Redirect(w, r, back, http.StatusFound)
			return
		}
		echo(w, r)
	})
	var here *httptest.Server
	here = newServer(t, func(w http.ResponseWriter, r *http.Request) {
		status, _ := strconv.Atoi(r.URL.Query().Get("status"))
		switch r.URL.Path {
		case "/same":
			http.Redirect(w, r, "/end", status)
		case "/other":
			http.Redirect(w, r, other.URL, status)
		case "/around": // away and back again
			http.Redirect(w, r, other.URL+"?back="+url.QueryEscape(here.URL+"/end"), status)
		case "/name": // the same machine by another name
			http.Redirect(w, r, strings.Replace(here.URL, "127.0.0.1", "localhost", 1)+"/end", status)
		default:
			echo(w, r)
		}
	})
	client := newClient(t, onLoopback)
	const with = `auth="Bearer s3cret" key="s3cret" accept="application/json" referer=""`
	const without = `auth="" key="" accept="application/json" referer=""`
	for _, test := range []struct{ method, path, want string }{
		{"GET", "/end", "GET " + with},
		{"GET", "/same?status=302", "GET " + with},
		{"POST", "/same?status=307", "POST " + with},
		{"GET", "/other?status=302", "GET " + without},
		{"GET", "/other?status=308", "GET " + without},
		{"POST", "/other?status=303", "GET " + without},
		{"GET", "/name?status=302", "GET " + without},
		{"GET", "/around?status=302", "GET " + without},
		{"POST", "/other?status=307", "a redirect that sends the data to another server is not followed"},
		{"POST", "/other?status=308", "a redirect that sends the data to another server is not followed"},
	} {
		t.Run(test.method+test.path, func(t *testing.T) {
			t.Parallel()
			body := ""
			if test.method == "POST" {
				body = "secret data"
			}
			got, err := send(t, client, test.method, here.URL+test.path, body)
			if err != nil {
				got = err.Error()
			}
			if got != test.want && (err == nil || !strings.Contains(got, test.want)) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestClientChecksRedirects(t *testing.T) {
	t.Parallel()
	server := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		left, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		switch {
		case err != nil:
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
		case left == 0:
			fmt.Fprint(w, "here")
		default:
			http.Redirect(w, r, fmt.Sprint("/", left-1), http.StatusFound)
		}
	})
	client := newClient(t, onLoopback)
	if got, err := send(t, client, "GET", server.URL+"/5", ""); err != nil || got != "here" {
		t.Errorf("5 redirects: got %q, %v", got, err)
	}
	if _, err := send(t, client, "GET", server.URL+"/6", ""); err == nil || !strings.Contains(err.Error(), "more than 5 redirects") {
		t.Errorf("6 redirects: got error %v", err)
	}
	for _, to := range []string{"http://169.254.169.254/latest/meta-data/", "http://example.com/", "ftp://127.0.0.1/", "http://user:pass@127.0.0.1/", "file:///etc/passwd"} {
		_, err := send(t, client, "GET", server.URL+"/to?to="+to, "")
		var refusal *Refusal
		if !errors.As(err, &refusal) {
			t.Errorf("redirect to %s: got error %v, want a refusal", to, err)
		}
	}
}

func TestClientTimesOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stuck := roundTripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		u, _ := url.Parse("https://example.com/slow?key=s3cret")
		start := time.Now()
		_, err := Policy{}.Client(stuck, time.Minute).Do(&http.Request{Method: "GET", URL: u})
		if waited := time.Since(start); waited != time.Minute {
			t.Errorf("waited %v", waited)
		}
		e := tool.AsError(Error("my_tool", u, err))
		if e.Kind != tool.KindTimeout || !e.Retryable || e.Message != "my_tool: https://example.com/slow took too long to answer" {
			t.Errorf("got %v, retryable %v", e, e.Retryable)
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestErrorHasNoSecrets(t *testing.T) {
	t.Parallel()
	u, _ := url.Parse("https://user:s3cret@example.com/page?key=s3cret")
	own := &tool.Error{Kind: tool.KindDenied, Message: "no"}
	for name, test := range map[string]struct {
		err  error
		kind tool.Kind
		want string
	}{
		"refused":  {&url.Error{Op: "Get", URL: u.String(), Err: refuse("not there")}, tool.KindPermissionDenied, "my_tool: not there"},
		"down":     {&url.Error{Op: "Get", URL: u.String(), Err: io.ErrUnexpectedEOF}, tool.KindUnavailable, "my_tool: https://example.com/page: unexpected EOF"},
		"canceled": {&url.Error{Op: "Get", URL: u.String(), Err: context.Canceled}, tool.KindCanceled, "The call was canceled."},
		"its own":  {fmt.Errorf("wrapped: %w", own), tool.KindDenied, "no"},
	} {
		e := tool.AsError(Error("my_tool", u, test.err))
		if e.Kind != test.kind || e.Message != test.want {
			t.Errorf("%s: got %v, want %s: %s", name, e, test.kind, test.want)
		}
	}
}
