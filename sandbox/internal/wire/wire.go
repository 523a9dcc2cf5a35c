// Package wire is what a sandbox and its launcher say to each other: the configuration on
// file descriptor 3, in two parts, and the status on 4. Both are frames: a kind, a length,
// and as many bytes.
package wire

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

const (
	// Marker is the first argument of a launcher.
	Marker = "helve-sandbox"

	ConfigFD = 3
	StatusFD = 4
)

// Kind says what a frame holds.
type Kind byte

// To the launcher.
const (
	KindBase Kind = 'b' // a Base
	KindRun  Kind = 'r' // a Run, with as many KindData frames after it as its files need
	KindData Kind = 'd' // bytes of a file
)

// From the launcher.
const (
	KindWaiting Kind = 'w' // the base is there: a Run is awaited
	KindFailed  Kind = 'f' // a Failure; nothing ran
	KindExec    Kind = 'x' // a Failure: the program can't be executed
	KindStarted Kind = 's' // the program runs
	KindEnded   Kind = 'e' // an Ended
	KindFile    Kind = 'o' // a File that was made, with its bytes in KindData frames
	KindLeft    Kind = 'l' // why a file was left behind, for people
	KindDone    Kind = 'z' // all files were told of
)

// Base is what can be made before it is known what will run.
type Base struct {
	Proc    bool    `json:"proc"`              // mount /proc
	Mounts  []Mount `json:"mounts,omitempty"`  // besides the system's own
	MinABI  int     `json:"min_abi,omitempty"` // of Landlock
	Reduced string  `json:"reduced,omitempty"` // no namespaces: the folder to run in
}

// Mount is a folder or file of the machine that is seen in the sandbox.
type Mount struct {
	Source string `json:"source"`
	Target string `json:"target"`
}

// Run is one program.
type Run struct {
	Args  []string `json:"args"`
	Env   []string `json:"env"`
	Files []File   `json:"files,omitempty"`

	CPU       int64 `json:"cpu"`  // seconds
	Data      int64 `json:"data"` // bytes of RLIMIT_DATA; 0 where a cgroup counts
	Processes int64 `json:"processes"`
	FileSize  int64 `json:"file_size"`
	Work      int64 `json:"work"`
	Temp      int64 `json:"temp"`

	Filter []byte `json:"filter,omitempty"` // of system calls, as the kernel takes it

	TakeFiles int   `json:"take_files"`
	TakeBytes int64 `json:"take_bytes"`
}

// File is a file that goes in or comes out.
type File struct {
	Name string `json:"name"`
	Exec bool   `json:"exec,omitempty"`
	Size int64  `json:"size"`
}

// Failure is what the launcher could not do.
type Failure struct {
	Stage string `json:"stage"`
	Errno int    `json:"errno,omitempty"`
	Note  string `json:"note,omitempty"` // what it was done with, such as a path
	Text  string `json:"text,omitempty"` // what is wrong, where that is no errno
}

// Ended is what became of the program.
type Ended struct {
	Exit   int   `json:"exit"`   // -1 where a signal ended it
	Signal int   `json:"signal"` // 0 where none did
	Time   int64 `json:"time"`   // microseconds by the clock
	CPU    int64 `json:"cpu"`    // microseconds, of all that were waited for
	RSS    int64 `json:"rss"`    // bytes, the most of one process
}

// MaxFrame is how many bytes a frame holds at most.
const MaxFrame = 8 << 20

// Chunk is how many bytes of a file go into a frame.
const Chunk = 64 << 10

// Write writes a frame.
func Write(w io.Writer, kind Kind, payload []byte) error {
	if len(payload) > MaxFrame {
		return fmt.Errorf("a frame of %d bytes is too long", len(payload))
	}
	var head [5]byte
	head[0] = byte(kind)
	binary.BigEndian.PutUint32(head[1:], uint32(len(payload)))
	if _, err := w.Write(head[:]); err != nil { // a launcher collects no garbage: nothing is copied
		return err
	}
	_, err := w.Write(payload)
	return err
}

// WriteJSON writes a frame with v in it.
func WriteJSON(w io.Writer, kind Kind, v any) error {
	payload, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return Write(w, kind, payload)
}

// Read reads a frame. At the end of r the error is [io.EOF].
func Read(r io.Reader) (Kind, []byte, error) { return ReadInto(r, nil) }

// ReadInto is Read with a buffer for what fits into it.
func ReadInto(r io.Reader, buf []byte) (Kind, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > MaxFrame {
		return 0, nil, fmt.Errorf("a frame of %d bytes is too long", n)
	}
	if int(n) > cap(buf) {
		buf = make([]byte, n)
	}
	payload := buf[:n]
	if _, err := io.ReadFull(r, payload); err != nil {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return Kind(head[0]), payload, nil
}

// ReadJSON reads a frame of one kind into v.
func ReadJSON(r io.Reader, kind Kind, v any) error {
	got, payload, err := Read(r)
	switch {
	case err != nil:
		return err
	case got != kind:
		return fmt.Errorf("got a frame %q in the place of %q", got, kind)
	}
	return json.Unmarshal(payload, v)
}
