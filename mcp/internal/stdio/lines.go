package stdio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"helve/internal/jsontext"
)

const (
	maxMessage = 32 << 20 // bytes; reading it takes up to seven times as many
	bufferSize = 64 << 10 // bytes; a line within it is not copied
	keptBuffer = 1 << 20  // bytes; a larger line's memory is let go after it
)

// errTooLong ends a connection: what came after could not be trusted to be a line.
var errTooLong = fmt.Errorf("the server sent a message of more than %d MiB", maxMessage>>20)

// lines finds the messages in what a server prints.
type lines struct {
	in    *bufio.Reader
	long  []byte            // a line that is longer than in's buffer
	stray func(line []byte) // is told of the others, or their beginning; it must not keep it
}

func newLines(in io.Reader, stray func([]byte)) *lines {
	return &lines{in: bufio.NewReaderSize(in, bufferSize), stray: stray}
}

// next returns the next message, which is valid until the next call: a line that begins
// with { or [ and is valid JSON. A last line without its end is a message too: if it was
// cut off, it is not valid.
func (l *lines) next() ([]byte, error) {
	for {
		line, err := l.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if message := trim(line); candidate(message) && jsontext.Valid(message) {
			return clean(message), nil // the error comes again
		}
		if len(bytes.TrimSpace(line)) > 0 {
			l.stray(line)
		}
		if err != nil {
			return nil, err
		}
	}
}

// line reads to the end of a line. Of one that can't be a message it returns only the
// beginning.
func (l *lines) line() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	if cap(l.long) > keptBuffer {
		l.long = nil
	}
	l.long = append(l.long[:0], line...)
	begun := trim(l.long)
	wanted := len(begun) == 0 || candidate(begun)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.in.ReadSlice('\n')
		if wanted {
			l.long = append(l.long, line...)
		}
		if len(l.long) > maxMessage+1 { // and its newline
			l.long = nil
			return nil, errTooLong
		}
	}
	return l.long, err
}

// trim takes off the space around a line, and the mark that some programs begin their
// output with.
func trim(line []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))
}

func candidate(line []byte) bool { return len(line) > 0 && (line[0] == '{' || line[0] == '[') }

// clean keeps bytes that are no text from everybody above: no model takes them.
func clean(message []byte) []byte {
	if utf8.Valid(message) {
		return message
	}
	return bytes.ToValidUTF8(message, []byte("\uFFFD"))
}
