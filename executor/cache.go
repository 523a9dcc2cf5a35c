package executor

import (
	"bytes"
	"container/list"
	"context"
	"slices"
	"sync"
	"time"

	"helve/tool"
)

// Cache keeps the results of the named tools, if they are read-only, and answers
// the same call from there, for ttl and up to most results, of which the least
// used go first. Two calls are the same if their arguments are the same JSON
// value, numbers in the same spelling. Errors are not kept. Put [LimitResult]
// after it, so that it keeps results of a bounded size.
//
// What a tool gets injected does not count: do not name a tool whose result
// depends on who calls it.
func Cache(most int, ttl time.Duration, tools ...string) Middleware {
	c := &cache{most: most, ttl: ttl, byKey: map[string]*list.Element{}, order: list.New()}
	return func(next Handler) Handler {
		return func(ctx context.Context, req Request) (tool.Result, error) {
			if !slices.Contains(tools, req.Call.Name) || !req.Definition().ReadOnly {
				return next(ctx, req)
			}
			key, ok := cacheKey(req.Call)
			if !ok {
				return next(ctx, req)
			}
			if result, ok := c.get(key); ok {
				return result, nil
			}
			result, err := next(ctx, req)
			if err == nil {
				c.put(key, result)
			}
			return result, err
		}
	}
}

type cache struct {
	most int
	ttl  time.Duration

	mu    sync.Mutex
	byKey map[string]*list.Element
	order *list.List // of *cached, the most recently used in front
}

type cached struct {
	key    string
	result tool.Result
	until  time.Time
}

func (c *cache) get(key string) (tool.Result, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[key]
	if !ok {
		return tool.Result{}, false
	}
	hit := e.Value.(*cached)
	if time.Now().After(hit.until) {
		c.remove(e)
		return tool.Result{}, false
	}
	c.order.MoveToFront(e)
	return hit.result, true
}

func (c *cache) put(key string, result tool.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok {
		c.remove(e)
	}
	c.byKey[key] = c.order.PushFront(&cached{key, result, time.Now().Add(c.ttl)})
	for c.order.Len() > c.most {
		c.remove(c.order.Back())
	}
}

func (c *cache) remove(e *list.Element) {
	c.order.Remove(e)
	delete(c.byKey, e.Value.(*cached).key)
}

// cacheKey is the tool's name and its arguments in one spelling: no white space,
// sorted keys, numbers as they are.
func cacheKey(call tool.Call) (string, bool) {
	if len(bytes.TrimSpace(call.Arguments)) == 0 {
		return call.Name + "\x00{}", true
	}
	v, err := decode(call.Arguments)
	if err != nil {
		return "", false
	}
	return call.Name + "\x00" + encode(v), true
}
