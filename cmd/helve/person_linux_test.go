package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// person runs a command at a terminal where somebody sits: person CODE PLAY COMMAND ARG...
// The file PLAY says what the person waits for on the screen, and what they type then:
//
//	? How old are you
//	> 42
//	> ^D
//
// What was on the screen is in the file screen afterwards, and what the command printed
// to standard output, which leads elsewhere, in the file out.
func person(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: person CODE PLAY COMMAND ARG...")
	}
	keyboard, screen := openPTY(ts)
	defer keyboard.Close()
	loud := echoes(ts, keyboard)
	var out, stderr bytes.Buffer
	cmd := exec.Command(args[2], args[3:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "XDG_CACHE_HOME="+ts.Getenv("XDG_CACHE_HOME"), "OPENAI_API_KEY=")
	cmd.Stdout, cmd.Stderr = &out, &stderr
	cmd.ExtraFiles = []*os.File{screen}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	ts.Check(cmd.Start())
	screen.Close()

	var seen watched
	read := make(chan struct{})
	go func() { defer close(read); seen.readFrom(keyboard) }()
	guard := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer guard.Stop()
	at := 0
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		what, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch what {
		case "?":
			next, ok := seen.waitFor(text, at)
			if !ok {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				ts.Fatalf("%q never came. The screen shows\n%s\nand standard error\n%s", text, seen.String(), stderr.String())
			}
			at = next
		case ">":
			text = strings.NewReplacer("^D\n", "\x04", "^C\n", "\x03").Replace(text + "\n")
			_, err := keyboard.WriteString(text)
			ts.Check(err)
		default:
			ts.Fatalf("%s: a line begins with ? or >: %s", args[1], line)
		}
	}
	_ = cmd.Wait()
	<-read
	if !loud || !echoes(ts, keyboard) {
		ts.Fatalf("the screen no longer shows what is typed")
	}
	ts.Check(os.WriteFile(ts.MkAbs("screen"), []byte(strings.ReplaceAll(seen.String(), "\r", "")), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("out"), out.Bytes(), 0o644))
	if code := cmd.ProcessState.ExitCode(); fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s. The screen shows\n%s\nand standard error\n%s", code, args[0], seen.String(), stderr.String())
	}
}

func openPTY(ts *testscript.TestScript) (keyboard, screen *os.File) {
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	ts.Check(err)
	raw, err := keyboard.SyscallConn()
	ts.Check(err)
	n := 0
	ts.Check(raw.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			n, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	}))
	ts.Check(err)
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	ts.Check(err)
	return keyboard, screen
}

// echoes reports whether the screen shows what is typed.
func echoes(ts *testscript.TestScript, keyboard *os.File) (yes bool) {
	raw, err := keyboard.SyscallConn()
	ts.Check(err)
	ts.Check(raw.Control(func(fd uintptr) {
		var mode *unix.Termios
		mode, err = unix.IoctlGetTermios(int(fd), unix.TCGETS)
		yes = err == nil && mode.Lflag&unix.ECHO != 0
	}))
	ts.Check(err)
	return yes
}

// watched is what has come to a screen.
type watched struct {
	mu    sync.Mutex
	text  bytes.Buffer
	ended bool
	news  sync.Cond
}

func (w *watched) readFrom(f *os.File) {
	var piece [4096]byte
	for {
		n, err := f.Read(piece[:]) // an error where nobody has the other side any more
		w.mu.Lock()
		w.news.L = &w.mu
		w.text.Write(piece[:n])
		w.ended = err != nil
		w.news.Broadcast()
		w.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// waitFor waits until text stands behind the place at, and returns the place behind it.
func (w *watched) waitFor(text string, at int) (behind int, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.news.L = &w.mu
	for {
		if i := bytes.Index(w.text.Bytes()[at:], []byte(text)); i >= 0 {
			return at + i + len(text), true
		}
		if w.ended {
			return at, false
		}
		w.news.Wait()
	}
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}
