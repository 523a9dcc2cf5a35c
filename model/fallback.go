package model

import (
	"context"
	"errors"
	"iter"
)

// Fallback returns a client that asks the next of others when client fails
// before its first event, whatever the reason. A canceled ctx is no reason. If
// all fail, the error joins theirs, in order.
//
// Info is client's: the others should be able to do what it can.
func Fallback(client Client, others ...Client) Client {
	return &fallback{append([]Client{client}, others...)}
}

type fallback struct{ clients []Client }

func (f *fallback) Info() Info { return f.clients[0].Info() }

func (f *fallback) Stream(ctx context.Context, req *Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var failed []error
		for _, client := range f.clients {
			err := relay(client.Stream(ctx, req), yield)
			if err == nil {
				return
			}
			failed = append(failed, err)
			if ctx.Err() != nil {
				break
			}
		}
		yield(nil, errors.Join(failed...))
	}
}
