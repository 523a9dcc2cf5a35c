package asked

import (
	"errors"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Most is how many requests may be open at once.
const Most = 100

var (
	// ErrTwice is for a request with the id of one that is open. It can't be answered: the
	// answer would be taken for the other's.
	ErrTwice = errors.New("a request with that id is not answered yet")

	// ErrTooMany is for a request beyond those that may be open.
	ErrTooMany = fmt.Errorf("busy: %d requests are not answered yet", Most)
)

// Open are the requests of a server that have no answer yet. The zero value is ready. It
// is safe for concurrent use.
type Open struct {
	mu        sync.Mutex
	ids       map[jsonrpc.ID]struct{}
	answering int // answers that are being written
}

// Begin notes a request that was read. The error is [ErrTwice] or [ErrTooMany]; nobody may
// see the request then.
func (o *Open) Begin(id jsonrpc.ID) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, twice := o.ids[id]; twice {
		return ErrTwice
	}
	if len(o.ids)+o.answering >= Most {
		return ErrTooMany
	}
	if o.ids == nil {
		o.ids = map[jsonrpc.ID]struct{}{}
	}
	o.ids[id] = struct{}{}
	return nil
}

// Answer is called before an answer is written, and written after it was, or was not. In
// between the request still counts, and its id is free: the server may have the answer,
// and use the id again, before we know that it is written.
func (o *Open) Answer(id jsonrpc.ID) (written func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, open := o.ids[id]; !open {
		return func() {}
	}
	delete(o.ids, id)
	o.answering++
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.answering--
	}
}
