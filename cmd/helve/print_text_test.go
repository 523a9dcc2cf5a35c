package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"helve/agent"
	"helve/tool"
)

// TestProgressHasLinesOfItsOwn shows on one screen an answer with text behind its
// calls, and the one after it.
func TestProgressHasLinesOfItsOwn(t *testing.T) {
	t.Parallel()
	call := tool.Call{ID: "call_1", Name: "ping", Arguments: []byte(`{}`)}
	for _, test := range []struct {
		name          string
		people, watch bool
		want          string
	}{
		{"a screen", true, true, "A \n→ ping {}\n✓ ping (0s) \n and\n✓ ping (0s) \n trailing\ndone\n"},
		{"the answer in a pipe", false, false, "A  and trailing\ndone\n"},
		{"the progress in a file", true, false, "A  and trailing\ndone\n"},
	} {
		var screen bytes.Buffer
		asked := 1
		p := &textPrinter{out: &screen, people: test.people, asked: &asked, turn: &sync.Mutex{}, newline: true}
		if test.watch {
			p.screen = &screen
		}
		for _, e := range []agent.Event{
			agent.Text("A "), agent.CallStarted{Call: call}, agent.CallFinished{Call: call},
			agent.Text(" and"), agent.CallFinished{Call: call}, agent.Text(" trailing"),
		} {
			p.event(e)
		}
		asked++
		p.event(agent.Text("done"))
		p.event(agent.Done{Reply: &agent.Reply{Text: "done", Stop: agent.StopAnswer}})
		p.close()
		if got := screen.String(); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestTheStatusKeepsTheTextBeforeIt: it is drawn below a line that has not ended,
// and nothing of it is in an answer that goes elsewhere.
func TestTheStatusKeepsTheTextBeforeIt(t *testing.T) {
	t.Parallel()
	for _, people := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var out, screen bytes.Buffer
			asked := 0
			p := &textPrinter{out: &out, people: people, screen: &screen, status: &status{w: &screen}, asked: &asked, turn: &sync.Mutex{}, newline: true}
			if people {
				p.out = &screen
			}
			p.event(agent.Text("text"))
			p.event(agent.CallUpdate{Update: tool.Progress{Note: "half"}})
			time.Sleep(wonder + refresh)
			asked++
			p.event(agent.Text("more"))
			p.event(agent.CallUpdate{Update: tool.Progress{Note: "half"}})
			time.Sleep(wonder + refresh)
			p.event(agent.Done{Reply: &agent.Reply{Text: "more", Stop: agent.StopAnswer}})
			p.close()
			if !people {
				if got := out.String(); got != "text\nmore\n" {
					t.Errorf("the answer is %q", got)
				}
				return
			}
			got := screen.String()
			if !strings.HasPrefix(got, "text\n"+clearLine) || !strings.Contains(got, clearLine+"more\n"+clearLine) || !strings.HasSuffix(got, clearLine) {
				t.Errorf("the screen is %q", got)
			}
		})
	}
}
