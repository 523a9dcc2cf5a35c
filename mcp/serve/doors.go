package serve

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// doors keeps out what a web page sends without its owner's knowledge: a page of
// another origin, and one whose name leads to this machine (DNS rebinding).
type doors struct {
	origins map[string]bool
	hosts   map[string]bool
	log     *slog.Logger
	logged  rate.Sometimes // not more than a log can bear, whoever knocks
}

func newDoors(h HTTP, log *slog.Logger) (*doors, error) {
	d := &doors{origins: map[string]bool{}, hosts: map[string]bool{}, log: log, logged: rate.Sometimes{First: 10, Interval: time.Minute}}
	for _, o := range h.Origins {
		origin, ok := parseOrigin(o)
		if !ok {
			return nil, fmt.Errorf("mcp: %q is no origin of a web page: write it as https://app.example.com", clip(o))
		}
		d.origins[origin.String()] = true
	}
	for _, name := range h.Hosts {
		host := hostOf(name)
		if host == "" {
			return nil, fmt.Errorf("mcp: %q is no name of a host: write it as mcp.example.com", clip(name))
		}
		d.hosts[host] = true
	}
	for _, t := range h.Tokens {
		if t.Reveal() == "" || strings.ContainsAny(t.Reveal(), " \t\r\n") {
			return nil, errors.New("mcp: a token is empty or holds a space: no client could send it")
		}
	}
	return d, nil
}

func (d *doors) guard(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !d.hostAllowed(r) {
			d.refuse(w, r, fmt.Sprintf("the host %q is not served here; who runs the server can allow its name: --allowed-host NAME of helve mcp, HTTP.Hosts of package serve", clip(r.Host)))
			return
		}
		origins := r.Header.Values("Origin")
		if len(origins) == 0 {
			inner.ServeHTTP(w, r) // no web page
			return
		}
		w.Header().Add("Vary", "Origin")
		if len(origins) > 1 || !d.originAllowed(r, origins[0]) {
			d.refuse(w, r, fmt.Sprintf("web pages of %q may not use this server; who runs it can allow them: --allow-origin ORIGIN of helve mcp, HTTP.Origins of package serve", clip(origins[0])))
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", origins[0])
		w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate")
		if r.Method == http.MethodOptions {
			preflight(w, r)
			return
		}
		inner.ServeHTTP(w, r)
	})
}

// refuse says why to who asked, and to who runs the server and may have to mend it: a
// browser shows its page no more than that it failed.
func (d *doors) refuse(w http.ResponseWriter, r *http.Request, why string) {
	d.logged.Do(func() {
		d.log.LogAttrs(r.Context(), slog.LevelWarn, "mcp: a request was refused", slog.String("from", r.RemoteAddr), slog.String("error", why))
	})
	http.Error(w, why, http.StatusForbidden)
}

// hostAllowed checks by what name the server was reached. Over a loopback address it
// is a name of this machine, or a configured one.
func (d *doors) hostAllowed(r *http.Request) bool {
	host := hostOf(r.Host)
	if d.hosts[host] {
		return true
	}
	if onLoopback(r) {
		return isLoopback(host)
	}
	return len(d.hosts) == 0
}

// originAllowed checks what page asks. One of the server's own origin may, where its
// name is known to be right: a page that brought its own name could claim any.
func (d *doors) originAllowed(r *http.Request, value string) bool {
	origin, ok := parseOrigin(value)
	if !ok {
		return false
	}
	if d.origins[origin.String()] {
		return true
	}
	own := withPort(strings.ToLower(r.Host), origin.scheme) == withPort(origin.host, origin.scheme)
	return own && (onLoopback(r) || d.hosts[hostOf(r.Host)])
}

// preflight answers a browser that asks what a page may send.
func preflight(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Access-Control-Request-Headers")
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	w.Header().Set("Access-Control-Max-Age", "600")
	allowed := slices.Clone(requestHeaders)
	for _, list := range r.Header.Values("Access-Control-Request-Headers") {
		for name := range strings.SplitSeq(list, ",") {
			name = strings.ToLower(strings.TrimSpace(name))
			if strings.HasPrefix(name, "mcp-param-") && isToken(name) {
				allowed = append(allowed, name)
			}
		}
	}
	w.Header().Set("Access-Control-Allow-Headers", strings.Join(allowed, ", "))
	w.WriteHeader(http.StatusNoContent)
}

var requestHeaders = []string{"accept", "authorization", "content-type", "last-event-id", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id"}

func isToken(name string) bool {
	return !strings.ContainsFunc(name, func(c rune) bool {
		return c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9')
	})
}

// origin is where a web page comes from.
type origin struct{ scheme, host string } // in lower case; host with its port, if it has one

func (o origin) String() string { return o.scheme + "://" + withPort(o.host, o.scheme) }

// parseOrigin reads the value of an Origin header. A page that hides where it comes
// from sends null, which is no origin.
func parseOrigin(value string) (origin, bool) {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.Opaque != "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.ForceQuery || strings.Contains(value, "#") {
		return origin{}, false
	}
	o := origin{strings.ToLower(u.Scheme), strings.ToLower(u.Host)}
	return o, (o.scheme == "http" || o.scheme == "https") && hostOf(o.host) != ""
}

func withPort(host, scheme string) string {
	if u := (&url.URL{Host: host}); u.Port() == "" {
		return strings.TrimSuffix(host, ":") + map[string]string{"http": ":80", "https": ":443"}[scheme]
	}
	return host
}

// hostOf is a host without its port and brackets, in lower case.
func hostOf(host string) string {
	return strings.ToLower((&url.URL{Host: host}).Hostname())
}

// onLoopback reports that r came over an address of this machine.
func onLoopback(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && local != nil && isLoopback(hostOf(local.String()))
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
