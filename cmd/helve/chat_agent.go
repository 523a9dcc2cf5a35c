package main

import (
	"context"
	"fmt"

	"helve/catalog"
)

// chatAgent answers in a chat. When the workspace changes it is made anew, between two
// lines.
type chatAgent struct {
	*answerer
	app      *app
	live     *catalog.Live // nil where changes don't count
	catalog  *catalog.Catalog
	giveBack func() // the catalog whose tools the agent has
}

func (a *app) chatAgent(ctx context.Context) (*chatAgent, error) {
	who := &chatAgent{app: a}
	var err error
	if a.watch {
		if who.live, err = a.liveWorkspace(context.WithoutCancel(ctx), nil); err != nil { // Ctrl-C stops an answer, not the chat
			return nil, err
		}
		who.catalog, who.giveBack = who.live.Use()
	} else if who.catalog, err = a.workspace(ctx); err != nil {
		return nil, err
	}
	if who.answerer, err = a.answerer(ctx, who.catalog); err != nil {
		who.close()
		return nil, err
	}
	return who, nil
}

// refresh makes the agent as the workspace says now. Where that can't be, it stays as
// it was.
func (w *chatAgent) refresh(ctx context.Context) {
	if w.live == nil || w.live.Catalog() == w.catalog {
		return
	}
	now, giveBack := w.live.Use()
	w.catalog = now
	w.app.tellProblems(now)
	made, err := w.app.answerer(ctx, now)
	if err != nil {
		giveBack()
		fmt.Fprintf(w.app.std.err, "helve: the workspace changed, and the agent stays as it was: %s\n", printable(err.Error()))
		return
	}
	w.answerer.close()
	w.giveBack()
	w.answerer, w.giveBack = made, giveBack
}

func (w *chatAgent) close() {
	if w.answerer != nil {
		w.answerer.close()
	}
	if w.live != nil {
		w.giveBack()
		w.live.Close()
	}
}
