package skill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/sandbox"
	"helve/tool"
)

var scripts = map[string]string{
	"x/SKILL.md":          skillMD("x", ""),
	"x/scripts/a.py":      "print(1)",
	"x/scripts/b.sh":      "echo",
	"x/scripts/c.js":      "1",
	"x/scripts/d":         "#!/usr/bin/env -S python3 -u\r\nprint(1)",
	"x/scripts/e":         "#! /opt/odd/bash -e\n",
	"x/scripts/f!":        "\x7fELF",
	"x/scripts/g":         "data",
	"x/scripts/h.wasm":    "\x00asm",
	"x/scripts/i!":        "\x00asm1",
	"x/scripts/j.py":      "#!/bin/sh\n",
	"x/scripts/k!":        "#!/usr/bin/env\n",
	"x/-c.py":             "print(1)",
	"x/references/a.md":   "# A",
	"x/references/sub/b!": "#!/bin/sh",
}

func TestRun_FindsTheInterpreter(t *testing.T) {
	t.Parallel()
	for script, want := range map[string][]string{
		"scripts/a.py":     {"python3", "./scripts/a.py"},
		"./scripts/a.py":   {"python3", "./scripts/a.py"},
		"scripts/b.sh":     {"sh", "./scripts/b.sh"},
		"scripts/c.js":     {"node", "./scripts/c.js"},
		"scripts/d":        {"python3", "-u", "./scripts/d"},
		"scripts/e":        {"bash", "-e", "./scripts/e"},
		"scripts/f":        {"./scripts/f"},
		"scripts/h.wasm":   {"wasm: ./scripts/h.wasm"},
		"scripts/i":        {"wasm: ./scripts/i"},
		"scripts/j.py":     {"sh", "./scripts/j.py"},
		"scripts/k":        {"./scripts/k"},
		"-c.py":            {"python3", "./-c.py"},
		"references/sub/b": {"sh", "./references/sub/b"},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			process, module := &recorder{}, &recorder{}
			l, _ := Open(Options{Folders: []string{folderOf(t, scripts)}, Runner: process, WASM: module})
			s, err := l.Skill("x")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := l.Run(t.Context(), s, Command{Script: script, Args: []string{"-x", "a b"}}); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range process.runs {
				got = r.Args
			}
			for _, r := range module.runs {
				got = append([]string{"wasm: " + r.Args[0]}, r.Args[1:]...)
			}
			if diff := cmp.Diff(append(want, "-x", "a b"), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The sandbox gets copies of the skill's files and of the call's, and nothing of the disk.
func TestRun_WhatTheSandboxGets(t *testing.T) {
	t.Parallel()
	box := &recorder{}
	l, dir := libraryOf(t, box, map[string]string{"x/SKILL.md": skillMD("x", ""), "x/run.sh!": "#!/bin/sh\n"})
	writeFile(t, filepath.Join(dir, "x", "later.txt"), "came after the skill was loaded", 0o600)
	_, err := callTool(t, l, "skill_run", `{"skill":"x","script":"run.sh","args":["$(id)","; rm -rf /"],"stdin":"in","files":{"data/a.csv":"1,2","b":""},"timeout":7}`)
	if err != nil {
		t.Fatal(err)
	}
	want := sandbox.Spec{
		Args: []string{"sh", "./run.sh", "$(id)", "; rm -rf /"},
		Files: []sandbox.File{
			{Name: "SKILL.md", Mode: 0o644, Data: []byte(skillMD("x", ""))}, {Name: "run.sh", Mode: 0o755, Data: []byte("#!/bin/sh\n")},
			{Name: "b", Data: []byte{}}, {Name: "data/a.csv", Data: []byte("1,2")},
		},
		Stdin:  []byte("in"),
		Limits: sandbox.Limits{Time: 7 * time.Second, CPU: 7 * time.Second},
	}
	if diff := cmp.Diff(want, box.last(t)); diff != "" {
		t.Error(diff)
	}
}

// Probe 70 and what else must not run: nothing reaches the sandbox.
func TestRun_Refused(t *testing.T) {
	t.Parallel()
	many, args := `"files":{"0":""`, `"args":[""`
	for i := range maxGiven {
		many += fmt.Sprintf(`,"f%d":""`, i)
	}
	for range maxArgs {
		args += `,""`
	}
	for arguments, want := range map[string]string{
		`{"skill":"y","script":"scripts/a.py"}`:      "not_found: Skill not found: y",
		`{"skill":"hidden","script":"run.sh"}`:       "not_found: Skill not found: hidden",
		`{"skill":"x","script":"scripts/z.py"}`:      `not_found: The skill x has no file "scripts/z.py"`,
		`{"skill":"x","script":"../x/scripts/a.py"}`: "not_found: ",
		`{"skill":"x","script":"/etc/passwd"}`:       "not_found: ",
		`{"skill":"x","script":"scripts/../-c.py"}`:  "not_found: ",
		`{"skill":"x","script":"link.sh"}`:           "not_found: ",
		`{"skill":"x","script":"scripts"}`:           "not_found: ",
		`{"skill":"x","script":""}`:                  "not_found: ",
		`{"skill":"x","script":"scripts/g"}`:         "invalid_parameters: scripts/g of the skill x is no script",
		`{"skill":"x","script":"references/a.md"}`:   "invalid_parameters: ",
		`{"skill":"x","script":"scripts/h.wasm"}`:    "unavailable: Scripts of skills can't be run here",
		`{"skill":"x"}`: "invalid_parameters: ",
		`{"skill":"x","script":"a","shell":true}`:                               "invalid_parameters: ",
		`{"skill":"x","script":"a","timeout":301}`:                              "invalid_parameters: ",
		`{"skill":"x","script":"a","args":"--x"}`:                               "invalid_parameters: ",
		`{"skill":"x","script":"scripts/a.py",` + args + `]}`:                   "invalid_parameters: there are 257 arguments",
		`{"skill":"x","script":"scripts/a.py",` + many + `}}`:                   "invalid_parameters: there are 101 files",
		`{"skill":"x","script":"scripts/a.py","args":["a\u0000b"]}`:             "invalid_parameters: argument 1 has a NUL byte",
		`{"skill":"x","script":"scripts/a.py","files":{"../up":""}}`:            "invalid_parameters: ",
		`{"skill":"x","script":"scripts/a.py","files":{"/abs":""}}`:             "invalid_parameters: ",
		`{"skill":"x","script":"scripts/a.py","files":{".":""}}`:                "invalid_parameters: ",
		`{"skill":"x","script":"scripts/a.py","files":{"a\\b":""}}`:             "invalid_parameters: ",
		`{"skill":"x","script":"scripts/a.py","files":{"scripts/a.py":"evil"}}`: "invalid_parameters: \"scripts/a.py\" is a file or folder of the skill itself",
		`{"skill":"x","script":"scripts/a.py","files":{"scripts":"evil"}}`:      "invalid_parameters: \"scripts\" is a file or folder",
		`{"skill":"x","script":"scripts/a.py","files":{"scripts/a.py/b":""}}`:   "invalid_parameters: \"scripts/a.py/b\" needs a folder where there is a file",
		`{"skill":"x","script":"scripts/a.py","files":{"n":"","n/m":""}}`:       "invalid_parameters: \"n/m\" needs a folder",
	} {
		t.Run(fmt.Sprintf("%.60s", arguments), func(t *testing.T) {
			t.Parallel()
			box := &recorder{}
			dir := folderOf(t, scripts)
			writeFile(t, filepath.Join(dir, "hidden", "SKILL.md"), skillMD("hidden", "disable-model-invocation: true\n"), 0o600)
			writeFile(t, filepath.Join(dir, "hidden", "run.sh"), "", 0o600)
			if err := os.Symlink("/bin/sh", filepath.Join(dir, "x", "link.sh")); err != nil {
				t.Fatal(err)
			}
			l, _ := Open(Options{Folders: []string{dir}, Runner: box})
			_, err := callTool(t, l, "skill_run", arguments)
			if err == nil || !strings.HasPrefix(err.Error(), want) || len(box.runs) > 0 {
				t.Errorf("%v, %d runs, want %s", err, len(box.runs), want)
			}
		})
	}
}

func TestRun_TooMuchInput(t *testing.T) {
	t.Parallel()
	box := &recorder{}
	l, _ := libraryOf(t, box, map[string]string{"x/SKILL.md": skillMD("x", ""), "x/run.sh": ""})
	s, err := l.Skill("x")
	if err != nil {
		t.Fatal(err)
	}
	half := strings.Repeat("x", maxInput/2)
	for files, want := range map[string]tool.Kind{half: "", half + "x": tool.KindInvalidParameters} {
		if _, err := l.Run(t.Context(), s, Command{Script: "run.sh", Stdin: half, Files: map[string]string{"a": files}}); kind(err) != want {
			t.Error(err)
		}
	}
	if _, err := l.Run(t.Context(), s, Command{Script: "run.sh", Time: -1}); kind(err) != tool.KindInvalidParameters || len(box.runs) != 1 {
		t.Error(err)
	}
}

// Probe 72: a skill that changed since it was loaded neither runs nor is read.
func TestRun_AChangedSkillIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(dir string) error{
		"other content":      func(dir string) error { return os.WriteFile(dir+"/run.sh", []byte("echo 2"), 0o600) },
		"longer":             func(dir string) error { return os.WriteFile(dir+"/run.sh", []byte("echo 1 2"), 0o600) },
		"another file of it": func(dir string) error { return os.WriteFile(dir+"/SKILL.md", []byte("---"), 0o600) },
		"executable":         func(dir string) error { return os.Chmod(dir+"/run.sh", 0o755) },
		"gone":               func(dir string) error { return os.Remove(dir + "/run.sh") },
		"a folder":           func(dir string) error { return errors.Join(os.Remove(dir+"/run.sh"), os.Mkdir(dir+"/run.sh", 0o700)) },
		"a link to the same?": func(dir string) error {
			return errors.Join(os.Remove(dir+"/run.sh"), os.Symlink("/etc/hostname", dir+"/run.sh"))
		},
		"the folder is gone": os.RemoveAll,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			box := &recorder{}
			l, dir := libraryOf(t, box, map[string]string{"x/SKILL.md": skillMD("x", ""), "x/run.sh": "echo 1"})
			if _, err := callTool(t, l, "skill_run", `{"skill":"x","script":"run.sh"}`); err != nil {
				t.Fatal(err)
			}
			if err := change(filepath.Join(dir, "x")); err != nil {
				t.Fatal(err)
			}
			_, err := callTool(t, l, "skill_run", `{"skill":"x","script":"run.sh"}`)
			if kind(err) != tool.KindUnavailable || len(box.runs) != 1 || strings.Contains(err.Error(), dir) {
				t.Errorf("%v, %d runs", err, len(box.runs))
			}
		})
	}
}

// What a model reads of a run: a script that fails is no error.
func TestRun_Result(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxShown+1)
	box := &recorder{result: &sandbox.Result{
		ExitCode: -1, Signal: "SIGSEGV", Stdout: []byte("a\xffb"), Stderr: []byte("failed"), Truncated: true,
		Left: []string{"pipe: no regular file"},
		Files: fstest.MapFS{
			"out/a.txt": {Data: []byte("text")}, "b.bin": {Data: []byte{0, 1}}, "long.txt": {Data: []byte(long)},
			"huge": {Data: make([]byte, maxMadeBytes)},
		},
	}}
	l, _ := libraryOf(t, box, map[string]string{"x/SKILL.md": skillMD("x", ""), "x/run.sh": ""})
	result, err := callTool(t, l, "skill_run", `{"skill":"x","script":"run.sh"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{"exit_code":-1,"signal":"SIGSEGV","stdout":"a`+"\uFFFD"+`b","stderr":"failed","truncated":true,`+
		`"files":[{"path":"b.bin","size":2},{"path":"long.txt","size":%d},{"path":"out/a.txt","size":4,"text":"text"}],`+
		`"not_kept":["pipe: no regular file","huge: %d bytes, and all files together may have %d"]}`, len(long), maxMadeBytes, maxMadeBytes)
	if diff := cmp.Diff(want, result.Text()); diff != "" {
		t.Error(diff)
	}
	var names []string
	for _, p := range result.Artifact.(tool.Attacher).Attachments() {
		names = append(names, p.(message.File).Name)
	}
	if diff := cmp.Diff([]string{"b.bin", "long.txt", "a.txt"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestRun_ManyFilesAreCut(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for i := range 1000 {
		files[fmt.Sprintf("f%d", i)] = &fstest.MapFile{Data: []byte(strings.Repeat("x", 1000))}
	}
	l, _ := libraryOf(t, &recorder{result: &sandbox.Result{Files: files}}, map[string]string{"x/SKILL.md": skillMD("x", ""), "x/run.sh": ""})
	result, err := callTool(t, l, "skill_run", `{"skill":"x","script":"run.sh"}`)
	var out output
	if err != nil || json.Unmarshal([]byte(result.Text()), &out) != nil {
		t.Fatal(result.Text(), err)
	}
	if len(out.Files) != maxMade || len(out.Left) != 1 || len(result.Text()) > maxShownAll+10_000 {
		t.Errorf("%d files, %q, %d bytes", len(out.Files), out.Left, len(result.Text()))
	}
}

func TestRun_TheSandboxFails(t *testing.T) {
	t.Parallel()
	secret := errors.New("/home/ada/secret")
	for _, test := range []struct {
		err  error
		want tool.Kind
	}{
		{&sandbox.UnavailableError{Stage: "mount /home/ada/secret"}, tool.KindUnavailable},
		{fmt.Errorf("%w: %w", sandbox.ErrExec, secret), tool.KindUnavailable},
		{sandbox.ErrSpec, tool.KindInvalidParameters},
		{secret, tool.KindExecution},
		{context.Canceled, tool.KindCanceled},
		{context.DeadlineExceeded, tool.KindTimeout},
	} {
		l, _ := libraryOf(t, &recorder{err: test.err}, map[string]string{"x/SKILL.md": skillMD("x", ""), "x/run.sh": ""})
		_, err := callTool(t, l, "skill_run", `{"skill":"x","script":"run.sh"}`)
		if kind(err) != test.want || !errors.Is(err, test.err) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v: %v", test.err, err)
		}
	}
}

// Document 001: a script that takes too long is a timeout error, with what it printed.
func TestRun_Stopped(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason sandbox.Reason
		more   string
		kind   tool.Kind
		want   string
	}{
		{sandbox.Timeout, "", tool.KindTimeout, "ran out of time: give it a longer timeout (300 seconds at most)"},
		{sandbox.Timeout, `,"timeout":7`, tool.KindTimeout, "it had 7s. Give it a longer timeout"},
		{sandbox.Timeout, `,"timeout":300`, tool.KindTimeout, "give it less to do at once"},
		{sandbox.CPU, "", tool.KindTimeout, "less to do"},
		{sandbox.Memory, "", tool.KindExecution, "more memory"},
		{sandbox.Processes, "", tool.KindExecution, "processes"},
		{sandbox.Output, "", tool.KindExecution, "printed far too much"},
		{sandbox.Canceled, "", tool.KindCanceled, "canceled"},
	} {
		box := &recorder{result: &sandbox.Result{ExitCode: -1, Signal: "SIGKILL", Reason: test.reason, Stdout: []byte(strings.Repeat("a", 1<<16) + " step 7"), Stderr: []byte("slow\xff")}}
		l, _ := libraryOf(t, box, map[string]string{"x/SKILL.md": skillMD("x", ""), "x/run.sh": ""})
		_, err := callTool(t, l, "skill_run", `{"skill":"x","script":"run.sh"`+test.more+`}`)
		if kind(err) != test.kind {
			t.Errorf("%s: %v", test.reason, err)
			continue
		}
		for _, part := range []string{"run.sh of the skill x was stopped: ", test.want, "It printed (the end of it):\naaa", "aaa step 7\nTo standard error it wrote:\nslow\uFFFD"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: no %q in %v", test.reason, part, err)
			}
		}
		if len(err.Error()) > 3*maxPrinted {
			t.Errorf("%s: %d bytes", test.reason, len(err.Error()))
		}
	}
}
