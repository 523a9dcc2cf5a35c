//go:build linux

package cgroup_test

import (
	"context"
	"fmt"
	"log"
	"os/exec"
	"time"

	"helve/sandbox/internal/cgroup"
)

// A command waits until it is in a group. Where there are no groups, ExampleWatch shows
// what is left.
func Example() {
	cmd := exec.Command("sh", "-c", "read go && exit 7")
	in, err := cmd.StdinPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	mode := cgroup.Probe()
	if mode.Version != 0 {
		group, err := mode.New()
		if err != nil {
			log.Fatal(err)
		}
		defer group.Remove()
		if err := group.Limit(64<<20, 16); err != nil {
			log.Fatal(err)
		}
		if err := group.Add(cmd.Process.Pid); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Fprintln(in, "go")
	fmt.Println(cmd.Wait())
	// Output: exit status 7
}

// A process is killed as soon as it and what it started have more than 1 KiB, as any has.
func ExampleWatch() {
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	seen, err := cgroup.Watch(context.Background(), cmd.Process.Pid, 1<<10, 20*time.Millisecond)
	if err != nil {
		log.Fatal(err)
	}
	if seen.Over {
		cmd.Process.Kill()
	}
	fmt.Println(seen.Over, seen.Processes, cmd.Wait())
	// Output: true 1 signal: killed
}
