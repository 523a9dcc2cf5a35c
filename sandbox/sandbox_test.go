package sandbox

import (
	"context"
	"errors"
	"testing"
)

func box(t *testing.T, o Options) *Sandbox {
	t.Helper()
	s, err := New(o)
	if errors.Is(err, ErrUnavailable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestRun(t *testing.T) {
	s := box(t, Options{})
	r, err := s.Run(context.Background(), Spec{
		Args:  []string{"sh", "-c", "id; pwd; ls -la / /work; cat; echo $HOME; cat /proc/self/status | grep -E 'Cap|Sec|NoNew'; echo made > made.txt; ls -la /proc; exit 3"},
		Files: []File{{Name: "a/b.txt", Data: []byte("hello")}},
		Stdin: []byte("from stdin\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v\n%s\n%s", r, r.Stdout, r.Stderr)
}
