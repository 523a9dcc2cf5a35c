package serve

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/tool"
)

// The bounds of what waits for a client's answers.
const (
	mostParked = 1000
	parkedFor  = 10 * time.Minute // in all, however often the client comes back
)

// parking holds the talks whose questions are with their clients. What a client
// comes back with, its request state, is a secret of 130 bits that is good for one
// time and one request.
type parking struct {
	mu      sync.Mutex
	closed  bool
	byState map[string]*parked
	running sync.WaitGroup // the work of all talks, parked or not
}

type parked struct {
	state  string
	caller string
	owner  [sha256.Size]byte // see ownerOf
	talk   *talk
	round  *round
	until  time.Time
	timer  *time.Timer
}

// inputs is what the client is asked.
func (p *parked) inputs() sdk.InputRequestMap {
	inputs := sdk.InputRequestMap{}
	for _, a := range p.round.open {
		inputs[a.name] = a.input
	}
	return inputs
}

// ownerOf says who may come back, and with what.
func ownerOf(r *request) [sha256.Size]byte {
	identity, _ := json.Marshal([]string{r.method, r.name, r.subject()})
	return sha256.Sum256(append(identity, r.arguments()...))
}

// canonical is a JSON object with its keys in order and no spaces: a client need not
// write its request twice in the same way.
func canonical(doc json.RawMessage) []byte {
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return doc
	}
	out, err := json.Marshal(v)
	if err != nil {
		return doc
	}
	return out
}

func (p *parking) add(t *talk, r *round) (*parked, error) {
	return p.put(&parked{caller: t.request.caller, owner: ownerOf(&t.request), talk: t, round: r, until: time.Now().Add(parkedFor)})
}

// again parks what the client did not answer in full.
func (p *parking) again(old *parked) (*parked, error) {
	next, err := p.put(&parked{caller: old.caller, owner: old.owner, talk: old.talk, round: old.round, until: old.until})
	if err != nil {
		old.talk.cancel(err)
	}
	return next, err
}

func (p *parking) put(next *parked) (*parked, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return nil, errClosed
	case len(p.byState) >= mostParked:
		other := p.leaver(next.caller)
		if other == nil {
			return nil, errTooMany()
		}
		delete(p.byState, other.state)
		other.timer.Stop()
		other.talk.cancel(errTooMany())
	}
	next.state = rand.Text()
	next.timer = time.AfterFunc(time.Until(next.until), func() {
		if p.forget(next) {
			next.talk.cancel(errExpired)
		}
	})
	if p.byState == nil {
		p.byState = map[string]*parked{}
	}
	p.byState[next.state] = next
	return next, nil
}

// leaver is what waited longest of the caller who has most, if that is more than the
// newcomer has with one more; else it is nil.
func (p *parking) leaver(newcomer string) *parked {
	held := holding(p.byState, func(one *parked) string { return one.caller }, newcomer)
	var found *parked
	for _, one := range p.byState {
		if found == nil || cmp.Or(cmp.Compare(held[found.caller], held[one.caller]), one.until.Compare(found.until)) < 0 {
			found = one
		}
	}
	if found != nil && held[found.caller] <= held[newcomer] {
		return nil
	}
	return found
}

func errTooMany() error {
	return &tool.Error{Kind: tool.KindUnavailable, Retryable: true, Message: "Too many calls wait for an answer already. Try again later."}
}

// take returns what r goes on with, and nil if it has no right to. What it has no
// right to stays: somebody else's mistake must not cost the owner the call.
func (p *parking) take(r *request) *parked {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := p.byState[r.state]
	if found == nil || found.owner != ownerOf(r) {
		return nil
	}
	delete(p.byState, r.state)
	found.timer.Stop()
	return found
}

func (p *parking) forget(old *parked) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byState[old.state] != old {
		return false
	}
	delete(p.byState, old.state)
	return true
}

// start notes that work begins, and reports false if the server is closed.
func (p *parking) start() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.running.Add(1)
	return true
}

// close forgets what is parked, and takes no more. The work itself ends with the
// server's context.
func (p *parking) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, one := range p.byState {
		one.timer.Stop()
	}
	clear(p.byState)
}

func (p *parking) wait() { p.running.Wait() }
