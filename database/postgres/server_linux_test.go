package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// password is that of the user "locked"; all others need none.
const password = "s3cret/@:%?#"

// private is a server of the test's own. It starts with the first test that
// needs one.
var private server

type server struct {
	once    sync.Once
	dir     string // of its socket and its data
	err     error  // why there is none
	process *os.Process
	ended   chan struct{}
	schemas atomic.Int64
}

// emptyURL returns an address at which there are no tables yet.
func emptyURL(t testing.TB) string {
	t.Helper()
	needServer(t)
	schema := fmt.Sprintf("test_%d", private.schemas.Add(1))
	execute(t, address("search_path", "public"), "CREATE SCHEMA "+schema)
	return address("search_path", schema)
}

// needServer skips the test where PostgreSQL is not installed. A test that waits
// in a bubble of synctest calls it before.
func needServer(t testing.TB) {
	t.Helper()
	private.once.Do(func() { private.err = private.start() })
	if errors.Is(private.err, exec.ErrNotFound) {
		t.Skip("PostgreSQL is not installed (Debian: apt-get install postgresql): ", private.err)
	}
	if private.err != nil {
		t.Fatal(private.err)
	}
}

// address names the private server, with query parameters as pairs.
func address(query ...string) string {
	q := url.Values{"host": {private.dir}}
	for i := 0; i < len(query); i += 2 {
		q.Set(query[i], query[i+1])
	}
	return "postgres://helve@/postgres?" + q.Encode()
}

// execute goes past the package, to the server.
func execute(t testing.TB, address, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// start makes a cluster in a folder of its own and serves it at a socket there.
// Nothing listens on the network. What is written need not last, so nothing is
// synced to the disk.
func (s *server) start() error {
	initdb, err := program("initdb")
	if err != nil {
		return err
	}
	postgres, err := program("postgres")
	if err != nil {
		return err
	}
	if s.dir, err = os.MkdirTemp("", "helve-pg-"); err != nil { // a socket's path must be short
		return err
	}
	user := serverUser()
	if user != nil {
		if err := os.Chown(s.dir, int(user.Uid), int(user.Gid)); err != nil {
			return err
		}
	}
	data := filepath.Join(s.dir, "data")
	// A locale that does not sort by bytes, since servers have such.
	cmd := exec.Command(initdb, "-D", data, "-U", "helve", "-E", "UTF8", "--locale=C", "--auth=trust",
		"--locale-provider=icu", "--icu-locale=en-US", "--no-sync", "--no-instructions")
	cmd.Dir, cmd.SysProcAttr = s.dir, &syscall.SysProcAttr{Credential: user}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	access := "local all locked scram-sha-256\nlocal all all trust\n"
	if err := os.WriteFile(filepath.Join(data, "pg_hba.conf"), []byte(access), 0o600); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd = exec.Command(postgres, "-D", data, "-k", s.dir, "-c", "listen_addresses=", "-c", "fsync=off",
		"-c", "full_page_writes=off", "-c", "shared_buffers=16MB", "-c", "autovacuum=off")
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, log, log
	// If the tests are killed, the kernel stops the server.
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user, Pdeathsig: syscall.SIGQUIT}
	if err := s.serve(cmd); err != nil {
		return err
	}
	return s.awaitReady()
}

// serve starts the server and waits for its end on one thread, since Pdeathsig
// goes by the thread.
func (s *server) serve(cmd *exec.Cmd) error {
	started := make(chan error)
	s.ended = make(chan struct{})
	go func() {
		defer close(s.ended)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	err := <-started
	s.process = cmd.Process
	return err
}

// awaitReady asks until the server answers.
func (s *server) awaitReady() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	retry := time.NewTicker(20 * time.Millisecond)
	defer retry.Stop()
	for {
		conn, err := pgx.Connect(ctx, address())
		if err == nil {
			_, err = conn.Exec(ctx, "CREATE ROLE locked LOGIN PASSWORD '"+password+"'")
			return errors.Join(err, conn.Close(ctx))
		}
		select {
		case <-retry.C:
		case <-s.ended:
			log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("the server ended: %s", log)
		case <-ctx.Done():
			return err
		}
	}
}

// stop ends the server, if it runs, and removes all that it wrote.
func (s *server) stop() {
	if s.process != nil {
		_ = s.process.Signal(syscall.SIGQUIT) // at once: there is nothing to keep
		<-s.ended
	}
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}

// program finds a program of PostgreSQL, which Debian keeps out of the PATH.
func program(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil {
		return path, nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) == 0 {
		return "", err
	}
	return found[len(found)-1], nil
}

// serverUser is who the server runs as: it refuses to run as root.
func serverUser() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.Credential{Uid: 65534, Gid: 65534} // nobody
}

func has(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }
