package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// violent are the attacks after which the attacker may be no more.
func violent() map[string]func(args []string) {
	return map[string]func(args []string){
		"end the launcher": func([]string) {
			for s := syscall.Signal(1); s <= 64; s++ {
				_ = unix.Kill(1, s)
			}
			time.Sleep(20 * time.Millisecond)
			fmt.Println("alive")
		},
		"kill all": func([]string) { _ = unix.Kill(-1, unix.SIGKILL); fmt.Println("alive") },
		"x32": func([]string) {
			_, _, e := syscall.RawSyscall(0x40000000+unix.SYS_GETPID, 0, 0, 0)
			fmt.Println("alive", e)
		},
		"int80": func([]string) {
			_ = os.WriteFile("i386", i386, 0o755)
			err := exec.Command("./i386").Run()
			fmt.Println(err)
		},
		"fork bomb": func([]string) {
			for n := 0; ; n++ {
				if err := exec.Command("sleep", "100").Start(); err != nil {
					fmt.Println(n, err)
					os.Exit(1)
				}
			}
		},
		"thread bomb": func([]string) {
			for range 100_000 {
				go func() { runtime.LockOSThread(); time.Sleep(time.Hour) }()
			}
			time.Sleep(time.Hour)
		},
		"memory": func([]string) {
			var all [][]byte
			for {
				b := make([]byte, 8<<20)
				for i := 0; i < len(b); i += 4096 {
					b[i] = 1
				}
				if all = append(all, b); len(all) > 1<<20 {
					fmt.Println("endless")
				}
			}
		},
		"shared memory": func([]string) {
			for n := 0; ; n++ {
				b, err := unix.Mmap(-1, 0, 8<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANONYMOUS)
				if err != nil {
					fmt.Println(n, err)
					os.Exit(1)
				}
				for i := 0; i < len(b); i += 4096 {
					b[i] = 1
				}
			}
		},
		"memfd": func([]string) {
			for b := make([]byte, 8<<20); ; { // each below the limit of a file
				fd, err := unix.MemfdCreate("hog", 0)
				if err != nil {
					fmt.Println(err)
					os.Exit(1)
				}
				for range 4 {
					if _, err := unix.Write(fd, b); err != nil {
						fmt.Println(err)
						os.Exit(1)
					}
				}
			}
		},
		"many hogs": func(args []string) {
			if len(args) > 0 {
				b := make([]byte, 120<<20)
				for i := 0; i < len(b); i += 4096 {
					b[i] = 1
				}
				time.Sleep(time.Hour)
			}
			for range 8 {
				_ = exec.Command(os.Args[0], "attack", os.Args[2], "many hogs", "child").Start()
			}
			time.Sleep(time.Hour)
		},
		"fill": func(args []string) {
			f, err := os.Create(args[0] + "/fill")
			if err != nil {
				fmt.Println(err)
				return
			}
			var n int64
			for b := make([]byte, 1<<20); err == nil; {
				var m int
				m, err = f.Write(b)
				n += int64(m)
			}
			fmt.Println(n>>20, unix.ErrnoName(errnoOf(err)))
		},
		"inodes": func(args []string) {
			for n := 0; ; n++ {
				f, err := os.Create(args[0] + "/" + strconv.Itoa(n))
				if err != nil {
					fmt.Println(n, unix.ErrnoName(errnoOf(err)))
					os.Exit(0)
				}
				f.Close()
			}
		},
		"file size": func([]string) {
			signal.Ignore(syscall.SIGXFSZ)
			violent()["fill"]([]string{"."})
		},
		"spin": func([]string) {
			for n := uint64(1); n != 0; n += 2 { // ends in some centuries
			}
		},
		"flood": func([]string) {
			for b := []byte(strings.Repeat("x", 64<<10)); ; {
				os.Stdout.Write(b)
				os.Stderr.Write(b)
			}
		},
		"daemon": func(args []string) { // double fork, a session of its own, deaf to SIGTERM
			switch len(args) {
			case 0, 1:
				c := exec.Command(os.Args[0], append([]string{"attack", os.Args[2], "daemon"}, append(args, "x")...)...)
				c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
				c.Stdout = os.Stdout // hold it
				_ = c.Start()
				if len(args) == 0 {
					time.Sleep(50 * time.Millisecond)
				}
			default:
				signal.Ignore(syscall.SIGTERM, syscall.SIGHUP)
				time.Sleep(time.Hour)
			}
		},
		"daemon, and stay": func([]string) { violent()["daemon"](nil); time.Sleep(time.Hour) },
		"stop":             func([]string) { _ = unix.Kill(os.Getpid(), unix.SIGSTOP); time.Sleep(time.Hour) },
		"fds": func([]string) {
			for n := 0; ; n++ {
				if _, err := unix.Dup(0); err != nil {
					fmt.Println(n, unix.ErrnoName(errnoOf(err)))
					os.Exit(0)
				}
			}
		},
		"host": func([]string) { // runs a daemon in a sandbox of its own, and says when it is there
			box, err := New(Options{Log: silent, NoCgroup: true})
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			go func() {
				for len(processes(os.Args[2], "x\x00x")) == 0 {
					time.Sleep(time.Millisecond)
				}
				fmt.Println("there")
			}()
			_, err = box.Run(context.Background(), Spec{
				Args:     []string{"/attack/attacker", "attack", os.Args[2], "daemon, and stay"},
				ReadOnly: []Mount{{filepath.Dir(attackerPath()), "/attack"}},
			})
			fmt.Println(err)
		},
		"try": func([]string) { // says why there is no sandbox here
			s, err := New(Options{Log: silent, NoCgroup: true})
			if err == nil {
				fmt.Println("level", s.Level())
				r, err := s.Run(context.Background(), Spec{Args: []string{"echo", "it runs"}})
				fmt.Println(err)
				fmt.Printf("%s", r.Stdout)
				s.Close()
				return
			}
			var e *UnavailableError
			if !errors.As(err, &e) || !errors.Is(err, ErrUnavailable) {
				fmt.Println("wrong", err)
				return
			}
			fmt.Println(e.Stage, unix.ErrnoName(e.Errno), e.Hint)
		},
		"sleep": func([]string) { time.Sleep(time.Hour) },
	}
}

// attackerPath is this program's own.
func attackerPath() string {
	p, _ := os.Executable()
	return p
}

// i386 is a program for the 32-bit system calls: it exits with 42.
var i386 = append([]byte{
	0x7f, 'E', 'L', 'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 32 bits, little endian
	2, 0, 3, 0, 1, 0, 0, 0, 0x54, 0x80, 0x04, 0x08, 0x34, 0, 0, 0, 0, 0, 0, 0, // EXEC, 386, entry 0x08048054
	0, 0, 0, 0, 0x34, 0, 0x20, 0, 1, 0, 0, 0, 0, 0, 0, 0,
	1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x04, 0x08, 0, 0x80, 0x04, 0x08, // LOAD at 0x08048000
	0x60, 0, 0, 0, 0x60, 0, 0, 0, 5, 0, 0, 0, 0, 0x10, 0, 0,
},
	0xb8, 1, 0, 0, 0, // mov eax, 1 (exit)
	0xbb, 42, 0, 0, 0, // mov ebx, 42
	0xcd, 0x80, // int 0x80
)
