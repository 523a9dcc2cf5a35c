package model_test

import (
	"context"
	"errors"
	"iter"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"helve/message"
	"helve/model"
	"helve/model/modeltest"
	"helve/tool"
)

// decorators are all clients around clients, each in a way that changes nothing
// for a client that works.
var decorators = map[string]func(model.Client) model.Client{
	"Retry":     func(c model.Client) model.Client { return model.Retry(c, model.RetryPolicy{}) },
	"Fallback":  func(c model.Client) model.Client { return model.Fallback(c) },
	"Fallen":    func(c model.Client) model.Client { return model.Fallback(failing{c}, c) },
	"RateLimit": func(c model.Client) model.Client { return model.RateLimit(c, rate.NewLimiter(rate.Inf, 1)) },
	"Timeout": func(c model.Client) model.Client {
		return model.Timeout(c, model.Timeouts{Request: time.Hour, Idle: time.Minute})
	},
	"All": func(c model.Client) model.Client {
		c = model.Timeout(c, model.Timeouts{Idle: time.Minute})
		c = model.RateLimit(c, rate.NewLimiter(rate.Inf, 1))
		return model.Fallback(model.Retry(c, model.RetryPolicy{}), c)
	},
}

// failing has the Info of its client and never answers.
type failing struct{ model.Client }

func (failing) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return modeltest.NewScript(modeltest.Fail(errors.New("down"))).Stream(ctx, req)
}

func TestDecorators(t *testing.T) {
	t.Parallel()
	for name, decorate := range decorators {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := modeltest.Respond(respond)
			client := decorate(script)
			if client.Info() != script.Info() {
				t.Errorf("Info %+v: want the client's", client.Info())
			}
			modeltest.Run(t, modeltest.Harness{
				Client: client,
				Text:   hello(),
				Call:   &model.Request{Messages: hello().Messages, Tools: []tool.Definition{{Name: "add"}}},
				Stall:  &model.Request{Messages: []message.Message{message.User("stall")}},
			})
		})
	}
}

// respond calls the first tool if there is one and it was not called yet.
func respond(req *model.Request) modeltest.Turn {
	last := req.Messages[len(req.Messages)-1]
	switch {
	case last.Text() == "stall":
		return modeltest.Turn{Events: []model.Event{model.TextDelta("wait")}, Stall: true}
	case last.Role == message.RoleUser && len(req.Tools) > 0:
		return modeltest.Calls(add)
	}
	return modeltest.Text("hel", "lo")
}
