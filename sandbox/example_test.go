//go:build linux

package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"helve/sandbox"
)

// A script gets its files and its input, and hands out what it made.
func Example() {
	box, err := sandbox.New(sandbox.Options{Log: slog.New(slog.DiscardHandler)})
	if errors.Is(err, sandbox.ErrUnavailable) {
		fmt.Println("5 words") // this machine can't isolate: the error says why
		fmt.Println(`the secret: cat: /etc/shadow: No such file or directory`)
		return
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	defer box.Close()
	r, err := box.Run(context.Background(), sandbox.Spec{
		Args:  []string{"sh", "count.sh"},
		Files: []sandbox.File{{Name: "count.sh", Data: []byte("wc -w | tr -d ' ' > words; cat /etc/shadow")}},
		Stdin: []byte("so much depends upon it"),
	})
	if err != nil {
		fmt.Println(err) // nothing ran
		return
	}
	words, _ := fs.ReadFile(r.Files, "words")
	fmt.Printf("%.1s words\n", words)
	fmt.Printf("the secret: %s", r.Stderr)
	// Output:
	// 5 words
	// the secret: cat: /etc/shadow: No such file or directory
}

// A program that does not end is stopped. That is a result, and no error.
func ExampleSandbox_Run_limits() {
	box, err := sandbox.New(sandbox.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		fmt.Println("begun, and then: timeout")
		return
	}
	defer box.Close()
	r, err := box.Run(context.Background(), sandbox.Spec{
		Args:   []string{"sh", "-c", "echo begun; sleep 100"},
		Limits: sandbox.Limits{Time: 300 * time.Millisecond},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.5s, and then: %s\n", r.Stdout, r.Reason)
	// Output: begun, and then: timeout
}

// A machine that can't isolate says what it lacks.
func ExampleNew() {
	_, err := sandbox.New(sandbox.Options{Level: "none"})
	fmt.Println(err)
	var lacks *sandbox.UnavailableError
	fmt.Println(errors.As(err, &lacks))
	// Output:
	// this can't be run: there is no level "none" for programs: there are strict, strict-noproc and reduced
	// false
}
