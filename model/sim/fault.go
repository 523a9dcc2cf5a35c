package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Fault is a way to misbehave, for tests of what must survive it.
type Fault string

// The faults. Each concerns one request, but Endless, which stays.
const (
	RateLimit     Fault = "429"          // refuses with HTTP 429 and Retry-After: 1
	ServerError   Fault = "500"          // refuses with HTTP 500
	HTML          Fault = "html"         // answers HTTP 200 with a web page, as a proxy does
	Silence       Fault = "silence"      // accepts the request and sends nothing until the client leaves
	Slow          Fault = "slow"         // waits 3 s before the first byte and 200 ms between chunks
	Cut           Fault = "cut"          // closes the connection in the middle of the answer
	Stall         Fault = "stall"        // sends half of the answer and then nothing until the client leaves
	CutCall       Fault = "cut-call"     // closes the connection in the middle of a call's arguments
	StreamError   Fault = "stream-error" // puts an error object in the middle of the stream
	BadJSON       Fault = "bad-json"     // calls a tool with arguments that are not JSON
	UnknownTool   Fault = "unknown-tool" // calls a tool that was not offered
	Endless       Fault = "endless"      // calls a tool in this and in every later answer
	ManyCalls     Fault = "1000-calls"   // makes 1,000 calls in one answer
	HugeArguments Fault = "10mb"         // calls a tool with 10 MB of arguments
	PartialCall   Fault = "partial-call" // runs into its token limit in the middle of a call
)

var faults = []Fault{
	RateLimit, ServerError, HTML, Silence, Slow, Cut, Stall, CutCall, StreamError,
	BadJSON, UnknownTool, Endless, ManyCalls, HugeArguments, PartialCall,
}

// maxRepeat bounds "429*n", so that a slip of the finger costs no memory.
const maxRepeat = 1000

// ParseFaults reads a list such as "429*2,500,slow": the first two requests get
// 429, the third 500, the fourth is slow, and what follows is well. An empty
// string is no faults.
func ParseFaults(s string) ([]Fault, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	var out []Fault
	for item := range strings.SplitSeq(s, ",") {
		name, times, repeated := strings.Cut(strings.TrimSpace(item), "*")
		n := 1
		if repeated {
			var err error
			if n, err = strconv.Atoi(times); err != nil || n < 1 || n > maxRepeat {
				return nil, fmt.Errorf("sim: fault %q: after * comes a number from 1 to %d", item, maxRepeat)
			}
		}
		f, err := parseFault(name)
		if err != nil {
			return nil, fmt.Errorf("sim: %w", err)
		}
		out = append(out, slices.Repeat([]Fault{f}, n)...)
	}
	return out, nil
}

func parseFault(name string) (Fault, error) {
	if !slices.Contains(faults, Fault(name)) {
		return "", fmt.Errorf("unknown fault %q: use one of %s", name, joinFaults())
	}
	return Fault(name), nil
}

func joinFaults() string {
	names := make([]string, len(faults))
	for i, f := range faults {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

// refuses reports whether f gives no answer at all.
func (f Fault) refuses() bool {
	return f == RateLimit || f == ServerError || f == HTML || f == Silence
}

const hugeSize = 10 << 20

// deform changes what the model says to what f wants said.
func (f Fault) deform(r *reply, req *request) {
	switch f {
	case BadJSON, UnknownTool, Endless, ManyCalls, HugeArguments, PartialCall, CutCall:
	default:
		return
	}
	c := someCall(r, req)
	*r = reply{calls: []call{c}}
	switch f {
	case BadJSON:
		r.calls[0].arguments = strings.TrimSuffix(c.arguments, "}") + `"oops`
	case UnknownTool:
		r.calls[0].name = c.name + "_that_does_not_exist"
	case ManyCalls:
		r.calls = slices.Repeat(r.calls, 1000)
	case HugeArguments:
		r.calls[0].arguments = fmt.Sprintf(`{%s:"%s"}`, encode(firstProperty(req, c.name)), strings.Repeat("helve ", hugeSize/len("helve ")))
	case PartialCall:
		r.calls[0].arguments = c.arguments[:len(c.arguments)/2]
		r.finish = "length"
	}
}

// someCall is a call to do harm with: one the model would make, or else any.
func someCall(r *reply, req *request) call {
	if len(r.calls) > 0 {
		return r.calls[0]
	}
	prompt, _ := req.lastUser()
	if p := think(prompt, req); len(p.calls) > 0 {
		return p.calls[0].wire()
	}
	if len(req.tools) > 0 {
		return call{name: req.tools[0].name, arguments: `{}`}
	}
	return call{name: "lookup", arguments: `{}`}
}

func firstProperty(req *request, tool string) string {
	if t, ok := req.tool(tool); ok {
		for _, p := range t.schema.Properties() {
			return p.Name
		}
	}
	return "text"
}
