package agent

import (
	"encoding/json"
	"fmt"

	"helve/message"
	"helve/model"
)

// stateVersion is written into a loop's JSON. A loop reads its own version and
// refuses a later one.
const stateVersion = 1

// Loop is the state of one run: a value, with one method that matters. The same
// loop told the same event always gives the same command. Make one with
// [NewLoop] or from JSON.
type Loop struct{ state state }

type state struct {
	Version      int          `json:"version"`
	MaxIteration int          `json:"max_iterations"`
	BadArguments BadArguments `json:"bad_arguments,omitempty"`

	Phase     phase  `json:"phase"`
	Iteration int    `json:"iteration"`       // answers asked for so far
	Next      int    `json:"next"`            // the place of the next message in the session
	Calls     []Call `json:"calls,omitempty"` // of the last answer

	Usage   model.Usage        `json:"usage"`            // of all answers
	Finish  model.FinishReason `json:"finish,omitempty"` // of the last answer
	Stop    StopReason         `json:"stop,omitempty"`
	Failure string             `json:"failure,omitempty"`
}

type phase string

const (
	phaseModel phase = "model"
	phaseCalls phase = "calls"
	phaseDone  phase = "done"
)

// Call is a call as the loop knows it. Its name and arguments are in the
// session, in the answer that made it.
type Call struct {
	ID           string `json:"id"`
	Place        int    `json:"place"`                   // of its result in the session
	ReturnDirect bool   `json:"return_direct,omitempty"` // the tool's answer may end the run
}

// NewLoop returns the loop of a new run. next is the number of messages in the
// session, the prompt included.
func NewLoop(maxIterations int, bad BadArguments, next int) Loop {
	return Loop{state{Version: stateVersion, MaxIteration: maxIterations, BadArguments: bad, Phase: phaseModel, Iteration: 1, Next: next}}
}

// LoopEvent is what happened: [Began], [Answered] or [CallsFinished].
type LoopEvent interface{ loopEvent() }

// Began starts a run, or takes up one again: the command is the one that is
// outstanding. It changes nothing.
type Began struct{}

// Answered says that the model's answer is there.
type Answered struct {
	Finish  model.FinishReason
	Usage   model.Usage
	Calls   []Call // Place is the loop's to set
	Invalid int    // how many of them have arguments that are not JSON; their results are saved with the answer
}

// CallsFinished says that every call of the last command has a result.
type CallsFinished struct {
	Failed int // how many of them are errors
}

func (Began) loopEvent()         {}
func (Answered) loopEvent()      {}
func (CallsFinished) loopEvent() {}

// Command is what to do next: [CallModel], [RunCalls] or [Finish].
type Command interface{ command() }

// CallModel asks for an answer to the messages before Place, and for the answer
// to be saved there.
type CallModel struct {
	Iteration int // counted from 1
	Place     int
}

// RunCalls asks for a result of each call, saved at the call's place. Calls whose
// place is filled have been run. The answer that made the calls is at Answer.
type RunCalls struct {
	Answer int
	Calls  []Call
}

// Finish ends the run. Answer is the place of the model's last answer and Calls
// are the calls in it. A call whose place is empty was not run and needs a result
// that says so: a provider refuses a call without one.
type Finish struct {
	Stop       StopReason
	Failure    string // why, where Stop is [StopError]
	Answer     int
	Calls      []Call
	Iterations int
	Finish     model.FinishReason
	Usage      model.Usage
}

func (CallModel) command() {}
func (RunCalls) command()  {}
func (Finish) command()    {}

// StopReason says why a run ended.
type StopReason string

const (
	StopAnswer        StopReason = "answer"         // the model answered
	StopReturnDirect  StopReason = "return_direct"  // the tools' results are the answer
	StopMaxIterations StopReason = "max_iterations" // the model still wanted to call tools
	StopError         StopReason = "error"
)

// Step takes what happened and returns what to do next. An event that does not
// fit what the loop waits for changes nothing: the outstanding command is
// returned again, so an event told twice does no harm.
func (l *Loop) Step(event LoopEvent) Command {
	switch e := event.(type) {
	case Answered:
		if l.state.Phase == phaseModel {
			l.answered(e)
		}
	case CallsFinished:
		if l.state.Phase == phaseCalls {
			l.finished(e)
		}
	}
	return l.outstanding()
}

func (l *Loop) answered(e Answered) {
	answer := l.state.Next
	l.state.Next += 1 + len(e.Calls)
	l.state.Finish = e.Finish
	l.state.Usage = l.state.Usage.Add(e.Usage)
	for i, c := range e.Calls {
		c.Place = answer + 1 + i
		l.state.Calls = append(l.state.Calls, c)
	}
	switch {
	case len(e.Calls) == 0:
		l.stop(StopAnswer, "")
	case !e.Finish.Complete():
		l.stop(StopError, fmt.Sprintf("the model did not finish its answer (%s), so its calls were not run", e.Finish))
	case l.state.BadArguments == BadArgumentsFail && e.Invalid > 0:
		l.stop(StopError, "the model called a tool with arguments that are not JSON")
	case l.state.Iteration >= l.state.MaxIteration && !allDirect(e.Calls):
		l.stop(StopMaxIterations, "")
	default:
		l.state.Phase = phaseCalls
	}
}

func (l *Loop) finished(e CallsFinished) {
	switch {
	case e.Failed == 0 && allDirect(l.state.Calls):
		l.stop(StopReturnDirect, "")
	case l.state.Iteration >= l.state.MaxIteration:
		l.stop(StopMaxIterations, "")
	default:
		l.state.Phase = phaseModel
		l.state.Iteration++
		l.state.Calls = nil
	}
}

func (l *Loop) stop(reason StopReason, failure string) {
	l.state.Phase, l.state.Stop, l.state.Failure = phaseDone, reason, failure
}

// outstanding follows from the state alone, so that a run can be taken up from
// its JSON.
func (l *Loop) outstanding() Command {
	s := &l.state
	answer := s.Next - len(s.Calls) - 1
	switch s.Phase {
	case phaseModel:
		return CallModel{Iteration: s.Iteration, Place: s.Next}
	case phaseCalls:
		return RunCalls{Answer: answer, Calls: s.Calls}
	}
	return Finish{Stop: s.Stop, Failure: s.Failure, Answer: answer, Calls: s.Calls, Iterations: s.Iteration, Finish: s.Finish, Usage: s.Usage}
}

func allDirect(calls []Call) bool {
	for _, c := range calls {
		if !c.ReturnDirect {
			return false
		}
	}
	return true
}

// fits says whether the loop can go on with these messages.
func (l *Loop) fits(messages []message.Message) error {
	s := &l.state
	if s.Phase == phaseModel {
		if s.Next > len(messages) {
			return fmt.Errorf("agent: the saved run is damaged: its next message is number %d and there are %d", s.Next, len(messages))
		}
		return nil
	}
	answer := s.Next - len(s.Calls) - 1
	if answer < 0 || answer >= len(messages) || len(messages[answer].ToolCalls()) != len(s.Calls) {
		return fmt.Errorf("agent: the saved run is damaged: message %d is not the answer with its %d calls", answer, len(s.Calls))
	}
	for i, c := range s.Calls {
		if c.Place != answer+1+i {
			return fmt.Errorf("agent: the saved run is damaged: the result of call %d has place %d", i, c.Place)
		}
	}
	return nil
}

// MarshalJSON writes the loop's state.
func (l Loop) MarshalJSON() ([]byte, error) { return json.Marshal(l.state) }

// UnmarshalJSON reads what [Loop.MarshalJSON] wrote, in this release or an
// earlier one.
func (l *Loop) UnmarshalJSON(data []byte) error {
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("agent: the saved state of the run can't be read: %w", err)
	}
	if s.Version < 1 || s.Version > stateVersion {
		return fmt.Errorf("agent: the saved state of the run has version %d, and this helve reads up to %d: resume it with the release that saved it", s.Version, stateVersion)
	}
	switch s.Phase {
	case phaseModel, phaseCalls, phaseDone:
	default:
		return fmt.Errorf("agent: the saved state of the run has an unknown phase %q", s.Phase)
	}
	if s.Next < len(s.Calls) {
		return fmt.Errorf("agent: the saved state of the run is damaged: %d calls and %d messages", len(s.Calls), s.Next)
	}
	l.state = s
	return nil
}
