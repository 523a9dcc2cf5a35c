package mcp_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"helve/mcp"
	"helve/message"
	"helve/tool"
)

// callFault is a call that goes wrong, or has a strange result. After each the client
// can call again.
type callFault struct {
	tool string
	args any

	kind  tool.Kind // of the error; "" is a result
	may   bool      // there may be an error as well
	text  []string  // patterns of the result's text, or of all that the error says
	check func(t *testing.T, r tool.Result)
}

var callFaults = []callFault{
	{tool: "fail", kind: tool.KindExecution, text: []string{"no such city: Atlantis"}},
	{tool: "error", kind: tool.KindExecution, text: []string{"the disk is on fire"}},
	{tool: "error_without_message", kind: tool.KindExecution, text: []string{"-32000"}},
	{tool: "image", check: hasPixel},
	{tool: "data_url", check: hasPixelOrURL},
	{tool: "bad_base64", text: []string{"!!not base64!!"}},
	{tool: "mixed", text: []string{"one of each"}, check: hasOneOfEach},
	{tool: "structured", text: []string{"the id"}, check: hasExactID},
	{tool: "structured_only", text: []string{"12345678901234567890"}},
	{tool: "unknown_content", text: []string{"before", "hologram", "12345678901234567890", "after"}},
	{tool: "no_content"},
	{tool: "null_content"},
	{tool: "nothing"},
	{tool: "die", kind: tool.KindUnavailable, text: []string{"(?i)may have|perhaps|not known"}},
	{tool: "kill", kind: tool.KindUnavailable, text: []string{"(?i)may have|perhaps|not known"}},
	{tool: "echo", args: map[string]any{"text": 7}, kind: tool.KindInvalidParameters, text: []string{"arguments"}}, // -32602
}

func TestFaultsOfACall(t *testing.T) {
	t.Parallel()
	ways := map[string]func(t *testing.T, fault string) *server{
		"JSON": func(t *testing.T, f string) *server { return overHTTP(t, f+"+json") },
	}
	for name, start := range overs {
		ways[name] = start
	}
	for name, start := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "")
			stop := healthy(t)
			s.open()
			ran := map[string]int{}
			for _, f := range callFaults {
				s.suffer(t, f)
				s.works()
				ran[f.tool]++
			}
			stop()
			s.close()
			for name, n := range ran {
				if got := s.record.Count("ran " + name); name != "echo" && got != n {
					t.Errorf("%s was called %d times, and ran %d times", name, n, got)
				}
			}
		})
	}
}

func (s *server) suffer(t *testing.T, f callFault) {
	t.Helper()
	result, err := s.call(within(t), f.tool, f.args)
	var e *tool.Error
	switch {
	case err == nil && f.kind != "" && !f.may:
		t.Errorf("%s: no error but %.300q", f.tool, result.Text())
	case err == nil:
		match(t, result.Text(), f.text...)
		if f.check != nil {
			f.check(t, result)
		}
	case f.kind == "" && !f.may:
		t.Errorf("%s: %s", f.tool, whole(err))
	default:
		if errors.As(err, &e) && e.Kind != f.kind {
			t.Errorf("%s: %s, not %s", f.tool, whole(err), f.kind)
		}
		match(t, whole(err), f.text...)
	}
}

func hasPixel(t *testing.T, r tool.Result) {
	t.Helper()
	for _, p := range r.Content {
		if image, ok := p.(message.Image); ok && image.MediaType == "image/png" && bytes.HasPrefix(image.Data, []byte("\x89PNG")) {
			return
		}
	}
	t.Errorf("no picture in %#v", r.Content)
}

// hasPixelOrURL takes a picture, or the text that a picture could not be made of.
func hasPixelOrURL(t *testing.T, r tool.Result) {
	t.Helper()
	if r.Text() == "" {
		hasPixel(t, r)
		return
	}
	match(t, r.Text(), "data:image/png")
}

// Not in parallel: so much text takes the processor from what measures time.
func TestHugeResult(t *testing.T) {
	if slow {
		t.Skip("it moves 17 MB, which is not for -race")
	}
	for name, start := range overs {
		t.Run(name, func(t *testing.T) {
			s := start(t, "")
			s.config.IdleTimeout = time.Minute
			s.open()
			s.suffer(t, callFault{tool: "huge", args: map[string]any{"megabytes": 17}, text: []string{"0123456789abcde"}})
			s.works()
		})
	}
}

// hasExactID: what was meant for a program reaches the host, digit by digit.
func hasExactID(t *testing.T, r tool.Result) {
	t.Helper()
	if o, ok := r.Artifact.(mcp.Output); !ok || !bytes.Contains(o.Structured, []byte("12345678901234567890")) {
		t.Errorf("artifact %+v", r.Artifact)
	}
}

func hasOneOfEach(t *testing.T, r tool.Result) {
	t.Helper()
	hasPixel(t, r)
	var audio, note, link bool
	for _, p := range r.Content {
		switch p := p.(type) {
		case message.Audio:
			audio = string(p.Data) == "RIFF" && p.MediaType == "audio/wav"
		case message.Resource:
			note = note || p.URI == "test://note" && p.Text == "a note"
			link = link || p.URI == "test://far" && p.Text == ""
		}
	}
	if !audio || !note || !link {
		t.Errorf("audio %v, note %v, link %v: %#v", audio, note, link, r.Content)
	}
}

// 65 MB are more than anybody takes: the call fails or its result is cut, and the next
// one works.
func TestResultBeyondEveryLimit(t *testing.T) {
	t.Parallel()
	if testing.Short() || slow {
		t.Skip("it moves 65 MB, which is not for -short and -race")
	}
	for _, name := range []string{"stdio", "HTTP"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := overs[name](t, "")
			s.config.IdleTimeout = 20 * time.Second
			s.open()
			result, err := s.call(within(t), "huge", map[string]any{"megabytes": 65})
			if err == nil && len(result.Text()) > 64<<20 {
				t.Errorf("%d bytes came through", len(result.Text()))
			}
			if err != nil {
				match(t, whole(err), "(?i)large|long|limit|big|more than|MB|MiB")
			}
			s.works()
			if n := s.record.Count("ran huge"); n != 1 {
				t.Errorf("it ran %d times", n)
			}
		})
	}
}

// The error for a program that died has the end of its standard error.
func TestDeathHasItsLastWords(t *testing.T) {
	t.Parallel()
	s := overStdio(t, "")
	s.open()
	_, err := s.call(within(t), "die", nil)
	if err == nil {
		t.Fatal("no error")
	}
	match(t, whole(err), "fatal: the disk is on fire")
}

func TestNoAnswer(t *testing.T) {
	t.Parallel()
	for name, start := range overs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "")
			s.config.IdleTimeout = time.Second
			s.open()
			s.works()
			s.suffer(t, callFault{tool: "never", kind: tool.KindTimeout, text: []string{"1s|second"}})
			s.works()
		})
	}
}

// Total time counts too: progress is no way to go on for ever.
func TestProgressForEver(t *testing.T) {
	t.Parallel()
	s := overStdio(t, "")
	s.config.Timeout = time.Second
	s.open()
	s.suffer(t, callFault{tool: "progress", args: map[string]any{"steps": 400, "pause": 50}, kind: tool.KindTimeout})
	s.works()
}

// REST has no parts, only results and errors.
func TestFaultsOfAPlainCall(t *testing.T) {
	t.Parallel()
	s := overHTTP(t, "rest+key="+secret)
	s.open()
	for _, f := range []callFault{
		{tool: "fail", kind: tool.KindExecution, text: []string{"no such city: Atlantis"}},
		{tool: "error", kind: tool.KindExecution, text: []string{"the disk is on fire"}},
		{tool: "structured", text: []string{"12345678901234567890"}},
		{tool: "nothing"},
		{tool: "huge", args: map[string]any{"megabytes": 17}, may: true, kind: tool.KindExecution},
		{tool: "die", kind: tool.KindUnavailable, text: []string{"(?i)may have|perhaps|not known"}},
	} {
		if f.tool == "huge" && slow {
			continue
		}
		s.suffer(t, f)
		s.works()
		if n := s.record.Count("ran " + f.tool); n != 1 {
			t.Errorf("%s ran %d times", f.tool, n)
		}
	}
}
