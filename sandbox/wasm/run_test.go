package wasm

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/sandbox"
)

func TestAGuestFindsWhatItIsGiven(t *testing.T) {
	t.Parallel()
	r := try(t, sandbox.Spec{Env: map[string]string{"MODE": "fast"}}, "args", "one", "")
	want := `["guest.wasm" "args" "one" ""]
HOME=/work
LANG=C.UTF-8
MODE=fast
PWD=/work
TMPDIR=/tmp
/work <nil>
`
	if diff := cmp.Diff(want, string(r.Stdout)); diff != "" || r.ExitCode != 0 {
		t.Errorf("%d %s", r.ExitCode, diff)
	}
}

func TestWhatAGuestSays(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter2"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		spec   sandbox.Spec
		args   []string
		exit   int
		reason sandbox.Reason
		out    string // that it prints, exactly
		err    string // that is in its standard error
	}{
		"standard input": {spec: sandbox.Spec{Stdin: []byte("héllo\x00")}, args: []string{"echo"}, out: "héllo\x00"},
		"an exit code":   {args: []string{"exit", "7"}, exit: 7},
		"a panic":        {args: []string{"panic"}, exit: 2, err: "panic: as told"},
		"reading outside": {args: []string{"read", secret, "/etc/passwd", "../../etc/passwd", "/proc/self/environ"}, out: secret + `: "" open ` + secret + ": No such file or directory\n" + `/etc/passwd: "" open /etc/passwd: No such file or directory
../../etc/passwd: "" open ../../etc/passwd: No such file or directory
/proc/self/environ: "" open /proc/self/environ: No such file or directory
`},
		"a symbolic link out": {args: []string{"symlink", "../../../../../../../.." + secret}, out: `symlink ../../../../../../../..` + secret + ` /work/link: Operation not permitted
link /work/guest /work/hard: Operation not permitted
"" open /work/link: No such file or directory
`},
		"a full work":        {spec: sandbox.Spec{Limits: sandbox.Limits{Work: 3<<20 + 5}}, args: []string{"fill", "all"}, out: "3145733 write all: No space left on device\n"},
		"a full tmp":         {spec: sandbox.Spec{Limits: sandbox.Limits{Temp: 2 << 20}}, args: []string{"fill", "/tmp/all"}, out: "2097152 write /tmp/all: No space left on device\n"},
		"a large file":       {spec: sandbox.Spec{Limits: sandbox.Limits{FileSize: 2 << 20}}, args: []string{"fill", "all"}, out: "2097152 write all: File too large\n"},
		"a flood of files":   {args: []string{"inodes", "/tmp"}, out: "4096 mkdir /tmp/4096: No space left on device\n"},
		"many descriptors":   {args: []string{"files"}, out: "252 open /tmp/one: Too many open files\nagain <nil>\n"},
		"files that are off": {spec: sandbox.Spec{Limits: sandbox.Limits{Temp: 4 << 20}}, args: []string{"unlink"}, out: "4 write /tmp/gone: No space left on device\n<nil>\n"},
		"the root":           {args: []string{"write", "/work/tmp/x", "1"}, out: ""},
		"another device":     {spec: files("a", "1"), args: []string{"move", "a", "/tmp/a"}, out: "rename a /tmp/a: Cross-device link\n"},
		"the root's own":     {args: []string{"remove", "/tmp"}, out: "remove /tmp: Read-only file system\n"},
		"times":              {spec: files("a", "12"), args: []string{"chtimes", "a"}, out: "2 2 -rw-------\n"},
		"a long sleep":       {spec: limited(50 * time.Millisecond), args: []string{"sleep", "1h"}, exit: -1, reason: sandbox.Timeout},
		"a spin":             {spec: limited(50 * time.Millisecond), args: []string{"spin"}, exit: -1, reason: sandbox.Timeout},
		"memory":             {spec: sandbox.Spec{Limits: sandbox.Limits{Memory: 48 << 20}}, args: []string{"memory"}, exit: 2, reason: sandbox.Memory, err: "out of memory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := try(t, test.spec, test.args...)
			if r.ExitCode != test.exit || r.Reason != test.reason {
				t.Errorf("exit code %d, reason %q; want %d, %q\n%s", r.ExitCode, r.Reason, test.exit, test.reason, r.Stderr)
			}
			if diff := cmp.Diff(test.out, string(r.Stdout)); diff != "" {
				t.Error(diff)
			}
			if !strings.Contains(string(r.Stderr), test.err) {
				t.Errorf("standard error is %q", r.Stderr)
			}
		})
	}
}

func files(pairs ...string) (s sandbox.Spec) {
	for i := 0; i < len(pairs); i += 2 {
		s.Files = append(s.Files, sandbox.File{Name: pairs[i], Data: []byte(pairs[i+1])})
	}
	return s
}

func limited(d time.Duration) sandbox.Spec { return sandbox.Spec{Limits: sandbox.Limits{Time: d}} }

func TestAFloodIsCutAndStopped(t *testing.T) {
	t.Parallel()
	r := try(t, sandbox.Spec{Limits: sandbox.Limits{Output: 1000, OutputTotal: 1 << 20}}, "flood")
	if r.Reason != sandbox.Output || r.ExitCode != -1 || !r.Truncated || len(r.Stdout) != 1000 || len(r.Stderr) != 1000 {
		t.Errorf("%q %d %v %d %d", r.Reason, r.ExitCode, r.Truncated, len(r.Stdout), len(r.Stderr))
	}
}

func TestTheContextStopsAGuest(t *testing.T) {
	t.Parallel()
	spec := files("guest.wasm", string(guest))
	spec.Args = []string{"/work/guest.wasm", "spin"}
	var ctx context.Context
	var r *sandbox.Result
	err := context.Canceled
	for wait := 20 * time.Millisecond; errors.Is(err, context.Canceled); wait *= 2 { // before it ran
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(t.Context())
		defer time.AfterFunc(wait, cancel).Stop()
		r, err = box.Run(ctx, spec)
	}
	if err != nil || r.Reason != sandbox.Canceled || r.ExitCode != -1 {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := box.Run(ctx, spec); err != context.Canceled {
		t.Errorf("with a context that ended: %v", err)
	}
}

func TestTheFilesThatAreNewOrChanged(t *testing.T) {
	t.Parallel()
	spec := files("same", "1", "in/changed", "1", "in/appended", "1")
	original := spec.Files[1].Data
	r := try(t, spec, "write", "in/changed", "22", "in/deep/new", "333", "/new", "4444", "/tmp/lost", "1")
	want := map[string]string{"in/changed": "22", "in/deep/new": "333", "new": "4444"}
	if diff := cmp.Diff(want, read(t, r.Files)); diff != "" {
		t.Error(diff)
	}
	if string(original) != "1" {
		t.Errorf("the caller's data is %q", original)
	}
	r = try(t, spec, "append", "in/appended", "2")
	if diff := cmp.Diff(map[string]string{"in/appended": "12"}, read(t, r.Files)); diff != "" {
		t.Error(diff)
	}
	r = try(t, spec, "move", "same", "other")
	if diff := cmp.Diff(map[string]string{"other": "1"}, read(t, r.Files)); diff != "" {
		t.Error(diff)
	}
	r = try(t, sandbox.Spec{Limits: sandbox.Limits{Files: 2, FileBytes: 5}}, "write", "a", "1234", "b", "12", "c", "1", "d", "1")
	if diff := cmp.Diff(map[string]string{"a": "1234", "c": "1"}, read(t, r.Files)); diff != "" || len(r.Left) != 2 {
		t.Errorf("%s %q", diff, r.Left)
	}
}

func read(t *testing.T, files fs.FS) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		got[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestNoServerIsReached(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	reached := make(chan struct{})
	go func() {
		if c, err := listener.Accept(); err == nil {
			c.Close()
			close(reached)
		}
	}()
	try(t, limited(2*time.Second), "dial", listener.Addr().String())
	listener.Close()
	select {
	case <-reached:
		t.Error("the guest reached a server of this machine")
	default:
	}
}

func TestTheClocksAreCoarse(t *testing.T) {
	t.Parallel()
	r := try(t, sandbox.Spec{}, "clock")
	lines := strings.Split(string(r.Stdout), "\n")
	if !strings.HasSuffix(lines[0], "000000") || lines[1] != "true 0s" {
		t.Errorf("%q", lines)
	}
	if at := strings.TrimSuffix(lines[0], "000000"); len(at) != 13 || at < "1700000000000" {
		t.Errorf("the time is %s", at)
	}
}

func TestRandomNumbersAreRandom(t *testing.T) {
	t.Parallel()
	a, b := try(t, sandbox.Spec{}, "random"), try(t, sandbox.Spec{}, "random")
	if len(a.Stdout) != 33 || bytes.Equal(a.Stdout, b.Stdout) {
		t.Errorf("%q %q", a.Stdout, b.Stdout)
	}
}

func TestEightAtATime(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 2 {
				if r := try(t, files("in", "x"), "write", "out", "y"); r.ExitCode != 0 || len(read(t, r.Files)) != 1 {
					t.Errorf("%+v %s", r, r.Stdout)
				}
			}
		})
	}
	all.Wait()
}

func TestARunLeavesARecord(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	r, err := New(t.Context(), Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	spec := files("exit.wasm", string(exits(3)))
	spec.Args = []string{"exit.wasm", "--loud"}
	if _, err := r.Run(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(t.Context(), spec); err == nil {
		t.Error("a closed runtime runs")
	}
	for _, want := range []string{`msg="sandbox run"`, "level=wasm", "digest=", "program=exit.wasm", "args=--loud", "exit_code=3", "took="} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not in the record: %s", want, log.String())
		}
	}
}

func TestCloseStopsWhatRuns(t *testing.T) {
	t.Parallel()
	r, err := New(t.Context(), Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	spec := files("spin.wasm", string(spins))
	spec.Args = []string{"spin.wasm"}
	spec.Limits.Time = time.Millisecond // and it is compiled
	if result, err := r.Run(t.Context(), spec); err != nil || result.Reason != sandbox.Timeout {
		t.Fatalf("%+v %v", result, err)
	}
	spec.Limits.Time = time.Hour
	done := make(chan *sandbox.Result)
	go func() {
		result, _ := r.Run(context.Background(), spec)
		done <- result
	}()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if result := <-done; result != nil && result.Reason != sandbox.Canceled {
		t.Errorf("%+v", result)
	}
}
