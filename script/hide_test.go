package script

import (
	"strings"
	"testing"

	"helve/sandbox"
)

// TestASecretInColours has a program that prints a secret with a colour in the middle.
func TestASecretInColours(t *testing.T) {
	t.Parallel()
	s := &script{secrets: []string{"hunter2-supersecret"}}
	r := &sandbox.Result{
		Stdout: []byte("token=hunter2-\x1b[31msuper\x1b[0msecret"),
		Left:   []string{"out/hunter2-supersecret: it is no regular file"},
	}
	s.hide(r)
	if got := s.clean(r.Stdout); got != "token=[secret]" {
		t.Errorf("got %q", got)
	}
	if strings.Contains(r.Left[0], "hunter2") {
		t.Errorf("got %q", r.Left)
	}
}
