package sandbox

import (
	"io"
	"sync/atomic"
)

// collector reads what a program prints, keeps the beginning or the end of it, and reads
// on: a program whose output nobody takes would wait for ever.
type collector struct {
	kept  []byte
	most  int
	end   bool // keep the end
	cut   bool
	total *atomic.Int64 // of this and of the other
	limit int64         // of total
	over  func()        // called once total is above it
}

func (c *collector) readAll(r io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		c.keep(buf[:n])
		if c.total.Add(int64(n)) > c.limit {
			c.over()
		}
		if err != nil {
			return
		}
	}
}

func (c *collector) keep(p []byte) {
	room := c.most - len(c.kept)
	switch {
	case len(p) <= room:
		c.kept = append(c.kept, p...)
		return
	case !c.end:
		c.kept = append(c.kept, p[:room]...)
	case len(p) >= c.most:
		c.kept = append(c.kept[:0], p[len(p)-c.most:]...)
	default:
		c.kept = append(c.kept[:0], c.kept[len(p)-room:]...)
		c.kept = append(c.kept, p...)
	}
	c.cut = true
}
