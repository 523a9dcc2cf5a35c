// Package executor runs tool calls.
//
//	e := executor.New(executor.Config{Tools: registry})
//	results := e.Execute(ctx, calls)
//
// It keeps these rules (docs/design.md, rules of execution):
//
//   - One result per call, in call order, always. A call that fails, panics or
//     times out never costs another its result.
//   - Arguments are validated before the tool runs, and the model is told every
//     violation.
//   - Every call has a deadline. A tool that ignores its context still gets a
//     timeout result at the deadline; see [Executor.Abandoned].
//   - Calls run in parallel, within a bound. A tool that must run alone is a
//     barrier in call order.
//   - A call that can't run is a result too: the model reads what was wrong.
//   - Two calls with one ID in a batch run once. A different call with a used ID
//     is refused.
//   - A bug of a tool, a middleware or a hook stays theirs: a panic is logged with
//     its stack, and the model reads only that the call failed.
//
// # The way of a call
//
//	hooks start → middleware, first outermost → resolve → validate → inject → deadline → tool → hooks end
//
// The deadline covers the tool alone, so a middleware may wait for a person, a
// rate limit or the next attempt. While the tool asks its host a question
// ([tool.Runtime.Ask]) the deadline stands still.
//
// # Middleware
//
// A [Middleware] wraps a [Handler]. It may call the next handler once, not at
// all or many times, and change the [Request], which is a copy: replace the
// arguments, the tool, or serve a name that no tool has. [Retry], [Limit],
// [RateLimit], [LimitResult] and [Cache] are here.
//
// # Watching
//
// A [Hook] hears of the start and the end of every call. The first hook is the
// log: each call at INFO with its arguments, which [Redact] made fit to be
// shown, its duration, the size of its result and what went wrong.
//
// What a tool reports while it runs goes to the Report function of the
// [tool.Runtime] in the context. Once a call has its result, its reports are
// dropped; a report that is being delivered then holds the result up, so Report
// returns soon.
package executor
