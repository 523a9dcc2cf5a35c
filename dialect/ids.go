package dialect

import "strconv"

// IDs gives calls the IDs that their format has no place for: call_1, call_2, and
// so on. The zero value begins with call_1. It belongs to one goroutine.
type IDs struct {
	last  int
	taken map[string]bool
}

// Take notes IDs that calls have already, so that no other call gets one of them.
func (n *IDs) Take(ids ...string) {
	for _, id := range ids {
		if n.taken == nil {
			n.taken = map[string]bool{}
		}
		n.taken[id] = true
	}
}

// For returns what the model wrote, or else the next ID that is free.
func (n *IDs) For(c *Call) string {
	id := c.ID
	for id == "" {
		n.last++
		if next := "call_" + strconv.Itoa(n.last); !n.taken[next] {
			id = next
		}
	}
	n.Take(id)
	return id
}
