package wasm

import (
	"encoding/binary"
	"slices"
)

// section is one of a module's, written by hand.
func section(id byte, body ...byte) []byte {
	return append(binary.AppendUvarint([]byte{id}, uint64(len(body))), body...)
}

func text(s string) []byte { return append([]byte{byte(len(s))}, s...) }

func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

// small is a module with one function, _start, of these instructions, and one page of
// memory. Its types are 0 () → (), 1 (i32) → (), 2 (i32 i32) → i32, 3 (i32 i32 i32 i32) →
// i32; the sections are put between.
func small(imports []byte, between []byte, body ...byte) []byte {
	self := byte(0)
	if len(imports) > 0 {
		self = imports[0]
		imports = section(2, imports...)
	}
	body = append([]byte{0}, append(body, 0x0b)...)
	return join(magic,
		section(1, 4, 0x60, 0, 0, 0x60, 1, 0x7f, 0, 0x60, 2, 0x7f, 0x7f, 1, 0x7f, 0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 1, 0x7f),
		imports,
		section(3, 1, 0),
		between,
		section(5, 1, 0, 1),
		section(7, join([]byte{2}, text("_start"), []byte{0, self}, text("memory"), []byte{2, 0})...),
		section(10, join([]byte{1}, binary.AppendUvarint(nil, uint64(len(body))), body)...))
}

func imported(name string, kind byte) []byte {
	return join([]byte{1}, text(wasi), text(name), []byte{0, kind})
}

// exits is a module that ends with a code.
func exits(code byte) []byte {
	return small(imported("proc_exit", 1), nil, 0x41, code, 0x10, 0)
}

// spins is a module that never ends.
var spins = small(nil, nil, 0x03, 0x40, 0x0c, 0, 0x0b)
