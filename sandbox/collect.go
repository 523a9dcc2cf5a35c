package sandbox

import (
	"io"
	"sync/atomic"

	"helve/sandbox/internal/kept"
)

// collector reads what a program prints, keeps a part of it, and reads on: a program whose
// output nobody takes would wait for ever.
type collector struct {
	kept.Text
	total *atomic.Int64 // of this and of the other
	limit int64         // of total
	over  func()        // called once total is above it
}

// collectors are those of standard output, of which the beginning is kept, and of standard
// error, of which the end is. Over is called when they had more than they may.
func collectors(limits Limits, over func()) (stdout, stderr *collector) {
	total, limit := new(atomic.Int64), int64(limits.OutputTotal)
	return &collector{kept.Text{Most: limits.Output}, total, limit, over},
		&collector{kept.Text{Most: limits.Output, End: true}, total, limit, over}
}

func (c *collector) readAll(r io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		c.Add(buf[:n])
		if c.total.Add(int64(n)) > c.limit {
			c.over()
		}
		if err != nil {
			return
		}
	}
}
