package wasm

import (
	"errors"
	"fmt"
)

// reader goes over the bytes of a module. The first error stays, and all reads after it
// give zeros.
type reader struct {
	data []byte
	at   int // of data, in the module
	err  error
}

var errShort = errors.New("it ends in the middle")

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("at byte %d: "+format, append([]any{r.at}, args...)...)
	}
	r.data = nil
}

func (r *reader) take(n uint32) []byte {
	if uint64(n) > uint64(len(r.data)) {
		r.fail("%w", errShort)
		return nil
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	r.at += int(n)
	return taken
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// u32 reads an unsigned number of at most 32 bits, in LEB128.
func (r *reader) u32() uint32 {
	var n uint64
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7f) << shift
		if b&0x80 == 0 {
			if n > 1<<32-1 {
				break
			}
			return uint32(n)
		}
	}
	r.fail("a number has more than 32 bits")
	return 0
}

// skipNumber goes over a signed number of at most 64 bits.
func (r *reader) skipNumber() {
	for range 10 {
		if r.byte()&0x80 == 0 {
			return
		}
	}
	r.fail("a number has more than 64 bits")
}

// count reads how many things follow. Each takes a byte at least, so that a few bytes
// can't announce, and make anybody allocate, more than there is.
func (r *reader) count(what string, most int) int {
	n := r.u32()
	if uint64(n) > uint64(len(r.data)) {
		r.fail("%d %s are announced, and there are no more than %d bytes", n, what, len(r.data))
		return 0
	}
	if int(n) > most {
		r.fail("there are %d %s; at most %d can be had", n, what, most)
		return 0
	}
	return int(n)
}

func (r *reader) name() string { return string(r.take(r.u32())) }

// limits reads how large a memory or table is, and may become.
func (r *reader) limits() (least, most uint32, bounded bool) {
	flags := r.byte()
	if flags > 1 {
		r.fail("shared and 64-bit memory can't be had")
		return 0, 0, false
	}
	least = r.u32()
	if flags == 1 {
		return least, r.u32(), true
	}
	return least, 0, false
}

// skipExpression goes over a constant expression.
func (r *reader) skipExpression() {
	for r.err == nil {
		switch op := r.byte(); op {
		case 0x0b: // end
			return
		case 0x41, 0x42: // i32.const, i64.const
			r.skipNumber()
		case 0x43: // f32.const
			r.take(4)
		case 0x44: // f64.const
			r.take(8)
		case 0x23, 0xd2: // global.get, ref.func
			r.u32()
		case 0xd0: // ref.null
			r.byte()
		case 0xfd: // v128.const
			if r.u32() != 12 {
				r.fail("a constant is no constant")
			}
			r.take(16)
		default:
			r.fail("the instruction %#x can't be in a constant", op)
		}
	}
}
