package wire

import (
	"context"
	"errors"
	"time"

	"helve/tool"
)

// Ask is what a call wants of the host's store, and its answer. N tells those of one
// call apart.
type Ask struct {
	N     uint64        `json:"n"`
	Op    string        `json:"op,omitempty"` // get, put, delete, list, swap
	Key   string        `json:"key,omitempty"`
	Value []byte        `json:"value"` // nil and empty are not the same
	Old   []byte        `json:"old"`
	TTL   time.Duration `json:"ttl,omitempty"`

	OK    bool     `json:"ok,omitempty"`
	Keys  []string `json:"keys,omitempty"`
	Fault string   `json:"fault,omitempty"` // the store's error
	Known int      `json:"known,omitempty"` // which of faults it is, from 1
}

// faults are the errors that a tool may test for.
var faults = []error{tool.ErrNoStore, tool.ErrKey, tool.ErrValue, tool.ErrTTL, context.Canceled, context.DeadlineExceeded}

// Do asks store, which is the host's.
func (a Ask) Do(ctx context.Context, store tool.Store) Ask {
	answer := Ask{N: a.N}
	var err error
	switch a.Op {
	case "get":
		answer.Value, answer.OK, err = store.Get(ctx, a.Key)
	case "put":
		err = store.Put(ctx, a.Key, a.Value, a.TTL)
	case "delete":
		err = store.Delete(ctx, a.Key)
	case "list":
		answer.Keys, err = store.List(ctx, a.Key)
	case "swap":
		answer.OK, err = store.CompareAndSwap(ctx, a.Key, a.Old, a.Value, a.TTL)
	default:
		err = errors.New("the store has no operation " + a.Op)
	}
	return answer.failed(err)
}

func (a Ask) failed(err error) Ask {
	if err == nil {
		return a
	}
	a.Fault = err.Error()
	for i, known := range faults {
		if errors.Is(err, known) {
			a.Known = i + 1
			break
		}
	}
	return a
}

// Err is the store's error as a tool sees it.
func (a Ask) Err() error {
	switch {
	case a.Fault == "":
		return nil
	case a.Known > 0 && a.Known <= len(faults):
		return &fault{a.Fault, faults[a.Known-1]}
	}
	return errors.New(a.Fault)
}

type fault struct {
	text string
	is   error
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.is }

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
