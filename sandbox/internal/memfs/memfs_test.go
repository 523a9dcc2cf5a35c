package memfs

import (
	"testing"
	"testing/fstest"
)

func TestFS(t *testing.T) {
	t.Parallel()
	f := FS{"a.txt": {Data: []byte("hello")}, "bin/run": {Data: []byte("#!"), Exec: true}, "deep/er/still": {}}
	if err := fstest.TestFS(f, "a.txt", "bin/run", "deep/er/still"); err != nil {
		t.Error(err)
	}
	if err := fstest.TestFS(FS{}); err != nil {
		t.Error(err)
	}
}
