//lint:file-ignore SA1019 What 2026-07-28 deprecates, clients of every version still use.

package serve

import (
	"encoding/json"
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

// line is how a running call reaches its client: through the request that is open at
// the moment. While its questions are with the client, none is.
type line struct {
	mu      sync.Mutex
	request *request // nil while none is open
	name    string   // of the tool, for its log

	progress sdk.ProgressNotificationParams // the last, sent or not
	held     bool                           // it was not sent
	begun    bool                           // there was one
	limit    *rate.Limiter
}

// open makes r the request that the call answers.
func (l *line) open(r *request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.request = r
}

// close sends the last progress, so that it arrives before the result does.
func (l *line) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held && l.request != nil {
		l.sendProgress()
	}
	l.request = nil
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
		if text, ok := u.Part.(message.Text); ok {
			// The session sends it only to who wants it. That it can't be sent is no fault of
			// the tool's.
			_ = l.request.session.Log(l.request.ctx, &sdk.LoggingMessageParams{Level: "info", Logger: l.name, Data: string(text)})
		}
	case tool.Callback:
		if u.Name == CloseStream {
			l.closeStream(u.Data)
		}
	}
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
	if l.limit.Allow() {
		l.sendProgress()
	}
}

// finite reports that JSON can hold n.
func finite(n float64) bool { return !math.IsNaN(n) && !math.IsInf(n, 0) }

func (l *line) sendProgress() {
	p := l.progress
	p.ProgressToken = l.request.meta["progressToken"] // of a request that came back it may be another
	l.held = false
	if p.ProgressToken != nil {
		_ = l.request.session.NotifyProgress(l.request.ctx, &p)
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
		e.CloseSSEStream(sdk.CloseSSEStreamArgs{RetryAfter: after})
	}
}

// current is the request that is open, or nil.
func (l *line) current() *request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.request
}
