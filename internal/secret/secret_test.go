package secret

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

func TestHide(t *testing.T) {
	t.Parallel()
	const key = `se/cret "<é😀`
	asJSON, _ := json.Marshal(key)
	for _, form := range []string{key, string(asJSON), url.QueryEscape(key), url.PathEscape(key), strings.ToLower(url.QueryEscape(key))} {
		if got := string(Hide([]byte("a "+form+" b"), []string{key})); strings.ReplaceAll(got, `"`, "") != "a [secret] b" {
			t.Errorf("%s became %s", form, got)
		}
	}
	if got := string(Hide([]byte("a short one"), []string{"short"})); got != "a short one" {
		t.Errorf("got %s", got)
	}
}
