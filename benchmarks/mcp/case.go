package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/pprof"
	"time"
)

// comparison is a row: what takes turns with the SDK alone.
type comparison struct {
	side     string // client, server or both: what of the second party is helve's
	over     string
	server   served
	protocol string
	work     work
}

func (c comparison) String() string {
	return fmt.Sprintf("%s, %s, %s, %s, %d callers", c.side, c.over, c.protocol, c.work.tool, c.work.callers)
}

func cases() []comparison {
	var all []comparison
	for _, side := range []string{"client", "server", "both"} {
		for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
			stateless := protocol == "2026-07-28"
			ways := []comparison{
				{over: "stdio"},
				{over: "HTTP, events", server: served{http: true, stateless: stateless}},
				{over: "HTTP, JSON", server: served{http: true, stateless: stateless, json: true}},
			}
			if side != "client" {
				ways = ways[:2] // helve's server answers with events
			}
			for _, c := range ways {
				c.side, c.protocol = side, protocol
				for _, w := range []work{
					{tool: "echo", args: json.RawMessage(`{"text":"hello world"}`), want: 11},
					{tool: "page", args: json.RawMessage(`{}`), want: len(page)},
				} {
					for _, w.callers = range []int{1, 64} {
						c.work = w
						all = append(all, c)
					}
				}
			}
		}
	}
	return all
}

// sides are the labels of a profile, for go tool pprof -tagfocus.
var sides = [2]string{"sdk", "helve"}

// measure returns the turns of the SDK alone and those of helve.
func (c comparison) measure(ctx context.Context, rounds int, each time.Duration) (turns [2][]turn, err error) {
	var both [2]*client
	for i, helve := range []bool{false, true} {
		s, dial := c.server, bareClient
		s.by = "bare"
		if helve && c.side != "client" {
			s.by = "helve"
		}
		if helve && c.side != "server" {
			dial = helveClient
		}
		at := address{server: s, protocol: c.protocol}
		if s.http {
			url, stop, err := startHTTP(s)
			if err != nil {
				return turns, err
			}
			defer stop()
			at.url = url
		}
		pprof.Do(ctx, pprof.Labels("side", sides[i]), func(ctx context.Context) { both[i], err = dial(ctx, at) })
		if err != nil {
			return turns, err
		}
		defer both[i].close()
	}
	return c.work.alternate(ctx, both, rounds, each)
}

// of is what of a turn is compared, besides its time.
func (c comparison) of(t turn) usage {
	switch c.side {
	case "client":
		return t.client
	case "server":
		return t.server
	}
	return t.client.plus(t.server)
}
