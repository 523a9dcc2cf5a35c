//go:build unix

package remote

import (
	"errors"
	"io"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// checked is a connection that looks, before it writes, whether the server has closed
// it. net/http learns of that a moment later, and in between a message would be written
// of which nobody could say whether it was read: a server that was started anew would
// cost its first caller the call.
type checked struct {
	net.Conn
	raw syscall.RawConn

	peek func(fd uintptr) // made once: a call makes no closures for it
	n    int
	err  error
}

func check(conn net.Conn) net.Conn {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return conn
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return conn
	}
	checked := &checked{Conn: conn, raw: raw}
	checked.peek = func(fd uintptr) { // not Read, which waits for the reader that there is
		var b [1]byte
		checked.n, _, checked.err = unix.Recvfrom(int(fd), b[:], unix.MSG_PEEK|unix.MSG_DONTWAIT)
	}
	return checked
}

// Write writes nothing to a connection that is over; net/http takes another one then.
func (c *checked) Write(p []byte) (int, error) {
	if c.over() {
		return 0, errOver
	}
	return c.Conn.Write(p)
}

var errOver = errors.Join(errors.New("the server closed the connection"), io.ErrUnexpectedEOF)

// over looks at what can be read and leaves it there. An answer that is on its way is
// no end. Writers of a connection take turns, so that what peek found is this one's.
func (c *checked) over() bool {
	failed := c.raw.Control(c.peek)
	switch {
	case failed != nil, c.err == unix.EAGAIN, c.err == unix.EINTR:
		return false
	case c.err != nil:
		return true // reset
	}
	return c.n == 0
}
