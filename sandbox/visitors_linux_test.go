package sandbox

import (
	"net"
	"sync/atomic"
	"testing"
)

// visitors counts who comes to live servers that nobody should reach.
type visitors struct{ count atomic.Int64 }

func (v *visitors) tcp(t *testing.T) string { return v.listen(t, "tcp4", "127.0.0.1:0") }

func (v *visitors) unix(t *testing.T, address string) { v.listen(t, "unix", address) }

func (v *visitors) listen(t *testing.T, network, address string) string {
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			v.count.Add(1)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}

func (v *visitors) udp(t *testing.T) string {
	c, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for buf := make([]byte, 64); ; v.count.Add(1) {
			if _, _, err := c.ReadFrom(buf); err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { c.Close(); <-done })
	return c.LocalAddr().String()
}
