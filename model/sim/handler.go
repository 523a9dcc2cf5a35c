package sim

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"helve/dialect"
)

// Options say how the offline model behaves. The zero value is a model that
// thinks for itself and never misbehaves.
type Options struct {
	// Script is what the model says instead of thinking. It may be nil.
	Script *Script
	// Dialect makes it a model without function calling, which writes its calls as
	// text, in this dialect: see the package documentation. Nil, or one without calls,
	// means function calling.
	Dialect *dialect.Dialect
	// Faults are suffered by one request each, in order. See [ParseFaults].
	Faults []Fault
	// Sleep waits for d or until ctx ends, and then returns ctx's error. Tests
	// set it so that [Slow] takes no time; nil waits in truth.
	Sleep func(ctx context.Context, d time.Duration) error
}

// handler answers requests. It is safe for concurrent use.
type handler struct {
	mux     *http.ServeMux
	sleep   func(context.Context, time.Duration) error
	dialect *dialect.Dialect // nil: function calling

	mu     sync.Mutex
	faults []Fault
	script *player // nil where the model thinks for itself
}

// Handler returns the offline model as an [http.Handler], for a server of your
// own such as httptest's. Its paths begin with /v1/.
func Handler(opts Options) http.Handler {
	h := &handler{mux: http.NewServeMux(), sleep: opts.Sleep, faults: opts.Faults}
	if h.sleep == nil {
		h.sleep = sleep
	}
	if opts.textOnly() {
		h.dialect = opts.Dialect
	}
	if opts.Script != nil {
		h.script = newPlayer(opts.Script)
	}
	h.mux.HandleFunc("GET /v1/models", h.listModels)
	h.mux.HandleFunc("GET /v1/models/{id}", h.showModel)
	h.mux.HandleFunc("POST /v1/chat/completions", h.complete)
	h.mux.HandleFunc("/", h.noSuchPath)
	return h
}

// textOnly reports whether the model has no function calling.
func (o *Options) textOnly() bool { return o.Dialect != nil && o.Dialect.Example() != "" }

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if id := r.Header.Get("X-Request-Id"); id != "" {
		w.Header().Set("X-Request-Id", id)
	}
	h.mux.ServeHTTP(w, r)
}

func (h *handler) listModels(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, encode(map[string]any{"object": "list", "data": []wireModel{offlineModel}}))
}

func (h *handler) showModel(w http.ResponseWriter, r *http.Request) {
	if id := r.PathValue("id"); id != modelName {
		writeError(w, http.StatusNotFound, invalid("model", "model_not_found", fmt.Sprintf("there is no model %q here: the only one is %q", id, modelName)))
		return
	}
	writeJSON(w, http.StatusOK, encode(offlineModel))
}

func (h *handler) noSuchPath(w http.ResponseWriter, r *http.Request) {
	writeError(w, http.StatusNotFound, invalid("", "unknown_url", fmt.Sprintf("the offline model has no %s %s: it has GET /v1/models and POST /v1/chat/completions", r.Method, r.URL.Path)))
}

func (h *handler) complete(w http.ResponseWriter, r *http.Request) {
	req, err := readRequest(http.MaxBytesReader(w, r.Body, maxBody), h.dialect)
	if err != nil {
		writeBadRequest(w, err)
		return
	}
	fault := h.takeFault()
	if fault.refuses() {
		h.refuse(w, r, fault)
		return
	}
	reply, scripted, err := h.say(req)
	if err != nil {
		writeBadRequest(w, err)
		return
	}
	if fault == "" {
		fault = scripted
	}
	if fault.refuses() {
		h.refuse(w, r, fault)
		return
	}
	if req.dialect != nil {
		reply.inText(req, fault)
	} else {
		reply.shorten(req)
		fault.deform(reply, req) // a fault keeps no promise
		name(reply.calls, req)
	}
	(&answer{w, req, reply, fault, h.sleep}).send(r.Context())
}

// say is what the model answers: by the script, or by thinking.
func (h *handler) say(req *request) (*reply, Fault, error) {
	if h.script == nil {
		r := respond(req)
		if req.dialect != nil {
			r.speak(req)
		}
		return r, "", nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.script.next(req)
}

// takeFault returns the fault of this request; Endless stays.
func (h *handler) takeFault() Fault {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.faults) == 0 {
		return ""
	}
	f := h.faults[0]
	if f != Endless {
		h.faults = h.faults[1:]
	}
	return f
}

// name gives the calls that have none an ID. It depends on the request alone,
// and differs between the turns of a conversation, which have other histories.
func name(calls []call, req *request) {
	for i := range calls {
		if calls[i].id == "" {
			calls[i].id = fmt.Sprintf("call_%s_%d", req.id[:12], i)
		}
	}
}

var faultError = wireError{Message: "the offline model was told to fail", Type: "server_error"}

func (h *handler) refuse(w http.ResponseWriter, r *http.Request, f Fault) {
	switch f {
	case RateLimit:
		w.Header().Set("Retry-After", "1")
		code := "rate_limit_exceeded"
		writeError(w, http.StatusTooManyRequests, wireError{Message: "the offline model was told to be busy", Type: "rate_limit_error", Code: &code})
	case HTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!DOCTYPE html>\n<title>Sign in</title>\n<p>This page is not a model.\n"))
	case Silence:
		<-r.Context().Done()
	default:
		writeError(w, http.StatusInternalServerError, faultError)
	}
}

func writeBadRequest(w http.ResponseWriter, err error) {
	var bad *badRequest
	if !errors.As(err, &bad) {
		bad = refuse("", "%v", err)
	}
	writeError(w, bad.status, invalid(bad.param, bad.code, bad.message))
}

// invalid is an error that the client made. Empty param and code are null.
func invalid(param, code, message string) wireError {
	e := wireError{Message: strings.TrimSuffix(message, "\n"), Type: "invalid_request_error"}
	if param != "" {
		e.Param = &param
	}
	if code != "" {
		e.Code = &code
	}
	return e
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
