//go:build linux

package seccomp

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// Encode makes bytes of a program, for a process that installs it later: to make one
// anew takes as long as the rest of its start.
func Encode(program []unix.SockFilter) []byte {
	data := make([]byte, 0, 8*len(program))
	for _, f := range program {
		data = binary.LittleEndian.AppendUint16(data, f.Code)
		data = append(data, f.Jt, f.Jf)
		data = binary.LittleEndian.AppendUint32(data, f.K)
	}
	return data
}

// Decode makes a program of what Encode made. Bytes that are no program are none, which
// [Install] refuses.
func Decode(data []byte) []unix.SockFilter {
	if len(data)%8 != 0 {
		return nil
	}
	program := make([]unix.SockFilter, 0, len(data)/8)
	for ; len(data) > 0; data = data[8:] {
		program = append(program, unix.SockFilter{
			Code: binary.LittleEndian.Uint16(data), Jt: data[2], Jf: data[3],
			K: binary.LittleEndian.Uint32(data[4:]),
		})
	}
	return program
}
