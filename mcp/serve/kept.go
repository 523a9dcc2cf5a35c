package serve

import (
	"container/list"
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The bounds of what is kept for clients to fetch.
const (
	mostKept = 64 << 20  // bytes
	keptFor  = time.Hour // after it was made
)

const (
	resultAddress   = "helve://result/"
	artifactAddress = "helve://artifact/"
)

// kept holds what was too large for a result, for an hour, however often a client reads
// it. The address is the right to read it. Of what is too much, the least lately used goes first.
type kept struct {
	mu    sync.Mutex
	byURI map[string]*list.Element // of *keptItem
	order *list.List               // the latest used first
	bytes int
}

type keptItem struct {
	uri, mediaType string
	text           string
	data           []byte
	until          time.Time
}

func (i *keptItem) size() int { return len(i.text) + len(i.data) }

func newKept() *kept { return &kept{byURI: map[string]*list.Element{}, order: list.New()} }

// put keeps an item and returns its address, or "" if it is larger than all that may
// be kept.
func (k *kept) put(prefix string, i keptItem) string {
	if i.size() > mostKept {
		return ""
	}
	i.uri = prefix + strings.ToLower(rand.Text()) // 130 bits
	now := time.Now()
	i.until = now.Add(keptFor)

	k.mu.Lock()
	defer k.mu.Unlock()
	for e := k.order.Back(); e != nil; {
		before := e.Prev()
		if k.bytes+i.size() > mostKept || e.Value.(*keptItem).until.Before(now) {
			k.drop(e)
		}
		e = before
	}
	k.byURI[i.uri] = k.order.PushFront(&i)
	k.bytes += i.size()
	return i.uri
}

func (k *kept) get(uri string) (*keptItem, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, ok := k.byURI[uri]
	if !ok {
		return nil, false
	}
	i := e.Value.(*keptItem)
	if !i.until.After(time.Now()) {
		k.drop(e)
		return nil, false
	}
	k.order.MoveToFront(e)
	return i, true
}

// drop forgets an item. The caller holds the lock.
func (k *kept) drop(e *list.Element) {
	i := k.order.Remove(e).(*keptItem)
	delete(k.byURI, i.uri)
	k.bytes -= i.size()
}

// offerKept lets clients read what is kept, and know that there are such addresses.
func (s *Server) offerKept() {
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "result", Title: "The whole of a long result", URITemplate: resultAddress + "{id}",
		Description: "A result of a tool that was too long to be sent at once. The tool gives the address; it lasts an hour.",
	}, s.readKept)
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "artifact", Title: "A file that a tool made", URITemplate: artifactAddress + "{id}",
		Description: "A picture, recording or file that a tool made. The tool gives the address; it lasts an hour.",
	}, s.readKept)
}

func (s *Server) readKept(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	i, ok := s.kept.get(req.Params.URI)
	if !ok {
		return nil, sdk.ResourceNotFoundError(req.Params.URI)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{
		{URI: i.uri, MIMEType: i.mediaType, Text: i.text, Blob: i.data},
	}}, nil
}
