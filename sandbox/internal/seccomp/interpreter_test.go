//go:build linux

package seccomp

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// data is struct seccomp_data, what a program is asked about.
type data struct {
	number uint32
	arch   uint32
	args   [6]uint64
}

func (d data) bytes() []byte {
	b := binary.LittleEndian.AppendUint32(nil, d.number)
	b = binary.LittleEndian.AppendUint32(b, d.arch)
	b = binary.LittleEndian.AppendUint64(b, 0) // instruction pointer
	for _, a := range d.args {
		b = binary.LittleEndian.AppendUint64(b, a)
	}
	return b
}

// run is what the kernel does with a program: its answer, and after how many instructions.
func run(program []unix.SockFilter, d data) (answer, int, error) {
	memory := d.bytes()
	var accumulator uint32
	for at, steps := 0, 1; ; at, steps = at+1, steps+1 {
		if at >= len(program) {
			return 0, steps, fmt.Errorf("no instruction %d", at)
		}
		i := program[at]
		skip := func(condition bool) {
			if condition {
				at += int(i.Jt)
			} else {
				at += int(i.Jf)
			}
		}
		switch i.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			if i.K%4 != 0 || int(i.K)+4 > len(memory) {
				return 0, steps, fmt.Errorf("instruction %d: load at %d", at, i.K)
			}
			accumulator = binary.LittleEndian.Uint32(memory[i.K:])
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			accumulator &= i.K
		case unix.BPF_JMP | unix.BPF_JA:
			at += int(i.K)
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			skip(accumulator == i.K)
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			skip(accumulator >= i.K)
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			skip(accumulator&i.K != 0)
		case unix.BPF_RET | unix.BPF_K:
			return answer(i.K), steps, nil
		default:
			return 0, steps, fmt.Errorf("instruction %d: code %#x", at, i.Code)
		}
	}
}

func (a answer) String() string {
	switch {
	case a == allow:
		return "allow"
	case a == kill:
		return "kill"
	case a&^unix.SECCOMP_RET_DATA == unix.SECCOMP_RET_ERRNO:
		return unix.ErrnoName(unix.Errno(a & unix.SECCOMP_RET_DATA))
	}
	return fmt.Sprintf("%#x", uint32(a))
}
