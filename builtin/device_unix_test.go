//go:build unix

package builtin

import (
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A named pipe that nobody writes to blocks who opens it in the ordinary way.
func TestReadFileDoesNotWaitForAPipe(t *testing.T) {
	t.Parallel()
	root, dir := newRoot(t, nil)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	if _, err := readFile(root, readFileInput{Path: "pipe"}); err == nil || !strings.Contains(err.Error(), `path "pipe" is not a regular file`) {
		t.Errorf("read_file: got error %v", err)
	}
	if _, err := listFiles(t.Context(), root, listFilesInput{Path: "pipe"}); err == nil || !strings.Contains(err.Error(), `path "pipe" is not a folder`) {
		t.Errorf("list_files: got error %v", err)
	}
	out, err := listFiles(t.Context(), root, listFilesInput{})
	if err != nil || len(out.Entries) != 1 || out.Entries[0].Type != "other" {
		t.Errorf("list_files: got %v, %v, want the pipe as other", out, err)
	}
}

// The pipe may take the file's place between the two looks at it.
func TestOpenInDoesNotBlockOnARace(t *testing.T) {
	t.Parallel()
	root, dir := newRoot(t, nil)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	looks := 0
	_, _, err := openIn(root, "pipe", fileOnSecondLook(&looks))
	if err == nil || looks != 2 {
		t.Errorf("got error %v after %d looks, want an error after the second", err, looks)
	}
}

// fileOnSecondLook takes anything for a regular file the first time.
func fileOnSecondLook(looks *int) func(fs.FileMode) error {
	return func(mode fs.FileMode) error {
		if *looks++; *looks == 1 {
			return nil
		}
		return regularFile(mode)
	}
}
