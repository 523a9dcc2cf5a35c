package wire

import (
	"context"
	"time"

	"helve/tool"
)

// NewStore returns a store that asks the host. The error of ask is for an answer that
// does not come.
func NewStore(ask func(context.Context, Ask) (Ask, error)) tool.Store { return &store{ask} }

type store struct {
	send func(context.Context, Ask) (Ask, error)
}

func (s *store) ask(ctx context.Context, a Ask) (Ask, error) {
	if err := ctx.Err(); err != nil {
		return Ask{}, err
	}
	if a.Op != "list" || a.Key != "" {
		if err := tool.CheckKey(a.Key); err != nil { // JSON would mend a key that is not UTF-8
			return Ask{}, err
		}
	}
	answer, err := s.send(ctx, a)
	if err != nil {
		return Ask{}, err
	}
	return answer, answer.Err()
}

func (s *store) Get(ctx context.Context, key string) ([]byte, bool, error) {
	a, err := s.ask(ctx, Ask{Op: "get", Key: key})
	return a.Value, a.OK, err
}

func (s *store) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	_, err := s.ask(ctx, Ask{Op: "put", Key: key, Value: value, TTL: ttl})
	return err
}

func (s *store) Delete(ctx context.Context, key string) error {
	_, err := s.ask(ctx, Ask{Op: "delete", Key: key})
	return err
}

func (s *store) List(ctx context.Context, prefix string) ([]string, error) {
	a, err := s.ask(ctx, Ask{Op: "list", Key: prefix})
	return a.Keys, err
}

func (s *store) CompareAndSwap(ctx context.Context, key string, old, value []byte, ttl time.Duration) (bool, error) {
	a, err := s.ask(ctx, Ask{Op: "swap", Key: key, Old: old, Value: value, TTL: ttl})
	return a.OK, err
}
