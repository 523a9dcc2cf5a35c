package oauth_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"helve/mcp/internal/oauth"
)

// files are those of a store that hold a login.
func files(t *testing.T, s *oauth.Store) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.Dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestALoginIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("mode bits say nothing on Windows")
	}
	w, store := start(t), newStore(t)
	logIn(t, newHandler(t, w, store, browser(t)))
	login := files(t, store)
	if len(login) != 1 {
		t.Fatalf("the store holds %v", login)
	}
	for path, want := range map[string]os.FileMode{store.Dir: 0o700, login[0]: 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s is %#o, want %#o", path, info.Mode().Perm(), want)
		}
	}
	left, err := os.ReadDir(store.Dir)
	if err != nil || len(left) != 2 { // the login and its lock
		t.Errorf("the store holds %v, %v", left, err)
	}

	if err := os.Chmod(login[0], 0o640); err != nil {
		t.Fatal(err)
	}
	err = call(t, w, newHandler(t, w, store, nil))
	if err == nil || !strings.Contains(err.Error(), "chmod 600 "+login[0]) {
		t.Errorf("a file that others can read: got error %v", err)
	}
	if err := os.Chmod(login[0], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(store.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = newHandler(t, w, store, browser(t)).LogIn(t.Context())
	if err == nil || !strings.Contains(err.Error(), "chmod 700 "+store.Dir) {
		t.Errorf("a folder that others can list: got error %v", err)
	}
}

func TestAFileThatIsNoLogin(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	logIn(t, newHandler(t, w, store, browser(t)))
	name := files(t, store)[0]
	for _, content := range []string{"", "{", `{"url": "https://example.com/mcp", "access_token": "t0ken"}`, `["t0ken"]`, strings.Repeat(" ", 1<<20+1)} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		err := call(t, w, newHandler(t, w, store, nil))
		if err == nil || !strings.Contains(err.Error(), "delete it and log in again") || strings.Contains(err.Error(), "t0ken") {
			t.Errorf("%.40q: got error %v", content, err)
		}
	}
	if was, _ := newHandler(t, w, store, nil).LogOut(t.Context()); !was || len(files(t, store)) != 0 {
		t.Error("a file that can't be read is not deleted")
	}
}

// TestManyProcessesRefreshAtOnce starts this test's program some times. The server ends
// a login whose refresh token comes twice.
func TestManyProcessesRefreshAtOnce(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	w.lifetime = 5
	logIn(t, newHandler(t, w, store, browser(t)))
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), "OAUTH_TEST_URL="+w.url(), "OAUTH_TEST_DIR="+store.Dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wait.Wait()
	if n := w.count("stolen"); n != 0 {
		t.Errorf("a refresh token was used again %d times", n)
	}
	if n := w.count("refresh_token"); n != 4*refreshes {
		t.Errorf("refreshed %d times, want %d", n, 4*refreshes)
	}
	mustCall(t, w, newHandler(t, w, store, nil))
}

const refreshes = 5 // of each process

// processMain is what such a process does.
func processMain() bool {
	url := os.Getenv("OAUTH_TEST_URL")
	if url == "" {
		return false
	}
	h, err := oauth.New(oauth.Config{Server: "notes", URL: url}, &oauth.Store{Dir: os.Getenv("OAUTH_TEST_DIR")}, http.DefaultClient, nil)
	for range refreshes {
		if err != nil {
			break
		}
		source, sourceErr := h.TokenSource(context.Background())
		if err = sourceErr; err == nil {
			_, err = source.Token()
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return true
}
