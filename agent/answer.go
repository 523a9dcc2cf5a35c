package agent

import (
	"bytes"
	"encoding/json"
	"fmt"

	"helve/dialect"
	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/tool"
)

// answer is a model's answer made fit for the session: every call has an ID of
// its own and arguments that are JSON.
type answer struct {
	message message.Message
	finish  model.Finish
	calls   []answeredCall // those of message, in order

	ids       *callIDs
	checkSize func(tool.Call) error
}

type answeredCall struct {
	message.ToolCall
	said    string                // the ID that the model gave it
	invalid *model.ArgumentsError // its arguments are not JSON
	refused *tool.Error           // why it can't run; the session holds {} for what the model wrote
}

func newAnswer(resp *model.Response, bad BadArguments, ids *callIDs, checkSize func(tool.Call) error) *answer {
	a := &answer{message: message.Assistant(), finish: resp.Finish, ids: ids, checkSize: checkSize}
	invalid := resp.Invalid
	for i, p := range resp.Message.Parts {
		for len(invalid) > 0 && invalid[0].Part <= i {
			a.addInvalid(invalid[0], bad)
			invalid = invalid[1:]
		}
		if c, ok := p.(message.ToolCall); ok {
			a.addValid(c)
		} else {
			a.message.Parts = append(a.message.Parts, p)
		}
	}
	for _, c := range invalid {
		a.addInvalid(c, bad)
	}
	return a
}

func (a *answer) addInvalid(c model.InvalidToolCall, bad BadArguments) {
	call := message.ToolCall{ID: c.ID, Name: c.Err.Tool, Arguments: json.RawMessage("{}")}
	if bad == BadArgumentsRepair {
		if mended, _, err := dialect.RepairJSON([]byte(c.Err.Raw)); err == nil {
			call.Arguments = mended
			a.addValid(call)
			return
		}
	}
	a.addCall(answeredCall{ToolCall: call, invalid: c.Err, refused: notJSON(c.Err)})
}

// addValid adds a call whose arguments are JSON. Too long ones do not stay in the
// conversation: they would be sent again with every request that follows.
func (a *answer) addValid(c message.ToolCall) {
	call := answeredCall{ToolCall: c}
	if err := a.checkSize(tool.Call(c)); err != nil {
		call.Arguments = json.RawMessage("{}")
		call.refused = tool.AsError(err)
	}
	a.addCall(call)
}

// addCall leaves out a call that says the same as an earlier one under the same
// ID: some servers send a call twice.
func (a *answer) addCall(c answeredCall) {
	for _, earlier := range a.calls {
		if c.ID != "" && c.ID == earlier.said && c.Name == earlier.Name && bytes.Equal(c.Arguments, earlier.Arguments) {
			return
		}
	}
	c.said = c.ID
	c.ID = a.ids.unused(c.ID)
	a.calls = append(a.calls, c)
	a.message.Parts = append(a.message.Parts, c.ToolCall)
}

// callIDs knows the IDs of a conversation. Providers repeat IDs from turn to turn
// and leave them out, and one ID must mean one call (docs/design.md, rule 10).
type callIDs struct {
	used      map[string]bool
	iteration int
	made      int
}

func newCallIDs(before []message.Message, iteration int) *callIDs {
	ids := &callIDs{used: map[string]bool{"": true}, iteration: iteration}
	for _, m := range before {
		for _, p := range m.Parts {
			if c, ok := p.(message.ToolCall); ok {
				ids.used[c.ID] = true
			}
		}
	}
	return ids
}

// unused returns id, or one that depends on the call's place alone where id is
// taken.
func (ids *callIDs) unused(id string) string {
	for ids.used[id] {
		ids.made++
		id = fmt.Sprintf("call_%d_%d", ids.iteration, ids.made)
	}
	ids.used[id] = true
	return id
}

// event is what the loop is told of the answer.
func (a *answer) event(tools *tool.Registry) Answered {
	e := Answered{Finish: a.finish.Reason, Usage: a.finish.Usage}
	for _, c := range a.calls {
		t, ok := tools.Lookup(c.Name)
		e.Calls = append(e.Calls, Call{ID: c.ID, ReturnDirect: ok && t.Definition().ReturnDirect})
		if c.invalid != nil {
			e.Invalid++
		}
	}
	return e
}

// refused are the results of the calls that can't run. Those of the others are
// zero: they do not exist yet.
func (a *answer) refused() []executor.Result {
	results := make([]executor.Result, len(a.calls))
	for i, c := range a.calls {
		if c.refused != nil {
			results[i] = executor.Result{Call: tool.Call(c.ToolCall), Err: c.refused}
		}
	}
	return results
}

// failure is why a run ends after this answer.
func (a *answer) failure() error {
	if !a.finish.Reason.Complete() {
		return &UnfinishedError{a.finish.Reason}
	}
	for _, c := range a.calls {
		if c.invalid != nil {
			return c.invalid
		}
	}
	return nil
}
