package wasm

import "github.com/tetratelabs/wazero/experimental"

const page = 64 << 10

// memory is a guest's, up to a limit of its run. wazero's own limit is that of a compiled
// module, and would be the same for all runs of it; and it does not tell when it is met.
type memory struct {
	limit   uint64
	data    []byte
	refused bool
}

// Allocate makes memory an [experimental.MemoryAllocator]. A module has one memory.
func (m *memory) Allocate(uint64, uint64) experimental.LinearMemory { return m }

// Reallocate makes it as large as that, or returns nil. It takes a quarter more than was
// asked for, so that growing in small steps does not copy it all each time.
func (m *memory) Reallocate(size uint64) []byte {
	if size > m.limit {
		m.refused = true
		return nil
	}
	if size > uint64(cap(m.data)) {
		larger := make([]byte, size, min(m.limit, size+size/4))
		copy(larger, m.data)
		m.data = larger
	}
	m.data = m.data[:size]
	return m.data
}

// Free does nothing: the garbage collector does, once wazero has let go of it too.
func (m *memory) Free() {}
