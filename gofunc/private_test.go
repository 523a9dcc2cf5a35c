package gofunc

import (
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
)

// folderOf is the info of a folder that somebody owns.
type folderOf struct {
	fs.FileInfo
	owner uint32
	mode  fs.FileMode
}

func (f folderOf) Mode() fs.FileMode { return fs.ModeDir | f.mode }
func (f folderOf) Sys() any          { return &syscall.Stat_t{Uid: f.owner} }

func TestPrivate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		info fs.FileInfo
		want string
	}{
		"own":             {folderOf{owner: 1000, mode: 0o700}, ""},
		"own, all read":   {folderOf{owner: 1000, mode: 0o755}, ""},
		"root's":          {folderOf{owner: 0, mode: 0o755}, ""},
		"another's":       {folderOf{owner: 1001, mode: 0o755}, "another user's (number 1001)"},
		"the group's":     {folderOf{owner: 1000, mode: 0o770}, "chmod go-w /cache"},
		"root's, for all": {folderOf{owner: 0, mode: 0o777}, "chmod go-w /cache"},
	} {
		err := private("/cache", test.info, 1000)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	info, err := os.Stat(t.TempDir())
	if err != nil || private("dir", info, os.Geteuid()) != nil {
		t.Errorf("an own folder: %v, %v", err, private("dir", info, os.Geteuid()))
	}
}
