package sim

import (
	"helve/internal/excerpt"
	"helve/model"
)

// Script is what the offline model says instead of thinking, for tests and
// demonstrations. It is written in YAML:
//
//	turns:
//	  - when: weather            # only if the last user message holds this word
//	    text: Let me look.
//	    reasoning: They want a forecast.
//	    calls:
//	      - name: get_weather
//	        arguments: {city: Paris}
//	      - name: get_weather
//	        raw: '{"city": '     # word for word, for arguments that are not JSON
//	    finish: tool_calls       # stop, tool_calls, length or content_filter
//	    usage: {input: 10, output: 5}
//	    fault: cut-call          # see Fault
//	  - text: It is sunny in Paris.
//
// Every key may be left out. Read one with [ParseScript].
type Script struct {
	Turns []Turn
}

// Turn is one answer. A request gets the first turn that was not used yet and
// whose When it meets.
type Turn struct {
	When      string // the last user message holds it, in any letter case; "" always
	Reasoning string
	Text      string
	Calls     []Call
	Finish    model.FinishReason // "" means stop or tool_calls, as fits
	Usage     model.Usage        // the zero value means counted
	Fault     Fault
}

// Call is one tool call of a turn. Arguments is what the wire carries: JSON,
// unless the script wants it otherwise.
type Call struct {
	ID        string // "" means one made of the request
	Name      string
	Arguments string
}

// player hands out the turns of a script. It is not safe for concurrent use.
type player struct {
	turns []Turn
	used  []bool
}

func newPlayer(s *Script) *player {
	return &player{turns: s.Turns, used: make([]bool, len(s.Turns))}
}

func (p *player) next(req *request) (*reply, Fault, error) {
	prompt, _ := req.lastUser()
	for i, t := range p.turns {
		if p.used[i] || !containsFold(prompt, t.When) {
			continue
		}
		p.used[i] = true
		return t.reply(), t.Fault, nil
	}
	bad := refuse("messages", "the script has no turn left for %q: it has %d turns and %d were used", excerpt.Of(prompt, 80), len(p.turns), count(p.used))
	bad.code = "script_exhausted"
	return nil, "", bad
}

func (t Turn) reply() *reply {
	r := &reply{reasoning: t.Reasoning, text: t.Text, finish: string(t.Finish)}
	for _, c := range t.Calls {
		r.calls = append(r.calls, call{c.ID, c.Name, c.Arguments})
	}
	if t.Usage != (model.Usage{}) {
		in, out := t.Usage.InputTokens, t.Usage.OutputTokens
		r.usage = &wireUsage{in, out, in + out}
	}
	return r
}

func count(used []bool) (n int) {
	for _, u := range used {
		if u {
			n++
		}
	}
	return n
}
