package serve

import (
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// multiRound is the first protocol version in which a server may not ask by itself:
// a client that is to be asked gets the question as its result, and tries again.
const multiRound = "2026-07-28"

// resumable is the first in which a client knows, before its first message, how to
// come back to a stream that was closed.
const resumable = "2025-11-25"

// request is what the kinds of request that may ask have in common.
type request struct {
	ctx          context.Context // ends with the request
	session      *sdk.ServerSession
	meta         sdk.Meta
	extra        *sdk.RequestExtra // nil but over HTTP
	capabilities func() *sdk.ClientCapabilities
	caller       string // over HTTP; see callerOf
	rounds       bool   // of a client of multiRound or later
	resumes      bool   // of one of resumable or later

	method, name string
	arguments    func() []byte // for what is parked: the same whatever the order of keys
	state        string        // of a client that comes back
	answers      sdk.InputResponseMap
}

func newRequest[P sdk.Params](ctx context.Context, r *sdk.ServerRequest[P]) request {
	version := version(r)
	caller, _ := ctx.Value(callerKey{}).(string)
	return request{
		ctx:          ctx,
		session:      r.Session,
		meta:         r.Params.GetMeta(),
		extra:        r.Extra,
		capabilities: r.ClientCapabilities,
		caller:       caller,
		rounds:       version >= multiRound,
		resumes:      version >= resumable,
	}
}

// version is the protocol version of a request: that which it names itself, as from
// multiRound on each does, or the one that its session was given. What a client asked
// for in initialize is not always that.
func version[P sdk.Params](r *sdk.ServerRequest[P]) string {
	known := sdk.SupportedProtocolVersions()
	if own, ok := r.Params.GetMeta()[sdk.MetaKeyProtocolVersion].(string); ok && slices.Contains(known, own) {
		return own
	}
	if p := r.Session.InitializeParams(); p != nil && p.ProtocolVersion < multiRound && slices.Contains(known, p.ProtocolVersion) {
		return p.ProtocolVersion
	}
	return resumable // the newest that initialize gives
}

// subject is who asks, where there are tokens.
func (r *request) subject() string {
	if r.extra == nil || r.extra.TokenInfo == nil {
		return ""
	}
	return r.extra.TokenInfo.UserID
}
