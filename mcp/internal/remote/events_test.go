package remote

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rewritten reads all of stream, a chunk at a time.
func rewritten(stream string, size int, o eventOptions, mend func([]byte) []byte) (string, *events, error) {
	r := &Remote{mend: mend, maxBody: maxBody}
	e := r.newEvents(&http.Request{}, io.NopCloser(&chunked{[]byte(stream), size}), o)
	e.lost = func(error) {}
	out, err := io.ReadAll(e)
	return string(out), e, err
}

type chunked struct {
	rest []byte
	size int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.rest[:min(c.size, len(c.rest))])
	c.rest = c.rest[n:]
	return n, nil
}

func TestEvents(t *testing.T) {
	t.Parallel()
	shout := func(b []byte) []byte { return bytes.ToUpper(b) }
	for _, test := range []struct{ name, stream, want, legacy, hidden string }{
		{
			"a message", "event: message\nid: 1\nretry: 20\ndata: {\"a\":1}\n\n",
			"id: 1\nretry: 20\nevent: message\ndata: {\"A\":1}\n\n", "event: message\ndata: {\"A\":1}\n\n", "event: message\ndata: {\"A\":1}\n\n",
		},
		{"no spaces, CRLF, CR", "data:{}\r\n\r\ndata:[]\r\rdata: {}\n\n", "data: {}\n\ndata: []\n\ndata: {}\n\n", "=", "="},
		{"a mark at the beginning", "\uFEFFdata: {}\n\n", "data: {}\n\n", "=", "="},
		{"several lines", "data: {\ndata:  \"a\":\ndata: 1}\n\n", "data: {\ndata:  \"A\":\ndata: 1}\n\n", "=", "="},
		{"comments at once", ": hello\n:\ndata: {}\n: in between\n\n", ": hello\n\n:\n\n: in between\n\ndata: {}\n\n", "=", "="},
		{"only an id", "id: 7\nevent: prime\ndata:\n\n", "id: 7\n\n", "", ""},
		{"no message", "id: 1\ndata: hello\n\ndata: 1\n\n", "id: 1\n\n", "", ""},
		{"another kind of event", "event: ping\ndata: {}\n\n", "", "", ""},
		{"the endpoint of an older server", "event: endpoint\ndata: /messages?session=1\n\n", "", "event: endpoint\ndata: /messages?session=1\n\n", ""},
		{"unknown fields, and no colon", "foo: bar\nfoo\ndata\ndata: {}\n\n", "data: \ndata: {}\n\n", "=", "="},
		{"an id with NUL", "id: 1\x002\ndata: {}\n\n", "data: {}\n\n", "=", "="},
		{"no empty line at the end", "data: {}\n\ndata: {\"a\":1}", "data: {}\n\ndata: {\"A\":1}\n\n", "=", "="},
		{"cut off at the end", "data: {}\n\ndata: {\"a\":", "data: {}\n\n", "=", "="},
		{"nothing", "", "", "", ""},
	} {
		for _, size := range []int{1, 2, 3, 1000} {
			for o, want := range map[eventOptions]string{{}: test.want, {legacy: true}: test.legacy, {hidden: true}: test.hidden} {
				if want == "=" {
					want = test.want
				}
				if got, _, err := rewritten(test.stream, size, o, shout); err != nil || got != want {
					t.Errorf("%s, %+v, %d bytes at a time: %v (-want +got):\n%s", test.name, o, size, err, cmp.Diff(want, got))
				}
			}
		}
	}
}

func TestEventsRememberForTheKeeper(t *testing.T) {
	t.Parallel()
	_, e, err := rewritten("id: 1\ndata: {}\n\nretry: 1500\nid: 2\n\nid: 3\ndata: {", 5, eventOptions{hidden: true}, nil)
	if err != nil || e.lastID != "2" || e.wait != 1500*time.Millisecond || e.dispatched != 2 {
		t.Errorf("got id %q, wait %v, %d events, %v", e.lastID, e.wait, e.dispatched, err)
	}
}

// What is complete is there before the server sends the next byte.
func TestEventsDoNotWait(t *testing.T) {
	t.Parallel()
	in, server := io.Pipe()
	e := (&Remote{maxBody: maxBody}).newEvents(&http.Request{}, in, eventOptions{})
	defer e.Close()
	p := make([]byte, 100)
	for i := range 5 {
		message := fmt.Sprintf("data: {\"n\":%d}\n\n", i)
		go func() {
			for _, b := range []byte(message) {
				server.Write([]byte{b})
			}
		}()
		if n, err := e.Read(p); err != nil || string(p[:n]) != message {
			t.Fatalf("got %q, %v", p[:n], err)
		}
	}
}

func TestBrokenStream(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	e := (&Remote{maxBody: maxBody}).newEvents(&http.Request{}, io.NopCloser(io.MultiReader(strings.NewReader("data: {}\n\ndata: {}"), iotest.ErrReader(broken))), eventOptions{})
	var lost error
	e.lost = func(err error) { lost = err }
	out, err := io.ReadAll(e)
	if string(out) != "data: {}\n\n" || !errors.Is(err, broken) || lost != err {
		t.Errorf("got %q, %v; kept %v", out, err, lost)
	}
}

func TestLargeEventsAreCounted(t *testing.T) {
	t.Parallel()
	for _, stream := range []string{
		"data: " + strings.Repeat("x", 100) + "\n\n",
		strings.Repeat("data: "+strings.Repeat("x", 9)+"\n", 12),
		strings.Repeat("data:\n", 101),
		"id: " + strings.Repeat("x", 100),
	} {
		w := rewriter{limit: 100}
		if err := w.add([]byte(stream)); err == nil {
			t.Errorf("%q: got %v", stream, err)
		}
	}
	w := rewriter{limit: 100}
	if err := w.add([]byte(strings.Repeat("data: "+strings.Repeat("x", 90)+"\n\n", 5))); err != nil {
		t.Errorf("small events: %v", err)
	}
}

type event struct{ Name, ID, Retry, Data string }

// parseEvents is the standard's text, as short as it gets. It leaves out what is no
// message, as the rewriter does.
func parseEvents(stream string) (found []event) {
	stream = strings.TrimPrefix(stream, "\uFEFF")
	stream = strings.ReplaceAll(strings.ReplaceAll(stream, "\r\n", "\n"), "\r", "\n")
	var e event
	var data []string
	dispatch := func() {
		e.Data = strings.Join(data, "\n")
		if e.Name != "" && e.Name != "message" || !looksLikeJSON([]byte(e.Data)) {
			e.Name, e.Data = "", ""
		}
		if e != (event{}) {
			found = append(found, e)
		}
		e, data = event{}, nil
	}
	lines := strings.Split(stream, "\n")
	for i, line := range lines {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "" && i < len(lines)-1:
			dispatch()
		case name == "event":
			e.Name = value
		case name == "id" && !strings.Contains(value, "\x00"):
			e.ID = value
		case name == "retry":
			e.Retry = value
		case name == "data":
			data = append(data, value)
		}
	}
	if isWhole([]byte(strings.Join(data, "\n"))) {
		dispatch()
	}
	return found
}

// However the stream is cut, the events are those that the standard reads, before and
// after.
func FuzzEvents(f *testing.F) {
	f.Add("event: message\nid: 1\nretry: 20\ndata: {\"a\":1}\n\n: x\n\nid: 2\n\n", 3)
	f.Add("\uFEFFdata:{}\r\n\r\ndata: [\rdata: ]\r\rdata", 1)
	f.Add("data: {\ndata: }\n\nfoo\nevent: endpoint\ndata: /x\n\ndata: {}", 2)
	f.Fuzz(func(t *testing.T, stream string, size int) {
		got, _, err := rewritten(stream, max(1, size), eventOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole, _, _ := rewritten(stream, 1<<20, eventOptions{}, nil)
		if got != whole {
			t.Fatalf("the size of chunks matters (-whole +cut):\n%s", cmp.Diff(whole, got))
		}
		if want := parseEvents(stream); !slices.Equal(parseEvents(got), want) {
			t.Errorf("(-want +got):\n%s", cmp.Diff(want, parseEvents(got)))
		}
	})
}
