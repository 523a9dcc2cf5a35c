package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// notes serves its own description, with a server that is named by a path alone, and
// what it describes.
func notes(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("key") != "secret" {
			http.Redirect(w, r, "http://example.com/openapi.json", http.StatusFound)
			return
		}
		fmt.Fprint(w, `{"openapi":"3.0.3","info":{"title":"Notes","version":"1"},"servers":[{"url":"../v1"}],
			"paths":{"/notes/{id}":{"get":{"operationId":"getNote","responses":{"200":{"description":"It."}},"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}]}}}}`)
	})
	mux.HandleFunc("GET /v1/notes/{id}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "note %s", r.PathValue("id")) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestImportFromAURL(t *testing.T) {
	t.Parallel()
	url := notes(t)
	dir := t.TempDir()
	helve := func(args ...string) (code int, out, errs string) {
		var stdout, stderr bytes.Buffer
		code = execute(args, stdio{strings.NewReader(""), &stdout, &stderr})
		return code, stdout.String(), stderr.String()
	}
	code, out, errs := helve("tools", "import", "openapi", url+"/api/openapi.json?key=secret", "--workspace", dir)
	if file := filepath.Join(dir, "tools", "native", "getNote.yaml"); code != exitOK || out != "getNote  GET /notes/{id}  "+file+"\n" || errs != "" {
		t.Errorf("exited %d, %q, %q", code, out, errs)
	}
	code, out, errs = helve("tools", "call", "getNote", "id=7", "--workspace", dir, "--allow-private", "--json")
	var result struct{ Content string }
	if err := json.Unmarshal([]byte(out), &result); code != exitOK || err != nil || result.Content != "note 7" {
		t.Errorf("exited %d, %q, %q", code, out, errs)
	}
	// The workspace does not allow addresses of this machine by itself.
	code, _, errs = helve("tools", "call", "getNote", "id=7", "--workspace", dir)
	if code != exitTool || !strings.Contains(errs, "is not on the public internet") {
		t.Errorf("exited %d, %q", code, errs)
	}
	// A redirect stays at its server.
	code, _, errs = helve("tools", "import", "openapi", url+"/api/openapi.json", "--workspace", dir, "--force")
	if code != exitUnreachable || !strings.Contains(errs, `the host "example.com" is not allowed`) {
		t.Errorf("exited %d, %q", code, errs)
	}
}
