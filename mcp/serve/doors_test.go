package serve

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestRefusalsAreLogged refuses a name and a page, and then a thousand more.
func TestRefusalsAreLogged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		s := New(Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		defer s.Close()
		handler, err := s.Handler(HTTP{Hosts: []string{"mcp.example.com"}})
		if err != nil {
			t.Fatal(err)
		}
		refused := func(host, origin string) {
			t.Helper()
			r := httptest.NewRequest("POST", "http://"+host+"/", nil)
			if origin != "" {
				r.Header.Set("Origin", origin)
			}
			w := httptest.NewRecorder()
			if handler.ServeHTTP(w, r); w.Code != http.StatusForbidden {
				t.Errorf("%d", w.Code)
			}
		}
		refused("evil.example.com", "")
		refused("mcp.example.com", "https://page.example.com\nlevel=ERROR")
		for _, want := range []string{"level=WARN", "evil.example.com", "--allowed-host", "page.example.com", "--allow-origin", "192.0.2.1"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("no %s in the log: %s", want, log.String())
			}
		}
		for range 1000 {
			refused("evil.example.com", "")
		}
		if lines := strings.Count(log.String(), "\n"); lines != 10 {
			t.Errorf("%d lines", lines)
		}
		time.Sleep(time.Minute)
		refused("evil.example.com", "")
		if lines := strings.Count(log.String(), "\n"); lines != 11 {
			t.Errorf("%d lines a minute later", lines)
		}
	})
}

// FuzzOrigin lets no page in but those of the one origin that is allowed.
func FuzzOrigin(f *testing.F) {
	for _, seed := range []string{"https://app.example.com", "https://APP.example.com:443", "https://app.example.com.evil.com", "https://app.example.com@evil.com", "null", "https://app.example.com/", "https://app.example.com#", "https://app.example.com:"} {
		f.Add(seed, "mcp.example.com")
	}
	d, err := newDoors(HTTP{Origins: []string{"https://app.example.com"}, Hosts: []string{"mcp.example.com"}}, slog.New(slog.DiscardHandler))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, value, host string) {
		r := &http.Request{Host: host, Header: http.Header{"Origin": {value}}}
		if !d.originAllowed(r, value) {
			return
		}
		lower := strings.ToLower(value)
		own := strings.HasPrefix(lower, "http://mcp.example.com") || strings.HasPrefix(lower, "https://mcp.example.com")
		if !own && strings.TrimSuffix(strings.TrimSuffix(lower, "443"), ":") != "https://app.example.com" {
			t.Errorf("%q at %q may use the server", value, host)
		}
		if o, ok := parseOrigin(value); !ok || o.String() != strings.ToLower(o.String()) {
			t.Errorf("%q is allowed and no origin", value)
		}
	})
}

// FuzzToken lets in nobody but with a token, as it is.
func FuzzToken(f *testing.F) {
	f.Add("Bearer right")
	f.Add("bearer  right")
	f.Add("Bearer right right")
	f.Add("Basic right")
	known := newTokens([]Secret{"right", "other"})
	f.Fuzz(func(t *testing.T, value string) {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set("Authorization", value)
		who, ok := known.owner(bearer(r))
		fields := strings.Fields(value)
		if right := len(fields) == 2 && strings.EqualFold(fields[0], "bearer") && (fields[1] == "right" || fields[1] == "other"); ok != right {
			t.Errorf("%q: %v", value, ok)
		}
		if strings.Contains(who, "right") || ok == (who == "") {
			t.Errorf("%q is %q", value, who)
		}
	})
}
