//lint:file-ignore SA1019 What 2026-07-28 deprecates, clients of every version still use.

package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/message"
	"helve/tool"
)

// Progress is passed on 20 times a second, and a few times more at first.
const (
	progressRate  = 20
	progressBurst = 10
)

// CloseStream is the name of the callback ([tool.Runtime.Callback]) with which a tool
// closes the stream of its call, so that a long call holds no connection. The data may
// be a [time.Duration]: when the client is to come back. It does nothing where there is
// no such stream, or the client could not come back.
const CloseStream = "mcp/close_stream"

// comeBack is when a client comes back to a closed stream unless the tool says.
const comeBack = 10 * time.Millisecond

// mostQueued is how many bytes of a call's log wait while its client reads slowly.
const mostQueued = 1 << 20

// line is how a running call reaches its client: through the request that is open at
// the moment. While its questions are with the client, none is. The call itself never
// waits for a client that does not read: what it tells is sent by a goroutine of the
// line's own.
type line struct {
	mu      sync.Mutex
	request *request // nil while none is open
	name    string   // of the tool, for its log

	queue   []note
	queued  int           // bytes in it
	lost    int           // parts of the log that did not fit
	sending chan struct{} // closed when the queue was sent; nil while it is empty

	progress sdk.ProgressNotificationParams // the last, sent or not
	held     bool                           // it was not sent
	begun    bool                           // there was one
	limit    *rate.Limiter
}

// note is something to send.
type note struct {
	send func()
	size int // bytes
}

// open makes r the request that the call answers.
func (l *line) open(r *request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.request = r
}

// close sends what is left and the last progress, so that it arrives before the result
// does. It does not wait for longer than the request and the server last.
func (l *line) close(ending context.Context) {
	l.mu.Lock()
	r := l.request
	l.request = nil
	if r == nil {
		l.mu.Unlock()
		return
	}
	if l.held {
		l.sendProgress(r)
	}
	if l.lost > 0 {
		l.log(r, fmt.Sprintf("[%d parts of the log are left out: the client reads too slowly]", l.lost))
		l.lost = 0
	}
	sent := l.sending
	l.mu.Unlock()
	if sent == nil {
		return
	}
	select {
	case <-sent:
	case <-r.ctx.Done():
	case <-ending.Done():
	}
}

// add has a note sent after those before it. The caller holds the lock.
func (l *line) add(n note) {
	l.queue = append(l.queue, n)
	l.queued += n.size
	if l.sending == nil {
		l.sending = make(chan struct{})
		go l.send()
	}
}

// send sends the queue until nothing is in it.
func (l *line) send() {
	for {
		l.mu.Lock()
		if len(l.queue) == 0 {
			close(l.sending)
			l.sending = nil
			l.mu.Unlock()
			return
		}
		next := l.queue[0]
		l.queue = l.queue[1:]
		l.mu.Unlock()

		next.send()

		l.mu.Lock()
		l.queued -= next.size
		l.mu.Unlock()
	}
}

// report is the Report of the call's [tool.Runtime].
func (l *line) report(_ tool.CallID, u tool.Update) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.request == nil {
		return
	}
	switch u := u.(type) {
	case tool.Progress:
		l.advance(u)
	case tool.Output:
		text, ok := u.Part.(message.Text)
		switch {
		case !ok:
		case l.queued+len(text) > mostQueued:
			l.lost++
		default:
			l.log(l.request, string(text))
		}
	case tool.Callback:
		if u.Name == CloseStream {
			l.closeStream(u.Data)
		}
	}
}

// log passes a part of the tool's output on. The session sends it only to who wants it.
// That it can't be sent is no fault of the tool's.
func (l *line) log(r *request, text string) {
	l.add(note{size: len(text), send: func() {
		_ = r.session.Log(r.ctx, &sdk.LoggingMessageParams{Level: "info", Logger: l.name, Data: text})
	}})
}

// advance passes progress on, if the client wants it and it goes forward.
func (l *line) advance(p tool.Progress) {
	token := l.request.meta["progressToken"]
	if token == nil || l.begun && p.Done <= l.progress.Progress || !finite(p.Done) || !finite(p.Total) {
		return
	}
	if l.limit == nil {
		l.limit = rate.NewLimiter(progressRate, progressBurst)
	}
	l.begun, l.held = true, true
	l.progress = sdk.ProgressNotificationParams{ProgressToken: token, Progress: p.Done, Total: p.Total, Message: p.Note}
	if len(l.queue) < progressBurst && l.limit.Allow() { // else it waits for the next, or the end
		l.sendProgress(l.request)
	}
}

// finite reports that JSON can hold n.
func finite(n float64) bool { return !math.IsNaN(n) && !math.IsInf(n, 0) }

func (l *line) sendProgress(r *request) {
	p := l.progress
	p.ProgressToken = r.meta["progressToken"] // of a request that came back it may be another
	l.held = false
	if p.ProgressToken != nil {
		l.add(note{send: func() { _ = r.session.NotifyProgress(r.ctx, &p) }})
	}
}

func (l *line) closeStream(data any) {
	after, _ := data.(time.Duration)
	if raw, ok := data.(json.RawMessage); ok { // of a tool in another process
		_ = json.Unmarshal(raw, &after)
	}
	if after <= 0 {
		after = comeBack
	}
	if e := l.request.extra; e != nil && e.CloseSSEStream != nil && l.request.resumes {
		l.add(note{send: func() { e.CloseSSEStream(sdk.CloseSSEStreamArgs{RetryAfter: after}) }})
	}
}

// current is the request that is open, or nil.
func (l *line) current() *request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.request
}
