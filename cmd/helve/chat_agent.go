package main

import (
	"context"
	"fmt"

	"helve/agent"
	"helve/catalog"
)

// chatAgent answers in a chat. When the workspace changes it is made anew, between two
// lines.
type chatAgent struct {
	app     *app
	live    *catalog.Live // nil where changes don't count
	catalog *catalog.Catalog
	agent   *agent.Agent
	model   func() // ends what the model holds
}

func (a *app) chatAgent(ctx context.Context) (*chatAgent, error) {
	who := &chatAgent{app: a}
	var err error
	if a.watch {
		if who.live, err = a.liveWorkspace(context.WithoutCancel(ctx), a.logger(), nil); err != nil { // Ctrl-C stops an answer, not the chat
			return nil, err
		}
		who.catalog = who.live.Catalog()
	} else if who.catalog, err = a.workspace(ctx); err != nil {
		return nil, err
	}
	if who.agent, who.model, err = a.agent(who.catalog); err != nil {
		who.close()
		return nil, err
	}
	return who, nil
}

// refresh makes the agent as the workspace says now. Where that can't be, it stays as
// it was.
func (w *chatAgent) refresh() {
	if w.live == nil || w.live.Catalog() == w.catalog {
		return
	}
	w.catalog = w.live.Catalog()
	made, model, err := w.app.agent(w.catalog)
	if err != nil {
		fmt.Fprintf(w.app.std.err, "helve: the workspace changed, and the agent stays as it was: %s\n", printable(err.Error()))
		return
	}
	w.model()
	w.agent, w.model = made, model
}

func (w *chatAgent) close() {
	if w.live != nil {
		w.live.Close()
	}
	if w.model != nil {
		w.model()
	}
}
