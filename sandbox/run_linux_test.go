package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

func sh(script string) []string { return []string{"sh", "-c", script} }

func TestRun(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{Log: silent})
	for _, test := range []struct {
		name           string
		spec           Spec
		exit           int
		signal         string
		stdout, stderr string
		files          map[string]string
	}{
		{"output", Spec{Args: sh("echo out; echo err >&2; exit 3")}, 3, "", "out\n", "err\n", nil},
		{"arguments as they are", Spec{Args: []string{"printf", "%s|", "a b", "$HOME", "*", "", "ü"}}, 0, "", "a b|$HOME|*||ü|", "", nil},
		{"standard input", Spec{Args: []string{"cat"}, Stdin: []byte("in\x00put")}, 0, "", "in\x00put", "", nil},
		{"no standard input", Spec{Args: []string{"cat"}}, 0, "", "", "", nil},
		{"input that nobody reads", Spec{Args: []string{"true"}, Stdin: make([]byte, 1<<20)}, 0, "", "", "", nil},
		{"a signal", Spec{Args: sh("kill -TERM $$")}, -1, "SIGTERM", "", "", nil},
		{"the environment", Spec{Args: sh("echo $HOME $TMPDIR $LANG $GREETING; env | wc -l"), Env: map[string]string{"GREETING": "hello"}}, 0, "", "/work /tmp C.UTF-8 hello\n8\n", "", nil},
		{"who and where", Spec{Args: sh("id -un; hostname; pwd; umask")}, 0, "", "sandbox\nsandbox\n/work\n0022\n", "", nil},
		{"files", Spec{Args: sh("./bin/run; cat data/x; ls -A"), Files: []File{
			{"bin/run", 0o755, []byte("#!/bin/sh\necho ran $PWD\n")}, {"data/x", 0, []byte("x\n")},
		}}, 0, "", "ran /work\nx\nbin\ndata\n", "", nil},
		{"files it made", Spec{Args: sh("echo a > a; mkdir -p d/e; echo b > d/e/b; chmod +x d/e/b; touch in; rm gone; echo more >> changed; : > same"), Files: []File{
			{"in", 0, nil}, {"gone", 0, nil}, {"changed", 0, []byte("one ")}, {"kept", 0, []byte("kept")}, {"same", 0, []byte("s")},
		}}, 0, "", "", "", map[string]string{"a": "a\n", "d/e/b": "b\n", "in": "", "changed": "one more\n", "same": ""}},
		{"a program by its path", Spec{Args: []string{"/usr/bin/printf", "ok"}}, 0, "", "ok", "", nil},
		{"the first process is not the program", Spec{Args: sh("echo $$ | grep -c '^1$'; true")}, 0, "", "0\n", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, err := s.Run(t.Context(), test.spec)
			if err != nil {
				t.Fatal(err)
			}
			if r.ExitCode != test.exit || r.Signal != test.signal || string(r.Stdout) != test.stdout || string(r.Stderr) != test.stderr || r.Reason != "" {
				t.Errorf("exit %d %s, reason %q, %q, %q", r.ExitCode, r.Signal, r.Reason, r.Stdout, r.Stderr)
			}
			got := map[string]string{}
			_ = fs.WalkDir(r.Files, ".", func(p string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					data, _ := fs.ReadFile(r.Files, p)
					got[p] = string(data)
				}
				return err
			})
			if len(got) != len(test.files) {
				t.Errorf("files: %q", got)
			}
			for name, want := range test.files {
				if data, ok := got[name]; !ok || data != want {
					t.Errorf("%s: got %q, %v", name, data, ok)
				}
			}
			if r.Level != s.Level() || r.Usage.Time <= 0 || r.Usage.Memory <= 0 {
				t.Errorf("%s, %+v", r.Level, r.Usage)
			}
		})
	}
}

// TestFilesThatStay are what a program leaves that is not taken out.
func TestFilesThatStay(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{})
	r, err := s.Run(t.Context(), Spec{
		Args: sh(`ln -s /etc/passwd link; mkfifo pipe; echo ok > a; ln a hard; truncate -s 1T sparse 2>/dev/null
			head -c 3000 /dev/zero > big; printf x > "$(printf 'bad\377name')"; mkdir shut; echo s > shut/s; chmod 0 shut; echo y > y; echo z > z`),
		Limits: Limits{Files: 4, FileBytes: 2000},
	})
	if err != nil {
		t.Fatal(err)
	}
	left := strings.Join(r.Left, "\n")
	for _, want := range []string{
		"link: it is no regular file", "pipe: it is no regular file", "big: its 3000 bytes are too many",
		"bad\\xffname\": its name is no text", "shut: it can't be read", "z: there are too many files",
	} {
		if !strings.Contains(left, want) {
			t.Errorf("%q is not in\n%s", want, left)
		}
	}
	for name, want := range map[string]string{"a": "ok\n", "hard": "ok\n", "y": "y\n"} {
		if data, err := fs.ReadFile(r.Files, name); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{})
	many := make([]string, 2000)
	for i := range many {
		many[i] = strings.Repeat("x", 1000)
	}
	for _, test := range []struct {
		name string
		spec Spec
		is   error
		want string
	}{
		{"nothing", Spec{}, ErrSpec, "there is no program"},
		{"a zero byte", Spec{Args: []string{"echo", "a\x00b"}}, ErrSpec, "zero byte"},
		{"too many arguments", Spec{Args: append([]string{"echo"}, many...)}, ErrSpec, "give a file, or standard input"},
		{"a variable", Spec{Args: sh(""), Env: map[string]string{"A=B": ""}}, ErrSpec, `"A=B"`},
		{"a file above", Spec{Args: sh(""), Files: []File{{"../x", 0, nil}}}, ErrSpec, `"../x"`},
		{"an absolute file", Spec{Args: sh(""), Files: []File{{"/x", 0, nil}}}, ErrSpec, `"/x"`},
		{"a file twice", Spec{Args: sh(""), Files: []File{{"x", 0, nil}, {"x", 0, nil}}}, ErrSpec, "twice"},
		{"a file in a file", Spec{Args: sh(""), Files: []File{{"x", 0, nil}, {"x/y", 0, nil}}}, ErrSpec, "as a file and as the folder"},
		{"a file too large", Spec{Args: sh(""), Files: []File{{"x", 0, make([]byte, 100)}}, Limits: Limits{FileSize: 99}}, ErrSpec, "the limit of a file is 99"},
		{"files too large", Spec{Args: sh(""), Files: []File{{"x", 0, make([]byte, 100)}}, Limits: Limits{Work: 4096}}, ErrSpec, "/work has 4096"},
		{"little memory", Spec{Args: sh(""), Limits: Limits{Memory: 1 << 20}}, ErrSpec, "it must be 8388608 at least"},
		{"few processes", Spec{Args: sh(""), Limits: Limits{Processes: 2}}, ErrSpec, "it must be 8 at least"},
		{"a negative limit", Spec{Args: sh(""), Limits: Limits{Time: -1}}, ErrSpec, "negative"},
		{"a relative mount", Spec{Args: sh(""), ReadOnly: []Mount{{"x", ""}}}, ErrSpec, "no absolute path"},
		{"a mount over the system", Spec{Args: sh(""), ReadOnly: []Mount{{"/opt", "/usr/x"}}}, ErrSpec, "/usr is the sandbox's own"},
		{"no such program", Spec{Args: []string{"no-such-program"}}, ErrExec, "no-such-program is not in /usr/local/bin"},
		{"no such file", Spec{Args: []string{"./x"}}, ErrExec, "it is not there"},
		{"a file that is no program", Spec{Args: []string{"./x"}, Files: []File{{"x", 0, []byte("hello")}}}, ErrExec, "not marked as executable"},
		{"no interpreter", Spec{Args: []string{"./x"}, Files: []File{{"x", 0o755, []byte("#!/no/such\n")}}}, ErrExec, "the interpreter that its first line names"},
		{"neither a program nor a script", Spec{Args: []string{"./x"}, Files: []File{{"x", 0o755, []byte("hello")}}}, ErrExec, "#!"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, err := s.Run(t.Context(), test.spec)
			if r != nil || !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := s.Run(ctx, Spec{Args: sh("echo")}); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %+v, %v", r, err)
	}
	began := t.TempDir() // seen from inside, so that it is known when the program runs
	if err := os.Chmod(began, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	r, err := s.Run(ctx, Spec{Args: sh("echo begun; sleep 100")})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err == nil && (r.Reason != Canceled || r.ExitCode != -1) {
		t.Errorf("got %+v", r)
	}
}

// TestWarm runs more programs than were started in advance, and closes in between.
func TestWarm(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{Warm: 3})
	var runs sync.WaitGroup
	for range 12 {
		runs.Go(func() {
			r, err := s.Run(t.Context(), Spec{Args: sh("cat x; echo made > y"), Files: []File{{"x", 0, []byte("x")}}, Limits: Limits{Memory: 64 << 20, Work: 1 << 20}})
			if err != nil || string(r.Stdout) != "x" {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	runs.Wait()
	s.Close()
	if r, err := s.Run(t.Context(), Spec{Args: sh("echo still")}); err != nil || string(r.Stdout) != "still\n" {
		t.Errorf("after Close: %+v, %v", r, err)
	}
}
