package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const mostSessions = 1000

// seats holds the sessions over HTTP, of which there are mostSessions at most. Of what
// is too much, a session of the caller with the most of them ends, so that nobody can
// take the room of all others. Its client is told that it is gone, and begins another.
type seats struct {
	mu   sync.Mutex
	byID map[string]*seat
}

// seat is a session's. The mutex of its seats guards all but what never changes.
type seat struct {
	caller  string
	ctx     context.Context // of the session's calls
	cancel  context.CancelCauseFunc
	session *sdk.ServerSession // nil until it sat down
	calls   int                // requests under way; a stream that only listens is none
	used    time.Time          // when a request last began or ended
}

var errLeft = errors.New("the session ended: there were too many")

// errNoSeat is all a client hears that has a call in each of its sessions. When one ends
// nobody knows.
var errNoSeat = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("there are %d sessions already, and a call is under way in each that could be ended: try again when one is done", mostSessions)}

// callerKey is the key of who sends a request over HTTP; see callerOf.
type callerKey struct{}

// callerOf names who shares the room on the server with others: who has a token, or,
// where there are none, the machine at an address. A network of IPv6 is one: its
// machines have as many addresses as they like.
func callerOf(r *http.Request) string {
	if who := auth.TokenInfoFromContext(r.Context()); who != nil {
		return who.UserID
	}
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr // no address of a network
	}
	addr := at.Addr().Unmap().WithZone("")
	if addr.Is4() {
		return addr.String()
	}
	network, _ := addr.Prefix(64) // an IPv6 address is longer
	return network.String()
}

// holding counts what each caller has, as if the newcomer were there already.
func holding[K comparable, T any](all map[K]T, caller func(T) string, newcomer string) map[string]int {
	held := map[string]int{newcomer: 1}
	for _, one := range all {
		held[caller(one)]++
	}
	return held
}

// leaver is whose session ends for one of the newcomer: that which was idle longest, of
// the caller with the most. A call ends only for who has fewer; else it is nil.
func leaver(all map[string]*seat, newcomer string) *seat {
	held := holding(all, func(s *seat) string { return s.caller }, newcomer)
	var found *seat
	for _, s := range all {
		if found == nil || cmp.Or(
			cmp.Compare(held[found.caller], held[s.caller]),
			cmp.Compare(min(s.calls, 1), min(found.calls, 1)),
			s.used.Compare(found.used)) < 0 {
			found = s
		}
	}
	if found != nil && found.calls > 0 && held[found.caller] <= held[newcomer] {
		return nil
	}
	return found
}

// seatKey is the key of the seat for the session that a request may begin.
type seatKey struct{}

// begin serves a request that may begin a session. Whether it does shows when it was
// read: see seated.
func (s *Server) begin(w http.ResponseWriter, r *http.Request, inner http.Handler) {
	one := &seat{caller: callerOf(r), calls: 1, used: time.Now()}
	one.ctx, one.cancel = context.WithCancelCause(s.closing)
	defer s.seats.rest(one)
	ctx := context.WithValue(r.Context(), seatKey{}, one)
	inner.ServeHTTP(w, r.WithContext(context.WithValue(ctx, endingKey{}, one.ctx)))
}

// seated gives a session over HTTP its seat before it begins.
func (s *Server) seated(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		one, _ := ctx.Value(seatKey{}).(*seat)
		if session, ok := req.GetSession().(*sdk.ServerSession); ok && one != nil && method == "initialize" {
			if err := s.sit(one, session); err != nil {
				return nil, err
			}
		}
		return next(ctx, method, req)
	}
}

// sit gives a session its seat, for which another may have to leave.
func (s *Server) sit(one *seat, session *sdk.ServerSession) error {
	alive := map[string]bool{}
	for other := range s.sdk.Sessions() {
		alive[other.ID()] = true
	}
	s.seats.mu.Lock()
	defer s.seats.mu.Unlock()
	if one.session != nil {
		return nil // it has begun before, as the SDK will tell it
	}
	for id, other := range s.seats.byID {
		if !alive[id] {
			delete(s.seats.byID, id)
			other.cancel(nil)
		}
	}
	if len(s.seats.byID) >= mostSessions {
		other := leaver(s.seats.byID, one.caller)
		if other == nil {
			return errNoSeat
		}
		delete(s.seats.byID, other.session.ID())
		s.evict(other)
	}
	if s.seats.byID == nil {
		s.seats.byID = map[string]*seat{}
	}
	one.session = session
	s.seats.byID[session.ID()] = one
	return nil
}

// evict ends a session and its calls, for which it does not wait.
func (s *Server) evict(one *seat) {
	one.cancel(errLeft)
	if !s.parked.start() {
		return // the server ends it
	}
	go func() {
		defer s.parked.running.Done()
		_ = one.session.Close() // how it ends is nothing to its client any more
	}()
}

// use notes that a request of a session begins, and what it returns that it ends.
func (s *seats) use(id string) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.byID[id]
	if one == nil {
		return func() {}
	}
	one.calls++
	one.used = time.Now()
	return func() { s.rest(one) }
}

// rest notes that a request has ended. Of one that began no session nothing stays.
func (s *seats) rest(one *seat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one.calls--
	one.used = time.Now()
	if one.session == nil {
		one.cancel(nil)
	}
}
