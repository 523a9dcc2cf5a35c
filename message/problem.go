package message

import "fmt"

// ProblemKind says what is wrong with a place in a history, in one word that
// stays the same in every release.
type ProblemKind string

const (
	ProblemHole             ProblemKind = "hole"              // the zero Message
	ProblemUnknownRole      ProblemKind = "unknown_role"      // not one of the four roles
	ProblemLateSystem       ProblemKind = "late_system"       // a system message after another message
	ProblemEmptyMessage     ProblemKind = "empty_message"     // nothing that a model could read
	ProblemWrongPart        ProblemKind = "wrong_part"        // a part that its message can't hold
	ProblemToolMessage      ProblemKind = "tool_message"      // a tool message without exactly one result
	ProblemInvalidCall      ProblemKind = "invalid_call"      // a call without an ID or a name
	ProblemInvalidArguments ProblemKind = "invalid_arguments" // a call whose arguments are not JSON
	ProblemDuplicateCall    ProblemKind = "duplicate_call"    // two calls with one ID in one answer
	ProblemUnansweredCall   ProblemKind = "unanswered_call"   // a call without a result
	ProblemOrphanResult     ProblemKind = "orphan_result"     // a result without a call
	ProblemMisplacedResult  ProblemKind = "misplaced_result"  // a result that doesn't follow its call's message
	ProblemDuplicateResult  ProblemKind = "duplicate_result"  // a second result for one call
)

// Problem is one thing that is wrong with a history. Text is for the host's log
// or a person: it names tools and call IDs, and never holds arguments or
// results.
type Problem struct {
	Index int // of the message in the history
	Kind  ProblemKind
	Text  string // what is wrong and how to mend it
}

// String returns the problem in one line.
func (p Problem) String() string { return fmt.Sprintf("message %d: %s: %s", p.Index, p.Kind, p.Text) }
