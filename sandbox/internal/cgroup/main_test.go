//go:build linux

package cgroup

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// This test is its own children: what programs has, in the variable's name.
const program = "HELVE_CGROUP_PROGRAM"

func TestMain(m *testing.M) {
	if name := os.Getenv(program); name != "" {
		programs[name](bufio.NewReader(os.Stdin), os.Args[1:])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

var programs = map[string]func(in *bufio.Reader, args []string){
	"wait":  func(in *bufio.Reader, _ []string) { fmt.Println("ready"); in.ReadString('\n') },
	"hog":   hog,
	"files": files,
	"bomb":  bomb,
	"nest":  nest,
	"map":   mapShared,
	"probe": probe,
	"leave": leave,
}

// hog takes args[0] MiB of memory when it is told to.
func hog(in *bufio.Reader, args []string) {
	fmt.Println("ready")
	in.ReadString('\n')
	mib, _ := strconv.Atoi(args[0])
	data, err := unix.Mmap(-1, 0, mib<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	touch(data, err)
	fmt.Println("taken")
	in.ReadString('\n')
}

// mapShared maps args[0] MiB of the shared file that is descriptor 3.
func mapShared(in *bufio.Reader, args []string) {
	mib, _ := strconv.Atoi(args[0])
	data, err := unix.Mmap(3, 0, mib<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	touch(data, err)
	fmt.Println("taken")
	in.ReadString('\n')
}

func touch(data []byte, err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for i := 0; i < len(data); i += 4096 {
		data[i] = 1
	}
}

// files writes args[1] MiB into the file args[0].
func files(in *bufio.Reader, args []string) {
	fmt.Println("ready")
	in.ReadString('\n')
	mib, _ := strconv.Atoi(args[1])
	f, err := os.Create(args[0])
	for range mib {
		if err == nil {
			_, err = f.Write(make([]byte, 1<<20))
		}
	}
	fmt.Println("written", err)
}

// bomb starts processes until it can't, at most 500, and says how many there were.
func bomb(in *bufio.Reader, _ []string) {
	fmt.Println("ready")
	in.ReadString('\n')
	n := 0
	for n < 500 && exec.Command("/bin/sleep", "1000").Start() == nil {
		n++
	}
	fmt.Println(n)
	in.ReadString('\n')
}

// nest runs the program args[0] as its child.
func nest(in *bufio.Reader, args []string) {
	cmd := exec.Command("/proc/self/exe", args[1:]...)
	cmd.Env = []string{program + "=" + args[0]}
	cmd.Stdin, cmd.Stdout = in, os.Stdout
	if err := cmd.Run(); err != nil {
		fmt.Println(err)
	}
}

// probe says what it finds, and tries it.
func probe(in *bufio.Reader, _ []string) {
	in.ReadString('\n')
	mode := Probe()
	fmt.Println(mode.Version)
	fmt.Println(strings.Join(mode.bases, " "))
	fmt.Println(mode.Reason)
	g, err := mode.New()
	if err == nil {
		err = g.Limit(64<<20, 10)
	}
	if err == nil {
		cmd := exec.Command("/bin/sleep", "1000")
		err = cmd.Start()
		if err == nil {
			err = errors.Join(g.Add(cmd.Process.Pid), g.Kill())
			cmd.Wait()
		}
		err = errors.Join(err, g.Remove())
	}
	fmt.Println(err)
}

// leave makes a group with a process in it, and waits to be killed.
func leave(in *bufio.Reader, _ []string) {
	g, err := Probe().New()
	if err != nil {
		fmt.Println(err)
		return
	}
	cmd := exec.Command("/bin/sleep", "1000")
	cmd.Stdout = os.Stdout // which stays open as long as it lives
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		return
	}
	if err := g.Add(cmd.Process.Pid); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Join(g.dirs, " "))
	in.ReadString('\n')
}

// child is one of the programs, running.
type child struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// start runs a program; with changes what it is started with.
func start(t testing.TB, name string, args []string, with func(*exec.Cmd)) *child {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Env = []string{program + "=" + name}
	cmd.Stderr = os.Stderr
	if with != nil {
		with(cmd)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return &child{cmd, in, bufio.NewReader(out)}
}

func (c *child) tell(t testing.TB) {
	t.Helper()
	if _, err := io.WriteString(c.in, "\n"); err != nil {
		t.Fatal(err)
	}
}

func (c *child) line(t testing.TB) string {
	t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		t.Fatal("no line from the program:", err)
	}
	return strings.TrimSuffix(line, "\n")
}
