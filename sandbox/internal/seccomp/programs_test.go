//go:build linux

package seccomp

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestPrograms: ordinary programs don't notice the filter.
func TestPrograms(t *testing.T) {
	t.Parallel()
	native(t)
	const python = `
import asyncio, multiprocessing, os, sqlite3, subprocess, sys, tempfile, threading
t = threading.Thread(target=lambda: None); t.start(); t.join()
db = sqlite3.connect("t.db"); db.execute("create table t (a)"); db.execute("insert into t values (42)"); db.commit()
async def main():
    p = await asyncio.create_subprocess_exec("/bin/echo", "hi", stdout=asyncio.subprocess.PIPE)
    return (await p.communicate())[0]
assert asyncio.run(main()) == b"hi\n"
a, b = multiprocessing.Pipe(); a.send([1]); assert b.recv() == [1]
p = multiprocessing.get_context("fork").Process(target=print, args=("child",)); p.start(); p.join(); assert p.exitcode == 0
import socket
try:
    socket.create_connection(("127.0.0.1", 80)); sys.exit("connected")
except PermissionError: pass
with tempfile.NamedTemporaryFile() as f: f.write(b"x")
print(db.execute("select a from t").fetchone()[0], subprocess.run(["sh", "-c", "exit 7"]).returncode)`
	const node = `
const {spawnSync} = require("child_process"), {Worker} = require("worker_threads"), fs = require("fs")
fs.writeFileSync("x", "y")
const w = new Worker("require('worker_threads').parentPort.postMessage(42)", {eval: true})
w.on("message", n => fetch("http://127.0.0.1:8080/").catch(e =>
	console.log(n, spawnSync("sh", ["-c", "exit 7"]).status, e.cause.code)))`
	const c = `printf '#include <stdio.h>\nint main(void) { puts("hello"); }\n' >a.c && gcc a.c -o a && ./a`

	for _, test := range []struct {
		argv []string
		want string // in standard output
	}{
		{[]string{"true"}, ""},
		{[]string{"sh", "-c", "ls -la / | wc -l >f; cat f | grep -c ."}, "1"},
		{[]string{"bash", "-c", "mkdir d; cp -a /etc/hostname d/; tar cf - d | tar tf - | sort"}, "d/hostname"},
		{[]string{"python3", "-c", python}, "42 7"},
		{[]string{"node", "-e", node}, "42 7 EACCES"},
		{[]string{"perl", "-e", `my $x = qx(echo hi); print "perl $x"`}, "perl hi"},
		{[]string{"git", "--version"}, "git version"},
		{[]string{"sh", "-c", "git init -q . && git -c user.name=a -c user.email=b commit -q --allow-empty -m x && git log --oneline | wc -l"}, "1"},
		{[]string{"go", "version"}, "go version go"},
		{[]string{"sh", "-c", c}, "hello"},
	} {
		t.Run(strings.Join(test.argv[:min(len(test.argv), 2)], " "), func(t *testing.T) {
			t.Parallel()
			path, err := lookUp(test.argv[0])
			if err != nil {
				t.Skip(err)
			}
			for _, needed := range []string{"git", "gcc"} {
				if _, err := exec.LookPath(needed); err != nil && strings.Contains(test.argv[len(test.argv)-1], needed) {
					t.Skip(err)
				}
			}
			cmd := child{Do: "exec", Args: append([]string{path}, test.argv[1:]...)}.command(t)
			out, err := cmd.Output()
			if exit, ok := err.(*exec.ExitError); ok {
				t.Fatalf("%v\n%s\n%s", err, out, exit.Stderr)
			}
			if !strings.Contains(string(out), test.want) {
				t.Errorf("%q, want %q", out, test.want)
			}
		})
	}
}

// lookUp prefers the system's own to what a version manager puts before it in PATH.
func lookUp(name string) (string, error) {
	if path := "/usr/bin/" + name; unix.Access(path, unix.X_OK) == nil {
		return path, nil
	}
	return exec.LookPath(name)
}

// TestForkExec is what the jail does: it starts the program from the thread that is under
// the filter, reads what it says and waits for it.
func TestForkExec(t *testing.T) {
	t.Parallel()
	native(t)
	for _, o := range everyOption {
		out, err := child{Do: "fork", Options: o, Args: []string{"/bin/sh", "-c", "grep -h ^Seccomp: /proc/self/status; exit 3"}}.command(t).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != "Seccomp:\t2\nexit 3" {
			t.Errorf("%+v: %v: %s", o, err, out)
		}
	}
}

// fork runs in the child.
func fork(argv []string) int {
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		panic(err)
	}
	pid, err := syscall.ForkExec(argv[0], argv, &syscall.ProcAttr{
		Dir:   "/",
		Env:   []string{"PATH=/usr/bin:/bin"},
		Files: []uintptr{0, uintptr(pipe[1]), 2},
	})
	if err != nil {
		fmt.Println("fork:", err)
		return 1
	}
	unix.Close(pipe[1])
	text := make([]byte, 1000)
	n, err := unix.Read(pipe[0], text)
	if err != nil {
		fmt.Println("read:", err)
		return 1
	}
	os.Stdout.Write(text[:n])
	var status unix.WaitStatus
	if _, err := unix.Wait4(pid, &status, 0, nil); err != nil {
		fmt.Println("wait:", err)
		return 1
	}
	fmt.Println("exit", status.ExitStatus())
	return 0
}
