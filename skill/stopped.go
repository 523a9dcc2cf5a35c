package skill

import (
	"context"
	"fmt"
	"strings"

	"helve/executor"
	"helve/sandbox"
	"helve/tool"
)

// maxPrinted is how many bytes of what a script printed are in the error of one that was
// stopped: the end of each.
const maxPrinted = 2 << 10

// stopped is the error of a script that was stopped: which limit it met, what to do, and
// what it printed until then. Its files are lost.
func stopped(ctx context.Context, s *Skill, c Command, r *sandbox.Result) error {
	if r.Reason == sandbox.Canceled && ctx.Err() != nil {
		return ctx.Err()
	}
	kind, why := tool.KindExecution, string(r.Reason)
	switch r.Reason {
	case sandbox.Timeout:
		kind, why = tool.KindTimeout, "it ran out of time: "+moreTime(c)
	case sandbox.CPU:
		kind, why = tool.KindTimeout, "it computed for longer than it may: give it less to do at once"
	case sandbox.Memory:
		why = "it needed more memory than it may have: give it less at once"
	case sandbox.Processes:
		why = "it started too many processes: give it less at once"
	case sandbox.Output:
		why = "it printed far too much: ask it for less, or for a file"
	case sandbox.Canceled:
		kind, why = tool.KindCanceled, "the call was canceled"
	}
	return &tool.Error{
		Kind:    kind,
		Message: fmt.Sprintf("%.200s of the skill %s was stopped: %s.%s%s", c.Script, s.Name, why, printed("It printed", r.Stdout), printed("To standard error it wrote", r.Stderr)),
		Err:     fmt.Errorf("stopped at a limit of the sandbox (%s) after %v", r.Reason, r.Usage.Time),
	}
}

func moreTime(c Command) string {
	switch {
	case c.Time >= maxTime:
		return fmt.Sprintf("it had the %v that are the most, so give it less to do at once", maxTime)
	case c.Time > 0:
		return fmt.Sprintf("it had %v. Give it a longer timeout (%d seconds at most), or less to do at once", c.Time, int(maxTime.Seconds()))
	}
	return fmt.Sprintf("give it a longer timeout (%d seconds at most), or less to do at once", int(maxTime.Seconds()))
}

// printed is the end of what a script wrote, and empty where it wrote nothing.
func printed(what string, data []byte) string {
	if len(data) == 0 {
		return ""
	}
	text := executor.RedactText(valid(data)) // before it is cut: half a secret does not look like one
	if len(text) > maxPrinted {
		what, text = what+" (the end of it)", strings.ToValidUTF8(text[len(text)-maxPrinted:], "")
	}
	return "\n" + what + ":\n" + text
}
