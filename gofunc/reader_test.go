package gofunc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReader: nothing that lies where a source should be holds a load up, and no limit
// is a silent one.
func TestReader(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, large, small := filepath.Join(dir, "go.sum"), filepath.Join(dir, "large"), filepath.Join(dir, "small")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(small, []byte("x"), 0o600), os.WriteFile(large, nil, 0o600), os.Truncate(large, maxBytes)); err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx   context.Context
		paths []string
		want  string
	}{
		"a pipe":      {t.Context(), []string{pipe}, "not a regular file"},
		"a folder":    {t.Context(), []string{dir}, "not a regular file"},
		"none":        {t.Context(), []string{dir + "/none"}, "no such file"},
		"the limit":   {t.Context(), []string{large}, ""},
		"one too far": {t.Context(), []string{large, small}, "more than 64 MiB"},
		"canceled":    {over, []string{small}, context.Canceled.Error()},
		"many":        {t.Context(), []string{small, small, small, small}, "more than 20000"},
	} {
		r := newReader(test.ctx)
		r.files = 3
		var err error
		for _, path := range test.paths {
			if err == nil {
				_, err = r.sum(disk{}, path)
			}
		}
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}
