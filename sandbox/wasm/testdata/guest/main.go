// Command guest is what the tests run in a sandbox: one program with a command for each
// thing that a guest may try. It prints what came of it.
package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	run, ok := commands[os.Args[1]]
	if !ok {
		fmt.Fprintln(os.Stderr, "no such command:", os.Args[1])
		os.Exit(64)
	}
	run(os.Args[2:])
}

var commands = map[string]func(args []string){
	"args": func(args []string) {
		fmt.Printf("%q\n", os.Args)
		for _, e := range slices.Sorted(slices.Values(os.Environ())) {
			fmt.Println(e)
		}
		fmt.Println(os.Getwd())
	},
	"echo":  func([]string) { io.Copy(os.Stdout, os.Stdin) },
	"exit":  func(args []string) { code, _ := strconv.Atoi(args[0]); os.Exit(code) },
	"panic": func([]string) { panic("as told") },
	"read": func(args []string) {
		for _, name := range args {
			data, err := os.ReadFile(name)
			fmt.Printf("%s: %.100q %v\n", name, data, err)
		}
	},
	"write": func(args []string) {
		for i := 0; i < len(args); i += 2 {
			must(os.MkdirAll(filepath.Dir(args[i]), 0o755))
			must(os.WriteFile(args[i], []byte(args[i+1]), 0o644))
		}
	},
	"list": func(args []string) {
		must(filepath.WalkDir(args[0], func(name string, e os.DirEntry, err error) error {
			fmt.Println(name, e.IsDir(), err)
			return nil
		}))
	},
	"move":    func(args []string) { fmt.Println(os.Rename(args[0], args[1])) },
	"remove":  func(args []string) { fmt.Println(os.Remove(args[0])) },
	"symlink": symlink,
	"spin": func([]string) {
		for i := 0; ; i++ {
			sink = i
		}
	},
	"sleep":   func(args []string) { d, _ := time.ParseDuration(args[0]); time.Sleep(d); fmt.Println("awake") },
	"memory":  memory,
	"flood":   flood,
	"files":   descriptors,
	"fill":    fill,
	"inodes":  inodes,
	"dial":    dial,
	"clock":   clock,
	"random":  func([]string) { b := make([]byte, 16); rand.Read(b); fmt.Printf("%x\n", b) },
	"unlink":  unlinked,
	"append":  appends,
	"chtimes": chtimes,
}

var sink int

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func symlink(args []string) {
	fmt.Println(os.Symlink(args[0], "/work/link"))
	fmt.Println(os.Link("/work/guest", "/work/hard"))
	data, err := os.ReadFile("/work/link")
	fmt.Printf("%q %v\n", data, err)
}

func memory([]string) {
	debug.SetGCPercent(-1)
	var all [][]byte
	for {
		all = append(all, bytes.Repeat([]byte{1}, 8<<20))
		sink = len(all)
	}
}

func flood(args []string) {
	line := []byte(strings.Repeat("x", 64<<10))
	for {
		os.Stdout.Write(line)
		os.Stderr.Write(line)
	}
}

func descriptors([]string) {
	var all []*os.File
	for {
		f, err := os.Create("/tmp/one")
		if err != nil {
			fmt.Println(len(all), err)
			break
		}
		all = append(all, f)
	}
	for _, f := range all {
		must(f.Close())
	}
	f, err := os.Open("/tmp/one")
	must(err)
	fmt.Println("again", f.Close())
}

func fill(args []string) {
	f, err := os.Create(args[0])
	must(err)
	block := make([]byte, 1<<20)
	total := 0
	for {
		n, err := f.Write(block)
		total += n
		if err != nil {
			fmt.Println(total, err)
			return
		}
	}
}

func inodes(args []string) {
	for i := 0; ; i++ {
		if err := os.Mkdir(fmt.Sprintf("%s/%d", args[0], i), 0o700); err != nil {
			fmt.Println(i, err)
			return
		}
	}
}

func dial(args []string) {
	c, err := net.DialTimeout("tcp", args[0], time.Second)
	if err != nil {
		fmt.Println("no:", err)
		return
	}
	fmt.Fprint(c, "hello")
	fmt.Println("connected")
}

func clock([]string) {
	fmt.Println(time.Now().UnixNano())
	began := time.Now()
	time.Sleep(20 * time.Millisecond)
	fmt.Println(time.Since(began) >= 19*time.Millisecond, time.Since(began)%time.Millisecond)
}

// unlinked tries to have more than there is, by keeping what it removed.
func unlinked([]string) {
	block := make([]byte, 1<<20)
	var all []*os.File
	for i := 0; ; i++ {
		f, err := os.Create("/tmp/gone")
		must(err)
		all = append(all, f)
		must(os.Remove("/tmp/gone"))
		if _, err := f.Write(block); err != nil {
			fmt.Println(i, err)
			break
		}
	}
	for _, f := range all {
		f.Close()
	}
	fmt.Println(os.WriteFile("/tmp/gone", block, 0o644))
}

func appends(args []string) {
	f, err := os.OpenFile(args[0], os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	must(err)
	_, err = f.WriteString(args[1])
	must(err)
	must(f.Close())
}

func chtimes(args []string) {
	must(os.Chtimes(args[0], time.Unix(1, 0), time.Unix(2, 0)))
	info, err := os.Stat(args[0])
	must(err)
	fmt.Println(info.ModTime().Unix(), info.Size(), info.Mode())
}
