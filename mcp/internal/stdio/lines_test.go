package stdio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// messages returns what lines finds in what in gives, and the stray lines.
func messages(t testing.TB, in io.Reader, buffer int) (found, stray []string) {
	t.Helper()
	l := newLines(in, func(line []byte) { stray = append(stray, string(line)) })
	l.in = bufio.NewReaderSize(in, buffer)
	for {
		message, err := l.next()
		if errors.Is(err, io.EOF) {
			return found, stray
		}
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, string(message))
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	long := `{"a":"` + strings.Repeat("x", 3*bufferSize) + `"}`
	noise := strings.Repeat("x", 3*bufferSize)
	for name, test := range map[string]struct {
		text        string
		want, stray []string
	}{
		"nothing":         {},
		"empty lines":     {text: "\n\r\n \t\n\n"},
		"messages":        {text: "{}\n[]\r\n  {\"a\":1}\t\n", want: []string{"{}", "[]", `{"a":1}`}},
		"no end":          {text: "{}\n{}", want: []string{"{}", "{}"}},
		"cut off":         {text: "{}\n{\"a\":", want: []string{"{}"}, stray: []string{`{"a":`}},
		"a mark":          {text: "\uFEFF{}\n", want: []string{"{}"}},
		"other JSON":      {text: "1\n\"a\"\nnull\n{}\n", want: []string{"{}"}, stray: []string{"1\n", "\"a\"\n", "null\n"}},
		"two in a line":   {text: "{}{}\n{}\n", want: []string{"{}"}, stray: []string{"{}{}\n"}},
		"looks like one":  {text: "[info] {}\n{\n}\n", stray: []string{"[info] {}\n", "{\n", "}\n"}},
		"a long one":      {text: long + "\n{}\n" + long, want: []string{long, "{}", long}},
		"long noise":      {text: noise + "\n{}\n" + noise, want: []string{"{}"}, stray: []string{noise[:bufferSize], noise[:bufferSize]}},
		"a full buffer":   {text: strings.Repeat(" ", bufferSize-2) + "{}\n{}\n", want: []string{"{}", "{}"}},
		"not UTF-8":       {text: "{\"a\":\"\xff\xfe\"}\n", want: []string{"{\"a\":\"\uFFFD\"}"}},
		"a NUL in a line": {text: "\x00{}\n{}\n", want: []string{"{}"}, stray: []string{"\x00{}\n"}},
	} {
		found, stray := messages(t, strings.NewReader(test.text), bufferSize)
		if !slices.Equal(found, test.want) || !slices.Equal(stray, test.stray) {
			t.Errorf("%s: found %.100q, want %.100q; stray %.100q, want %.100q", name, found, test.want, stray, test.stray)
		}
	}
}

// endless is a line without an end.
type endless struct{ first string }

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.first)
	e.first = e.first[n:]
	for i := range p[n:] {
		p[n+i] = ' '
	}
	return len(p), nil
}

func TestALineWithoutAnEnd(t *testing.T) {
	t.Parallel()
	l := newLines(&endless{first: "{"}, func([]byte) { t.Error("it is no stray line") })
	if _, err := l.next(); !errors.Is(err, errTooLong) {
		t.Error(err)
	}
	if l.long != nil {
		t.Errorf("%d bytes are kept", cap(l.long))
	}
}

func TestAFailingReader(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	l := newLines(io.MultiReader(strings.NewReader("{}\n{}"), iotest.ErrReader(broken)), func([]byte) {})
	if _, err := l.next(); err != nil {
		t.Error(err)
	}
	if _, err := l.next(); !errors.Is(err, broken) {
		t.Errorf("what was cut off by an error is no message: %v", err)
	}
}

// chunks gives data in pieces as long as cuts says, again and again.
type chunks struct {
	data, cuts []byte
	next       int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := 1
	if len(c.cuts) > 0 {
		n += int(c.cuts[c.next%len(c.cuts)])
		c.next++
	}
	n = copy(p, c.data[:min(n, len(c.data))])
	c.data = c.data[n:]
	return n, nil
}

// FuzzLines: in whatever pieces text comes, each line that is a message comes out once
// and in order, and each other line that says something is stray.
func FuzzLines(f *testing.F) {
	f.Add([]byte("{}\nhello\n[1]\n"), []byte{0, 1})
	f.Add([]byte("\uFEFF{\"a\":\"\xff\"}\r\n{\"b\":"), []byte{2})
	f.Add([]byte("                 {}\n{}"), []byte{200, 1})
	f.Add([]byte("[[[[[[[[[[[[[[[[[\n{\"a\":[1,2,3,4,5]}\nwhat is not one\n[1,2]"), []byte{})
	f.Fuzz(func(t *testing.T, text, cuts []byte) {
		var want []string
		others := 0
		lines := bufio.NewReader(bytes.NewReader(text))
		for end := false; !end; {
			line, err := lines.ReadString('\n')
			end = err != nil
			message := strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF"))
			switch {
			case (strings.HasPrefix(message, "{") || strings.HasPrefix(message, "[")) && json.Valid([]byte(message)):
				want = append(want, strings.ToValidUTF8(message, "\uFFFD"))
			case strings.TrimSpace(line) != "":
				others++
			}
		}
		found, stray := messages(t, &chunks{data: text, cuts: cuts}, 16) // short, so that most lines are long
		if !slices.Equal(found, want) {
			t.Errorf("found %q, want %q", found, want)
		}
		if len(stray) != others {
			t.Errorf("%d lines are stray, want %d: %q", len(stray), others, stray)
		}
	})
}
