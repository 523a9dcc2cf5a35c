// Package seatbelt says how a program is confined on macOS: by the profile of sandbox-exec,
// with limits that a shell sets. It is text alone, so that it can be tested everywhere.
package seatbelt

import (
	"fmt"
	"strings"
)

// Program is what confines. It is a part of macOS.
const Program = "/usr/bin/sandbox-exec"

// ReadyFD is where a byte comes from once the profile and the limits hold, right before the
// program takes the shell's place. Nothing ran where none comes.
const ReadyFD = 3

// Run is what to confine.
type Run struct {
	Work      string   // the folder that may be written, without symbolic links in it
	Read      []string // what may be read and executed besides, likewise
	CPU       int64    // seconds, of each process
	FileSize  int64    // bytes
	Processes int      // of the user, with those of other programs
	Env       []string // "name=value"
	Args      []string // the program, without = in its name, and its arguments
}

// Args are the arguments of [Program]. What a run is given goes in as parameters, never as
// text of the profile or of the shell's script.
func Args(r Run) []string {
	args := []string{Program, "-p", profile(len(r.Read)), "-D", "WORK=" + r.Work}
	for i, path := range r.Read {
		args = append(args, "-D", fmt.Sprintf("READ_%d=%s", i, path))
	}
	// Bash by its own name: sh may be another shell, whose blocks have another size. With -p
	// it reads no file that its environment names.
	args = append(args, "/bin/bash", "-p", "-c", script(r), "bash")
	// The environment begins inside: a variable may have code loaded.
	args = append(args, "/usr/bin/env", "-i")
	return append(append(args, r.Env...), r.Args...)
}

// script sets the limits. That of the processes can't be set only where a lower one holds.
func script(r Run) string {
	return fmt.Sprintf(`ulimit -c 0 && ulimit -t %d && ulimit -f %d && ulimit -n 256 || exit 1
ulimit -u %d 2>/dev/null
echo ready >&%d
exec %[4]d>&-
exec "$@"`, r.CPU, max(r.FileSize>>10, 1), r.Processes, ReadyFD)
}

// profile is what may be done; of two rules that fit, the later one counts. What a process
// needs to start at all is Apple's own list, which changes with the system.
func profile(reads int) string {
	var more strings.Builder
	for i := range reads {
		fmt.Fprintf(&more, "\n  (subpath (param \"READ_%d\"))", i)
	}
	return `(version 1)
(deny default)
(import "system.sb")

; Not the network, and not the arguments and environments of other processes.
(deny network*)
(deny sysctl-read (sysctl-name-prefix "kern.proc"))

; The user's files have a second name there.
(deny file-read* file-write* (subpath "/System/Volumes/Data"))

(allow process-fork)
(allow signal (target same-sandbox))
(allow sysctl-read
  (sysctl-name-prefix "hw.")
  (sysctl-name "kern.argmax")
  (sysctl-name "kern.hostname")
  (sysctl-name "kern.maxfilesperproc")
  (sysctl-name "kern.osproductversion")
  (sysctl-name "kern.osrelease")
  (sysctl-name "kern.ostype")
  (sysctl-name "kern.osversion")
  (sysctl-name "kern.version"))

; That a file exists is not hidden.
(allow file-read-metadata)
(allow file-read* (literal "/"))

(allow process-exec file-read* file-map-executable
  (subpath "/bin")
  (subpath "/sbin")
  (subpath "/usr/bin")
  (subpath "/usr/sbin")
  (subpath "/usr/lib")
  (subpath "/usr/libexec")
  (subpath "/usr/local/bin")
  (subpath "/Library/Developer/CommandLineTools")
  (subpath (param "WORK"))` + more.String() + `)
(allow file-read*
  (subpath "/usr/share")
  (subpath "/private/etc/ssl")
  (subpath "/private/var/db/timezone")
  (literal "/private/etc/localtime")
  (literal "/private/var/db/xcode_select_link")
  (literal "/private/var/select/sh")
  (literal "/dev/random")
  (literal "/dev/urandom"))
(allow file-read* file-write-data
  (literal "/dev/null")
  (literal "/dev/zero"))

(allow file-write* (subpath (param "WORK")))
(deny file-write-setugid)
(deny file-write-flags)
`
}
