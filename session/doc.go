// Package session keeps conversations: one history for each session ID, and the
// window of it that fits into a model's context.
//
// A [Store] holds many sessions. [NewMemory] is one for a single process;
// databases implement the same interface, and the package sessiontest checks
// that they do.
//
//	store := session.NewMemory()
//	s, err := store.Open(ctx, "user-42")
//	…
//	err = s.Save(ctx, 0, []message.Message{message.User("Hello")}, nil)
//
// [New] is a single session for a conversation that nobody keeps.
//
// # Positions
//
// A history is a list of places. A message is saved at a place, and the place
// keeps it: saving there again changes nothing. So an agent that crashed may
// save a second time, and calls that run in parallel save their results in any
// order, each at a place that was fixed before they ran. A place that nothing
// was saved at yet is a hole, the zero [message.Message]. [message.Repair] takes
// holes out before a model reads the history.
//
// Beside its history a session has the state of the run that is open in it, as
// JSON that only the agent understands. Messages and state are saved together or
// not at all.
//
// Only one run should be open in a session at a time. A store does not enforce
// that: of two runs that save at the same places the first wins.
//
// # The context window
//
// A model reads only so many tokens. [Window] leaves out the oldest turns of a
// history that is too long, and never parts a call from its result:
//
//	history, _ = message.Repair(history)
//	history = session.Window{MaxTokens: 8000}.Fit(history)
package session
