//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

// person needs a terminal, as only the test for Linux makes one.
func person(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("there is nobody: begin the script with [!linux] skip")
}
