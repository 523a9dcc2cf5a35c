package mcp_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"helve/mcp"
	"helve/mcp/internal/badserver"
)

// What became of a call when the answer was lost nobody knows. So it is called again
// only if the configuration says that this does no harm.
func TestCalledAgainOnlyIfIdempotent(t *testing.T) {
	t.Parallel()
	for name, start := range overs {
		for _, idempotent := range []bool{false, true} {
			t.Run(name+", idempotent "+strconv.FormatBool(idempotent), func(t *testing.T) {
				t.Parallel()
				s := start(t, "")
				ran := 1
				if idempotent {
					s.config.Idempotent, ran = []string{"die_*"}, 2
				}
				s.open()
				result, err := s.call(within(t), "die_once", map[string]any{"file": filepath.Join(t.TempDir(), "died")})
				switch {
				case idempotent && err != nil:
					t.Error(whole(err))
				case idempotent && result.Text() != "alive the second time":
					t.Errorf("%q", result.Text())
				case !idempotent && err == nil:
					t.Errorf("no error but %q", result.Text())
				}
				s.works()
				s.close() // then the record is complete
				if n := s.record.Count("ran die_once"); n != ran {
					t.Errorf("it ran %d times, not %d", n, ran)
				}
			})
		}
	}
}

// An idempotent call that always kills its server is not made for ever.
func TestCalledAgainOnce(t *testing.T) {
	t.Parallel()
	s := overStdio(t, "")
	s.config.Idempotent = []string{"*"}
	s.open()
	if _, err := s.call(within(t), "die", nil); err == nil {
		t.Error("no error")
	}
	s.works()
	s.close()
	if n := s.record.Count("ran die"); n != 2 {
		t.Errorf("it ran %d times", n)
	}
}

// A lost session did not run the call: it is made once more, whatever the tool.
func TestLostSessionIsMadeAgain(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"session-lost=1", "session-lost=1+json"} {
		s := overHTTP(t, fault)
		s.open()
		for i := range 4 {
			result, err := s.call(within(t), "counter", nil)
			if err != nil {
				t.Fatalf("call %d: %s", i, whole(err))
			}
			if got := result.Text(); got != strconv.Itoa(i+1) {
				t.Errorf("call %d: %s", i, got)
			}
		}
		if n := s.record.Count("ran counter"); n != 4 {
			t.Errorf("it ran %d times", n)
		}
		if g := s.client.Status().Generation; g != 4 {
			t.Errorf("connected %d times, and not 4", g)
		}
	}
}

// A connection that was kept alive and is not: the call that finds out may fail, but
// none runs twice.
func TestStaleConnection(t *testing.T) {
	t.Parallel()
	s := overHTTP(t, "stale")
	s.open()
	answered := 0
	for range 6 {
		if _, err := s.call(within(t), "counter", nil); err == nil {
			answered++
		}
	}
	if n := s.record.Count("ran counter"); n > 6 || n < answered || answered == 0 {
		t.Errorf("6 calls, %d answers, and it ran %d times", answered, n)
	}
}

// The program ends between two calls: it is started again, and the second one works.
func TestProgramDiesBetweenCalls(t *testing.T) {
	t.Parallel()
	s := overStdio(t, "")
	listed := make(chan struct{}, 10)
	s.options.Listed = func(mcp.Listing) { listed <- struct{}{} }
	s.open()
	s.works()
	<-listed
	killed := kill(t, s.record)
	select { // it is started again, without a call
	case <-listed:
	case <-within(t).Done():
		t.Fatal("it was not started again")
	}
	s.works()
	if status := s.client.Status(); status.Generation < 2 {
		t.Errorf("pid %d was killed: %+v", killed, status)
	}
	if err := s.record.Await(within(t), "ran echo", 2); err != nil {
		t.Error(err)
	}
}

// kill kills the first program of the record.
func kill(t *testing.T, record *badserver.Record) (pid int) {
	t.Helper()
	first, err := record.First(within(t), "pid ")
	if err != nil {
		t.Fatal(err)
	}
	if pid, err = strconv.Atoi(first); err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(pid)
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// The web server is another one between two calls, at the same address, and knows no
// session of the first.
func TestWebServerRestartsBetweenCalls(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"", "json", "discover", "legacy-sse", "rest"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			s := overHTTP(t, fault)
			s.open()
			s.works()
			address := s.web.Listener.Addr().String()
			s.over.Close()
			s.web.CloseClientConnections()
			s.web.Close()

			s.over = badserver.Handler(fault, s.record)
			l, err := net.Listen("tcp", address)
			if err != nil {
				t.Skip("somebody else has the address: ", err)
			}
			s.web = &httptest.Server{Listener: l, Config: &http.Server{Handler: s.over}}
			s.web.Start()
			s.works()
			if n := s.record.Count("ran echo"); n != 2 {
				t.Errorf("echo ran %d times", n)
			}
		})
	}
}

// A server that was never reached is tried again by the next who needs it.
func TestServerComesUpLater(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	s := newServer(t)
	s.config.URL = "http://" + address
	s.open()
	if _, err := s.tools(); err == nil {
		t.Fatal("nobody is there, and it has tools")
	}
	if l, err = net.Listen("tcp", address); err != nil {
		t.Skip("somebody else has the address: ", err)
	}
	s.over = badserver.Handler("", s.record)
	s.web = &httptest.Server{Listener: l, Config: &http.Server{Handler: s.over}}
	s.web.Start()
	t.Cleanup(func() {
		s.close()
		s.over.Close()
		s.web.CloseClientConnections()
		s.web.Close()
	})
	s.works()
}

// Many who need a server at once start it once.
func TestOneConnectionForAll(t *testing.T) {
	t.Parallel()
	s := overStdio(t, "")
	s.config.Protocol = "2025-11-25" // no program is started to try another
	s.open()
	done := make(chan struct{})
	for range 20 {
		go func() {
			s.works()
			done <- struct{}{}
		}()
	}
	for range 20 {
		<-done
	}
	s.close()
	pids := 0
	for _, e := range s.record.Events() {
		if len(e) > 4 && e[:4] == "pid " {
			pids++
		}
	}
	if pids != 1 {
		t.Errorf("%d programs were started", pids)
	}
}
