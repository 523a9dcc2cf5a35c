package sandbox

import (
	"io"
	"sync/atomic"
)

// collector reads what a program prints, keeps the beginning, and reads on: a program
// whose output nobody takes would wait for ever.
type collector struct {
	kept  []byte
	most  int
	cut   bool
	total *atomic.Int64 // of this and of the other
	limit int64         // of total
	over  func()        // called once total is above it
}

func (c *collector) readAll(r io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		if room := c.most - len(c.kept); n > room {
			c.kept = append(c.kept, buf[:room]...)
			c.cut = true
		} else {
			c.kept = append(c.kept, buf[:n]...)
		}
		if c.total.Add(int64(n)) > c.limit {
			c.over()
		}
		if err != nil {
			return
		}
	}
}
