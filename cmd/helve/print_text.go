package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"helve/agent"
	"helve/executor"
	"helve/message"
	"helve/tool"
)

// textPrinter shows a run to a person: the answer on standard output as it
// arrives and, if standard error is a terminal, the calls there as they run.
type textPrinter struct {
	out    io.Writer
	people bool        // out is a terminal
	screen io.Writer   // where a person watches the calls; nil where nobody does
	status *status     // what is being waited for; nil where it can't be drawn
	asked  *int        // how many answers the model was asked for
	turn   sync.Locker // the screen, which a question may have

	answer  int  // the one that text was last of
	wrote   bool // something of an answer
	newline bool // what was written so far ends a line
}

func newTextPrinter(std stdio, asked *int, screen sync.Locker, hold func() bool) *textPrinter {
	p := &textPrinter{out: std.out, people: isTerminal(std.out), asked: asked, turn: screen, newline: true}
	if !isTerminal(std.err) {
		return p
	}
	p.screen = std.err
	if os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		p.status = &status{w: std.err, hold: hold}
	}
	p.wait("the model")
	return p
}

func (p *textPrinter) event(event agent.Event) {
	p.turn.Lock()
	defer p.turn.Unlock()
	switch e := event.(type) {
	case agent.Text:
		if p.answer != *p.asked {
			p.endLine()
			p.answer = *p.asked
		}
		p.text(string(e))
	case agent.Done:
		p.done(e.Reply)
	case agent.CallStarted:
		p.note("→ " + oneLine(e.Call.Name) + " " + oneLine(executor.Redact(e.Call.Arguments)))
		p.wait(e.Call.Name)
	case agent.CallUpdate:
		p.update(e)
	case agent.CallFinished:
		p.note(finishedLine(e))
		p.wait("the model")
	}
}

// done prints what the model did not say itself: the results that end a run.
func (p *textPrinter) done(reply *agent.Reply) {
	if reply.Stop == agent.StopReturnDirect || !p.wrote {
		p.endLine()
		p.text(plain(reply.Content))
	}
	p.endLine()
}

func (p *textPrinter) text(s string) {
	if s == "" {
		return
	}
	p.quiet()
	if p.people {
		s = printable(s)
	}
	fmt.Fprint(p.out, s)
	p.wrote, p.newline = true, strings.HasSuffix(s, "\n")
}

func (p *textPrinter) endLine() {
	p.quiet()
	if !p.newline {
		p.text("\n")
	}
}

func (p *textPrinter) update(e agent.CallUpdate) {
	switch u := e.Update.(type) {
	case tool.Progress:
		text := u.Note
		if u.Total > 0 {
			text = fmt.Sprintf("%.0f%% %s", 100*u.Done/u.Total, u.Note)
		}
		p.wait(text)
	case tool.Output:
		p.note("  " + oneLine(plain([]message.Part{u.Part})))
	}
}

func (p *textPrinter) failed(error) { p.endLine() }
func (p *textPrinter) close()       { p.quiet() }

// note prints a line beside the answer, for a person who watches. It is a line of
// its own, even where the model has not ended the one before.
func (p *textPrinter) note(line string) {
	if p.screen == nil {
		return
	}
	p.quiet()
	if p.people {
		p.endLine()
	}
	if p.status != nil {
		line = faint + line + plainText
	}
	fmt.Fprintln(p.screen, line)
}

func (p *textPrinter) wait(what string) {
	if p.status == nil {
		return
	}
	p.quiet()
	p.status.begin(what, p.people && !p.newline)
}

// quiet ends the wait. What was drawn for it has ended a line of the answer, where
// both are on the screen.
func (p *textPrinter) quiet() {
	if p.status != nil && p.status.end() && p.people {
		p.newline = true
	}
}

func finishedLine(e agent.CallFinished) string {
	took := e.Duration.Round(max(time.Microsecond, e.Duration/100))
	if e.Err != nil {
		return fmt.Sprintf("✗ %s (%v) %s", oneLine(e.Call.Name), took, oneLine(e.Err.Message))
	}
	return fmt.Sprintf("✓ %s (%v) %s", oneLine(e.Call.Name), took, oneLine(plain(e.Content)))
}

// oneLine is the head of s in a line that fits most terminals, without anything
// that could move a cursor.
func oneLine(s string) string {
	const most = 100
	s = strings.Join(strings.Fields(printable(s)), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
