package remote

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/netpolicy"
)

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		url    string
		header http.Header
		want   string
	}{
		{"ftp://example.com/mcp", nil, "must begin with http:// or https://"},
		{"/mcp", nil, "must begin with http:// or https://"},
		{"http:///mcp", nil, "no host"},
		{"https://me:s3cret-word@example.com/", nil, "give an Authorization header"},
		{"http://[fe80::1%25eth0]/", nil, "zone"},
		{"https://example.com/", http.Header{"X Key": {"s3cret-word"}}, `"X Key" can't be the name of a header`},
		{"https://example.com/", http.Header{"X-Key": {"s3cret-word\r\nEvil: 1"}}, "the value of the header X-Key can't be sent"},
		{"https://example.com/", http.Header{"X-Key": {"s3cret-word\x00"}}, "the value of the header X-Key can't be sent"},
	} {
		u, err := url.Parse(test.url)
		if err != nil {
			t.Fatal(err)
		}
		_, err = New(Options{Name: "weather", URL: u, Header: test.header})
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "mcp server weather: ") {
			t.Errorf("%s %q: got error %v", test.url, test.header, err)
		}
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the error shows a secret: %v", err)
		}
	}
	if _, err := New(Options{Name: "weather"}); err == nil {
		t.Error("no URL was taken")
	}
}

// Foreign files set headers that are the protocol's. They are left out, not an error.
func TestHeadersOfTheProtocolAreNotConfigured(t *testing.T) {
	t.Parallel()
	var got http.Header
	server := newServer(t, func(w http.ResponseWriter, r *http.Request) { got = r.Header })
	var log bytes.Buffer
	r := newRemote(t, server.URL, func(o *Options) {
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		o.Header = http.Header{"accept": {"text/html"}, "Mcp-Session-Id": {"1"}, "Idempotency-Key": {"same"}, "x-team": {"a", "b"}}
	})
	req := newPost(t, server.URL, `{"jsonrpc":"2.0","method":"notifications/x"}`)
	response, err := r.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if diff := cmp.Diff([]string{"a", "b"}, got["X-Team"]); diff != "" || got.Get("Accept") != req.Header.Get("Accept") || got.Get("Mcp-Session-Id")+got.Get("Idempotency-Key") != "" {
		t.Errorf("the server got %v", got)
	}
	for _, name := range []string{"Accept", "Mcp-Session-Id", "Idempotency-Key"} {
		if !strings.Contains(log.String(), "header="+name) {
			t.Errorf("the log says nothing of %s:\n%s", name, &log)
		}
	}
}

// Each way of asking has the configured headers; what the request says itself, such
// as a fresh token, stands.
func TestConfiguredHeaders(t *testing.T) {
	t.Parallel()
	got := make(chan string, 1)
	server := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		got <- r.Method + " " + r.Header.Get("Authorization") + " " + r.Header.Get("X-Key")
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
	r := newRemote(t, server.URL, func(o *Options) {
		o.Header = http.Header{"authorization": {"Bearer configured"}, "X-Key": {"k"}}
	})
	for _, client := range []*http.Client{r.Client(), r.SSEClient()} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			for token, want := range map[string]string{"": "Bearer configured", "Bearer fresh": "Bearer fresh"} {
				req := newPost(t, server.URL, call)
				req.Method = method
				if token != "" {
					req.Header.Set("Authorization", token)
				}
				response, err := client.Do(req)
				if err == nil {
					response.Body.Close()
				}
				if asked := <-got; asked != method+" "+want+" k" {
					t.Errorf("the server got %q, want %s", asked, want)
				}
				if _, still := req.Header["X-Key"]; still {
					t.Error("the caller's request was changed")
				}
			}
		}
	}
}

// A name that leads to a private address needs permission; an address does not.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	server := newServer(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusAccepted) })
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	for _, host := range []string{"127.0.0.1", "localhost", "LOCALHOST"} {
		r := newRemote(t, "http://"+host+":"+port, nil)
		response, err := r.Client().Do(newPost(t, r.url.String(), "{}"))
		if err != nil {
			t.Errorf("%s: %v", host, err)
			continue
		}
		response.Body.Close()
	}
	name, _ := os.Hostname()
	if addresses, err := net.LookupHost(name); err != nil || net.ParseIP(addresses[0]) == nil || !net.ParseIP(addresses[0]).IsPrivate() && !net.ParseIP(addresses[0]).IsLoopback() {
		t.Skipf("the name %q of this machine does not lead to a private address", name)
	}
	for _, allow := range []bool{false, true} {
		r := newRemote(t, "http://"+name+":1", func(o *Options) { o.AllowPrivate = allow })
		_, err := r.Client().Do(newPost(t, r.url.String(), call))
		var refusal *netpolicy.Refusal
		var failure *RequestError
		if errors.As(err, &refusal) == allow || !errors.As(err, &failure) || !failure.NotRun {
			t.Errorf("allowed %v: got error %v", allow, err)
		}
	}
}

func TestNothingIsSentAfterClose(t *testing.T) {
	t.Parallel()
	server := newServer(t, func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") })
	r := newRemote(t, server.URL, nil)
	r.Close()
	for _, client := range []*http.Client{r.Client(), r.SSEClient(), r.AuthClient()} {
		if _, err := client.Do(newPost(t, server.URL, call)); !errors.Is(err, errClosed) {
			t.Errorf("got error %v", err)
		}
	}
}
