package sandbox

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

func TestAudit(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&out, nil))
	spec := Spec{
		Args:  []string{"run", "--password=hunter2", "--token", "swordfish", "sk-proj-abcdefghijkl0123456789", "--key=v", "plain", "api_key=x"},
		Env:   map[string]string{"A": "secret-value"},
		Stdin: []byte("secret-input"),
	}
	Audit(context.Background(), log, Strict, spec, DefaultLimits(), &Result{ExitCode: 3, Reason: Timeout}, nil)
	Audit(context.Background(), log, Strict, Spec{}, DefaultLimits(), nil, errors.New("no"))
	for _, secret := range []string{"hunter2", "swordfish", "sk-proj", "secret-value", "secret-input", "api_key=x", "--key=v"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%s is in %s", secret, out.String())
		}
	}
	for _, want := range []string{`"level":"INFO","msg":"sandbox run"`, `"reason":"timeout"`, "plain", `"level":"WARN","msg":"sandbox refused a run"`, `"error":"no"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out.String())
		}
	}
}

// TestDigest has runs that differ in one thing each.
func TestDigest(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for i, s := range []Spec{
		{Args: []string{"a"}}, {Args: []string{"a", ""}}, {Args: []string{"a", "b"}}, {Args: []string{"ab"}},
		{Args: []string{"a"}, Stdin: []byte("b")}, {Args: []string{"a"}, Env: map[string]string{"b": ""}},
		{Args: []string{"a"}, Files: []File{{"b", 0, nil}}}, {Args: []string{"a"}, Files: []File{{"b", 0o755, nil}}}, {Args: []string{"a"}, Files: []File{{"b", 0, []byte("c")}}},
		{Args: []string{"a"}, ReadOnly: []Mount{{"/b", ""}}}, {Args: []string{"a"}, ReadOnly: []Mount{{"/b", "/c"}}},
	} {
		d := digest(s)
		if before, twice := seen[d]; twice {
			t.Errorf("%d and %d are alike", before, i)
		}
		seen[d] = i
	}
	one := Spec{Files: []File{{"a", 0, nil}, {"b", 0, nil}}}
	other := Spec{Files: []File{{"b", 0, nil}, {"a", 0, nil}}}
	if digest(one) != digest(other) {
		t.Error("the order of files counts")
	}
}
