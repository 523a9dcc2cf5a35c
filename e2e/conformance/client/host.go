package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"helve/mcp"
	"helve/message"
	"helve/tool"
)

// host uses a server as an agent would: it lists the tools and calls them, logs in where
// the server wants that, and answers its questions.
type host struct {
	config  mcp.Config
	options mcp.Options
	client  *mcp.Client
	logins  int
}

// use calls what the scenario wants, or each tool once. A call that fails is a result:
// most scenarios are about a server that refuses.
func (h *host) use(ctx context.Context, wanted []wantCall) error {
	var tools []tool.Tool
	err := h.loggedIn(ctx, func() (err error) {
		tools, err = h.client.Tools(ctx)
		return err
	})
	if err != nil {
		return err
	}
	schemas := map[string]json.RawMessage{}
	for _, t := range tools {
		schemas[rawName(t)] = t.Definition().Schema().JSON()
	}
	if len(wanted) == 0 {
		for _, t := range tools {
			wanted = append(wanted, wantCall{rawName(t), arguments(rawName(t), schemas)})
		}
	}
	for _, w := range wanted {
		for _, t := range tools {
			if rawName(t) == w.Name {
				h.call(ctx, t, w.Arguments)
			}
		}
	}
	return nil
}

func (h *host) call(ctx context.Context, t tool.Tool, arguments json.RawMessage) {
	ctx = tool.WithRuntime(ctx, &tool.Runtime{CallID: "1", Answer: answer})
	err := h.loggedIn(ctx, func() error {
		_, err := t.Call(ctx, tool.Call{ID: "1", Name: t.Definition().Name, Arguments: arguments})
		return err
	})
	if err != nil {
		slog.Info("a call failed", "tool", t.Definition().Name, "error", err, "reason", errors.Unwrap(err))
	}
}

// mostLogins is how often a person logs in before they give up.
const mostLogins = 3

// loggedIn does what may need a login, and does it again after one.
func (h *host) loggedIn(ctx context.Context, do func() error) error {
	for {
		err := do()
		var needed *mcp.LoginNeededError
		if !errors.As(err, &needed) || h.logins == mostLogins {
			return err
		}
		h.logins++
		if _, err := mcp.Login(ctx, h.config, h.options, browse); err != nil {
			return err
		}
	}
}

// browse opens an address as a browser does whose owner agrees to everything.
func browse(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20))
	return err
}

// answer accepts what a server asks and fills nothing in: the defaults count.
func answer(_ context.Context, _ tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
	var answers []tool.Answer
	for _, q := range questions {
		switch q.(type) {
		case tool.Form:
			answers = append(answers, tool.Answer{Action: tool.Accept, Fields: json.RawMessage("{}")})
		case tool.Link:
			answers = append(answers, tool.Answer{Action: tool.Accept})
		case tool.Completion:
			answers = append(answers, tool.Answer{Message: message.Message{Role: message.RoleAssistant, Parts: []message.Part{message.Text("Four.")}}, Model: "offline"})
		default:
			return nil, fmt.Errorf("a %T: %w", q, tool.ErrNobody)
		}
	}
	return answers, nil
}

// rawName is a tool's name on its server. Those of the suite need no change but the prefix.
func rawName(t tool.Tool) string {
	return string(bytes.TrimPrefix([]byte(t.Definition().Name), []byte("conformance__")))
}
