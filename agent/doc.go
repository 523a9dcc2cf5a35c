// Package agent is the loop between a model and its tools.
//
//	a, err := agent.New(agent.Config{Client: client, Tools: []tool.Tool{search}})
//	reply, err := a.Run(ctx, "What does the handbook say about leave?")
//
// [Agent.Stream] gives the same run as it happens: text and reasoning as they
// arrive, each call when it starts, progresses and finishes, and at the end
// [Done] with the [Reply].
//
// # The loop and its driver
//
// [Loop] decides. It is a value with one method, Step: told what happened, it
// says what to do next. It performs no I/O, reads no clock, starts no goroutine
// and holds no messages, only their places in the session. Its state is JSON.
// This package's driver does what the loop says, in this process; another driver
// can run the same loop elsewhere.
//
// After each step the driver saves the state together with what the step
// brought, so a run that was cut off at any moment goes on with [Agent.Resume],
// in another process if need be, and calls that have a result are not run again.
// A call that was running when the process died has no result and runs again:
// effects are at least once.
//
// # Rules
//
// A tool's error is a result that the model reads; it never ends the run. An
// answer that the model did not finish never runs a tool, but for what the next
// section says. At
// [Config].MaxIterations the run stops with the last answer. If every call of a
// turn asks for it and succeeds, the tools' answer is the reply.
//
// # Models without function calling
//
// [Config].Strategy says how the model calls tools. By default that is its own
// function calling, with an eye on calls that it writes as text all the same, and
// calls as text where its server has no tools; see package dialect.
//
// In a text dialect a call of a read-only tool starts as soon as it is complete,
// while the model still writes, if all calls before it did so too. Text behind a
// call is passed on after its result.
package agent
