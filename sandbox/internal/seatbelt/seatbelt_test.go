package seatbelt

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestProfile(t *testing.T) {
	t.Parallel()
	for _, reads := range []int{0, 1, 64} {
		p := profile(reads)
		depth := 0
		for line := range strings.Lines(p) {
			line, _, _ = strings.Cut(line, ";")
			if strings.Count(line, `"`)%2 != 0 {
				t.Errorf("an open string: %s", line)
			}
			depth += strings.Count(line, "(") - strings.Count(line, ")")
			if depth < 0 {
				t.Errorf("closed too often: %s", line)
			}
		}
		if depth != 0 {
			t.Errorf("%d are open at the end", depth)
		}
		if got := strings.Count(p, `(param "READ_`); got != reads {
			t.Errorf("%d of %d", got, reads)
		}
		if strings.Index(p, "(deny default)") > strings.Index(p, "(allow") {
			t.Error("something is allowed before all is denied")
		}
		for _, never := range []string{"allow network", "allow default", `"/Users`, `(subpath "/")`, "allow file-write*\n", "allow sysctl-read)"} {
			if strings.Contains(p, never) {
				t.Errorf("%q", never)
			}
		}
	}
}

// TestArgs gives names that would be text of a profile or of a script.
func TestArgs(t *testing.T) {
	t.Parallel()
	evil := `a") (allow default) ("; $(touch x)`
	args := Args(Run{Work: "/w/" + evil, Read: []string{"/r/" + evil}, CPU: 1, FileSize: 1, Processes: 1, Env: []string{"A=" + evil}, Args: []string{evil, "-x"}})
	at := slices.Index(args, "-p")
	if strings.Contains(args[at+1], "touch") || args[at+3] != "WORK=/w/"+evil || args[at+5] != "READ_0=/r/"+evil {
		t.Errorf("%q", args)
	}
	last := args[len(args)-7:]
	if !slices.Equal(last[1:], []string{"bash", "/usr/bin/env", "-i", "A=" + evil, evil, "-x"}) || strings.Contains(last[0], "touch") {
		t.Errorf("%q", last)
	}
}

// TestScript runs the shell's part, which is the same wherever bash is.
func TestScript(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/bin/bash"); err != nil {
		t.Skip(err)
	}
	ready := filepath.Join(t.TempDir(), "ready")
	run := Run{CPU: 7, FileSize: 5 << 20, Processes: 100_000, Env: []string{"HERE=only this"}, Args: []string{"/bin/bash", "-c", `echo $HERE$HOME; ulimit -t; ulimit -f; ulimit -n; ulimit -c; echo "$1"; (: >&3) 2>/dev/null || echo closed`, "x", "a b"}}
	args := Args(run)
	args = args[slices.Index(args, "/bin/bash"):]
	file, err := os.Create(ready)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.ExtraFiles = []*os.File{file}
	out, err := cmd.CombinedOutput()
	if want := "only this\n7\n5120\n256\n0\na b\nclosed\n"; err != nil || string(out) != want {
		t.Errorf("%q, %v", out, err)
	}
	if data, err := os.ReadFile(ready); err != nil || string(data) != "ready\n" {
		t.Errorf("%q, %v", data, err)
	}
}
