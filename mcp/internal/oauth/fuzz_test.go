package oauth

import (
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
)

// FuzzLoad reads any bytes as a login: what is accepted is saved and read again the
// same, what is not is told without a word of it.
func FuzzLoad(f *testing.F) {
	const url = "https://example.com/mcp"
	f.Add([]byte(`{"url":"https://example.com/mcp","access_token":"t0k3n-t0k3n","expiry":"2026-11-20T00:00:00Z","scopes":["a"],"registered":true}`))
	f.Add([]byte(`{"url":"https://example.com/mcp","expiry":"t0k3n-t0k3n"}`))
	f.Add([]byte(`{"url":"https://example.org/","access_token":"t0k3n-t0k3n"}`))
	f.Add([]byte(`[`))
	store := &Store{Dir: f.TempDir()}
	if err := os.Chmod(store.Dir, 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(store.file(url), data, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := store.load(url)
		if err != nil {
			if strings.Contains(err.Error(), "t0k3n") {
				t.Errorf("the error quotes the file: %v", err)
			}
			return
		}
		if shown := fmt.Sprintf("%v %+v %#v %s", r, r, &r, []record{r}); strings.Contains(shown, "t0k3n") {
			t.Errorf("printed: %s", shown)
		}
		if err := store.save(r); err != nil {
			return // such as a year that JSON can't write
		}
		again, err := store.load(url)
		if err != nil {
			t.Fatal(err)
		}
		if again.Expiry, again.SecretExpiry = r.Expiry, r.SecretExpiry; !reflect.DeepEqual(again.normal(), r.normal()) {
			t.Errorf("saved %#v, loaded %#v", struct{ record }{r}, struct{ record }{again})
		}
	})
}

// normal takes an empty list for none, as the file does.
func (r record) normal() record {
	if len(r.Scopes) == 0 {
		r.Scopes = nil
	}
	if len(r.Wanted) == 0 {
		r.Wanted = nil
	}
	return r
}

// FuzzChallenge reads any header: rights are asked for by a refusal that names them or
// is called so, and by nothing else.
func FuzzChallenge(f *testing.F) {
	f.Add(401, `Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource", scope="a b"`)
	f.Add(403, `Bearer error="insufficient_scope", scope="a"`)
	f.Add(403, `Basic realm="x", Bearer scope=a`)
	f.Add(403, `"`)
	f.Fuzz(func(t *testing.T, status int, header string) {
		c, err := readChallenge(&http.Response{StatusCode: status, Header: http.Header{"Www-Authenticate": {header}}})
		if err != nil {
			return
		}
		if c.moreScopes && (status != http.StatusForbidden || len(c.scopes) == 0 && !strings.Contains(strings.ToLower(header), "insufficient_scope")) {
			t.Errorf("%d %q asks for %v", status, header, c.scopes)
		}
		for _, scope := range c.scopes {
			if strings.TrimSpace(scope) != scope || scope == "" {
				t.Errorf("the scope %q", scope)
			}
		}
	})
}
