package openai_test

import (
	"errors"
	"strings"
	"testing"

	"helve/model/openai"
)

// TestNoPartOfTheKeyIsInAnError has the server repeat the key at every place
// around the one where errors are cut.
func TestNoPartOfTheKeyIsInAnError(t *testing.T) {
	t.Parallel()
	const key = "sk-verysecretkey-0123456789abcdef"
	for _, form := range []string{`{"error":{"message":"%","type":"t","code":"c"}}`, `{"error":{"message":"m","type":"%","code":"%"}}`, `<html>%</html>`, `{"error":"%"}`} {
		for at := 260; at < 310; at++ {
			body := strings.ReplaceAll(form, "%", strings.Repeat("x", at)+key)
			for _, status := range []int{200, 401} {
				_, err := collect(t, serve(t, reply{status: status, header: "Content-Type: text/plain", body: body}, openai.Config{APIKey: key}), hello())
				if err == nil {
					t.Fatalf("%s: no error", body)
				}
				if text := err.Error(); strings.Contains(text, key[:8]) {
					t.Fatalf("key at %d: %s", at, text)
				}
			}
		}
	}
}

func TestTextHasALimit(t *testing.T) {
	t.Parallel()
	piece := `{"choices":[{"index":0,"delta":{"content":"` + strings.Repeat("x", 1<<20) + `"}}]}`
	pieces := make([]string, 17)
	for i := range pieces {
		pieces[i] = piece
	}
	_, err := collect(t, serve(t, reply{body: sse(pieces...)}, openai.Config{}), hello())
	var limit *openai.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("error %.200v", err)
	}
}
