package remote

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"helve/netpolicy"
)

func TestAuthClient(t *testing.T) {
	t.Parallel()
	var server string
	there := newServer(t, func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("X-Key") != "" {
			t.Error("the configured header went along")
		}
		switch req.URL.Path {
		case "/large":
			io.WriteString(w, strings.Repeat("x", maxAuthBody+1))
		case "/fits":
			io.WriteString(w, strings.Repeat("x", maxAuthBody))
		case "/away":
			http.Redirect(w, req, strings.Replace(server, "127.0.0.1", "127.0.0.2", 1), http.StatusFound)
		}
	})
	server = there.URL
	get := func(from, address string) (string, error) {
		r := newRemote(t, from, func(o *Options) { o.Header = http.Header{"X-Key": {"k"}} })
		response, err := r.AuthClient().Get(address)
		if err != nil {
			return "", err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		return string(body), err
	}
	local := strings.Replace(server, "127.0.0.1", "localhost", 1)
	if body, err := get(local, server+"/fits"); err != nil || len(body) != maxAuthBody {
		t.Errorf("this machine by another name: got %d bytes, %v", len(body), err)
	}
	if _, err := get(server, server+"/large"); err == nil || !strings.Contains(err.Error(), "more than 1048576 bytes") {
		t.Errorf("large: got error %v", err)
	}
	for from, address := range map[string]string{
		"https://example.com/mcp": server,
		"http://10.1.2.3/mcp":     server,
		"http://127.0.0.1/mcp":    "http://169.254.169.254/latest/meta-data/",
		"http://localhost/mcp":    "http://user:pass@localhost/",
	} {
		var refusal *netpolicy.Refusal
		if _, err := get(from, address); !errors.As(err, &refusal) {
			t.Errorf("from %s to %s: got error %v", from, address, err)
		}
	}
}

// A 403 is about who asks only if somebody in particular did.
func TestForbidden(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		e    StatusError
		want bool
	}{
		{StatusError{Status: 401}, true},
		{StatusError{Status: 403}, false},
		{StatusError{Status: 403, Scheme: "bearer"}, true},
		{StatusError{Status: 403, Forbidden: true}, true},
		{StatusError{Status: 404, Forbidden: true}, false},
	} {
		if got := test.e.NeedsAuth(); got != test.want {
			t.Errorf("%+v: got %v", test.e, got)
		}
	}
}
