package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/session"
	"helve/tool"
)

// errStopped says that the caller stopped taking events.
var errStopped = errors.New("stopped")

// run drives one loop in this process. It belongs to the goroutine that ranges
// over the run's events.
type run struct {
	agent    *Agent
	session  session.Session
	runtime  tool.Runtime
	history  []message.Message
	attached []message.Part

	loop     Loop
	messages []message.Message // the session's, by place
	later    later             // text that waits for results
	ahead    *ahead            // calls of the present answer that were started early
	failure  error             // why the loop will stop with StopError, with its details
	yield    func(Event, error) bool
}

func newRun(a *Agent, options []Option) *run {
	r := &run{agent: a, runtime: tool.Runtime{Store: a.config.Store}}
	for _, option := range options {
		if option != nil {
			option(r)
		}
	}
	if r.session == nil {
		r.session = session.New()
	}
	return r
}

// begin adds the prompt to the session and starts a loop behind it.
func (r *run) begin(ctx context.Context, prompt string) error {
	messages, _, err := r.session.Load(ctx)
	if err != nil {
		return fmt.Errorf("agent: load the session: %w", err)
	}
	r.messages = messages
	question := message.Message{Role: message.RoleUser}
	if strings.TrimSpace(prompt) != "" {
		question.Parts = append(question.Parts, message.Text(prompt))
	}
	question.Parts = append(question.Parts, r.attached...)
	added := r.history
	if len(question.Parts) > 0 {
		added = append(slices.Clone(r.history), question)
	}
	if len(messages)+len(added) == 0 {
		return errors.New("agent: nothing to answer: the prompt is empty")
	}
	r.loop = NewLoop(r.agent.config.MaxIterations, r.agent.config.OnBadArguments, len(messages)+len(added))
	return r.save(ctx, len(messages), added, r.loop)
}

// resume takes up the loop that the session holds.
func (r *run) resume(ctx context.Context) error {
	messages, state, err := r.session.Load(ctx)
	if err != nil {
		return fmt.Errorf("agent: load the session: %w", err)
	}
	if len(state) == 0 {
		return ErrNoRun
	}
	r.messages = messages
	if err := json.Unmarshal(state, &r.loop); err != nil {
		return err
	}
	if err := r.loop.fits(messages); err != nil {
		return err
	}
	if c, ok := r.loop.outstanding().(RunCalls); ok {
		r.later = laterOf(messages[c.Answer], func(call int) bool { return r.filled(c.Calls[call].Place) })
	}
	return nil
}

// drive does what the loop says until it says that the run has ended. An error
// leaves the session as it was after the last whole step.
func (r *run) drive(ctx context.Context) error {
	defer func() {
		if r.ahead != nil {
			r.ahead.stop()
		}
	}()
	command := r.loop.Step(Began{})
	for {
		var err error
		switch c := command.(type) {
		case CallModel:
			command, err = r.callModel(ctx, c)
		case RunCalls:
			command, err = r.runCalls(ctx, c)
		case Finish:
			return r.finish(ctx, c)
		}
		if err != nil {
			return err
		}
	}
}

// callModel gets an answer, passing its text on as it arrives.
func (r *run) callModel(ctx context.Context, c CallModel) (Command, error) {
	r.later, r.ahead = later{}, newAhead(ctx, r, c)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var fold model.Fold
	for event, err := range r.agent.config.Client.Stream(ctx, r.request(c)) {
		if err != nil {
			return nil, r.broken(c, err)
		}
		fold.Add(event)
		if !r.show(event) || !r.ahead.show() {
			return nil, errStopped
		}
	}
	if err := fold.Err(); err != nil {
		return nil, r.broken(c, err)
	}
	answer := newAnswer(fold.Response(), r.agent.config.OnBadArguments, newCallIDs(r.messages, c.Iteration), r.agent.executor.CheckSize)
	refused := answer.refused()

	next := r.loop
	command := next.Step(answer.event(r.agent.tools))
	messages := []message.Message{answer.message}
	for _, result := range refused {
		messages = append(messages, messageOf(result))
	}
	if err := r.save(ctx, c.Place, messages, next); err != nil {
		return nil, err
	}
	if f, ok := command.(Finish); ok {
		if f.Stop == StopError {
			r.failure = answer.failure()
		}
		return command, nil
	}
	return command, r.showRefused(refused)
}

// broken ends an answer that failed. What the user has not seen of it is shown.
func (r *run) broken(c CallModel, err error) error {
	if !r.showText(r.later.rest()) {
		return errStopped
	}
	return fmt.Errorf("answer %d: %w", c.Iteration, err)
}

// messageOf leaves a place for a result that does not exist yet.
func messageOf(r executor.Result) message.Message {
	if r.Err == nil {
		return message.Message{}
	}
	return r.Message()
}

// showRefused tells of the calls that were answered without being run.
func (r *run) showRefused(results []executor.Result) error {
	for i, result := range results {
		if result.Err == nil {
			continue
		}
		if !r.yield(CallStarted{result.Call}, nil) || !r.yield(callFinished(result), nil) || !r.showFinished(i) {
			return errStopped
		}
	}
	return nil
}

// request is what the model gets: the instructions and the conversation, sound
// and cut to the window.
func (r *run) request(c CallModel) *model.Request {
	conversation, _ := message.Repair(r.messages[:min(c.Place, len(r.messages))])
	if window := r.agent.config.Window; window != nil {
		conversation = window(conversation)
	}
	messages := make([]message.Message, 0, len(conversation)+1)
	if r.agent.config.Instructions != "" {
		messages = append(messages, message.System(r.agent.config.Instructions))
	}
	req := &model.Request{Messages: append(messages, conversation...), Tools: r.agent.tools.Definitions()}
	if adjust := r.agent.config.Adjust; adjust != nil {
		adjust(req)
	}
	return req
}

// show passes on what a person may want to see of an answer.
func (r *run) show(event model.Event) bool {
	switch e := event.(type) {
	case model.TextDelta:
		return r.later.add(Text(e)) || r.yield(Text(e), nil)
	case model.ReasoningDelta:
		return r.yield(Reasoning(e), nil)
	case model.ToolCall:
		if !r.later.call(e) {
			return true
		}
		return !r.ahead.start(e) || r.yield(CallStarted{tool.Call(e)}, nil)
	case model.InvalidToolCall:
		r.later.calls++
		r.ahead.waiting = true
	}
	return true
}

// showFinished passes on the text that waited for a call's result. The call is
// counted among those of its answer.
func (r *run) showFinished(call int) bool { return r.showText(r.later.finish(call)) }

func (r *run) showText(texts []Text) bool {
	for _, t := range texts {
		if !r.yield(t, nil) {
			return false
		}
	}
	return true
}

// finish answers the calls that will not run, closes the run and reports it.
func (r *run) finish(ctx context.Context, f Finish) error {
	if !r.settle() {
		return errStopped
	}
	calls := r.messages[f.Answer].ToolCalls()
	results := make([]message.Message, len(f.Calls))
	for i, c := range f.Calls {
		if !r.filled(c.Place) {
			results[i] = r.unrun(f, tool.Call(calls[i])).Message()
		}
	}
	if err := r.put(ctx, f.Answer+1, results, json.RawMessage("null")); err != nil {
		return err
	}
	if !r.showText(r.later.rest()) {
		return errStopped
	}
	if f.Stop == StopMaxIterations {
		r.agent.log.Warn("the run stopped at its limit of model answers while the model still wanted to call tools", "max_iterations", f.Iterations)
	}
	if !r.yield(Done{r.reply(f)}, nil) {
		return errStopped
	}
	if f.Stop != StopError {
		return nil
	}
	if r.failure != nil {
		return r.failure
	}
	return errors.New("agent: " + f.Failure) // resumed after the details were gone
}

// settle ends the calls that were started early and shows what became of them.
func (r *run) settle() bool {
	if r.ahead == nil {
		return true
	}
	r.ahead.stop()
	return r.ahead.show()
}

// unrun is the result of a call that will not run: that it did not, unless it was
// started early.
func (r *run) unrun(f Finish, call tool.Call) executor.Result {
	if e := r.started(call); e != nil {
		return e.pending.Result()
	}
	return executor.Result{Call: call, Err: notRun(f)}
}

func notRun(f Finish) *tool.Error {
	why := "Not run: " + f.Failure + "."
	if f.Stop == StopMaxIterations {
		why = fmt.Sprintf("Not run: the run reached its limit of %d answers.", f.Iterations)
	}
	return &tool.Error{Kind: tool.KindCanceled, Message: why}
}

func (r *run) reply(f Finish) *Reply {
	reply := &Reply{Stop: f.Stop, Iterations: f.Iterations, Finish: f.Finish, Usage: f.Usage}
	answer := r.messages[f.Answer]
	for _, p := range answer.Parts {
		if _, isCall := p.(message.ToolCall); !isCall {
			reply.Content = append(reply.Content, p)
		}
	}
	reply.Text = answer.Text()
	if f.Stop == StopReturnDirect {
		reply.Content, reply.Text = r.direct(f.Calls)
	}
	return reply
}

// direct is the tools' results as the reply, one below the other.
func (r *run) direct(calls []Call) (content []message.Part, text string) {
	for i, c := range calls {
		result, _ := r.messages[c.Place].ToolResult()
		content = append(content, result.Content...)
		if i > 0 {
			text += "\n"
		}
		text += result.Text()
	}
	return content, text
}

func (r *run) filled(place int) bool {
	return place < len(r.messages) && !r.messages[place].IsZero()
}

// save puts messages into the session together with the loop's next state, and
// takes both over.
func (r *run) save(ctx context.Context, at int, messages []message.Message, next Loop) error {
	state, err := json.Marshal(next)
	if err != nil {
		return fmt.Errorf("agent: save the run: %w", err)
	}
	if err := r.put(ctx, at, messages, state); err != nil {
		return err
	}
	r.loop = next
	return nil
}

// put saves messages, of which a zero one leaves its place as it is. It saves
// even while the run is being stopped: what has happened must be known later.
func (r *run) put(ctx context.Context, at int, messages []message.Message, state json.RawMessage) error {
	if err := r.session.Save(context.WithoutCancel(ctx), at, messages, state); err != nil {
		return fmt.Errorf("agent: save the session: %w", err)
	}
	if missing := at + len(messages) - len(r.messages); missing > 0 {
		r.messages = append(r.messages, make([]message.Message, missing)...)
	}
	for i, m := range messages {
		if !m.IsZero() {
			r.messages[at+i] = m
		}
	}
	return nil
}
