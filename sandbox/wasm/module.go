package wasm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tetratelabs/wazero/api"

	"helve/sandbox"
)

// Bounds of a module. They are near those that browsers agree on, and below what would take
// much memory to read.
const (
	mostModule    = 64 << 20 // bytes
	mostTypes     = 100_000
	mostImports   = 1000
	mostFunctions = 200_000
	mostTables    = 16
	mostElements  = 1 << 20 // of all tables together
	mostGlobals   = 100_000
	mostExports   = 100_000
	mostSegments  = 100_000
	mostLocals    = 50_000   // of a function
	mostLocalsAll = 16 << 20 // of all functions
	mostBody      = 8 << 20  // bytes of a function
	mostPages     = 1 << 16
)

// wasi is the only module that one can import from.
const wasi = "wasi_snapshot_preview1"

// module is what there is to know of a module before it is compiled.
type module struct {
	code  []byte // without custom sections, and with bounded tables
	pages uint32 // of memory, at its start

	offered  map[string]api.FunctionDefinition // that can be imported
	locals   int
	elements uint32
	started  bool // it exports _start
}

var magic = []byte("\x00asm\x01\x00\x00\x00")

// readModule goes over a module as far as what it announces: how many of each thing, and
// how large. The compiler allocates what it is told, and a few bytes can tell it 4 GiB.
// Three things are changed on the way. Tables get the bound that they lack, since a guest
// could else grow one to the end of this process's memory. Custom sections are left out,
// names and debug information: they are no part of what runs, and more to parse. A max that
// is too much becomes what is allowed.
func readModule(data []byte, offered map[string]api.FunctionDefinition) (*module, error) {
	if len(data) > mostModule {
		return nil, fmt.Errorf("%w: the module has %d bytes; at most %d can be had", sandbox.ErrSpec, len(data), mostModule)
	}
	if !bytes.HasPrefix(data, magic[:4]) {
		return nil, fmt.Errorf("%w: it is no WebAssembly module, which begins with the bytes \\0asm", sandbox.ErrExec)
	}
	if !bytes.HasPrefix(data, magic) {
		return nil, fmt.Errorf("%w: it is no core WebAssembly module of version 1; components (WASI preview 2) can't be run: compile it for wasip1", sandbox.ErrExec)
	}
	m := &module{code: slices.Clone(magic), offered: offered}
	r := &reader{data: data[len(magic):], at: len(magic)}
	for len(r.data) > 0 && r.err == nil {
		id := r.byte()
		size := r.u32()
		at := r.at
		body := r.take(size)
		if r.err != nil || id == 0 {
			continue
		}
		section := &reader{data: body, at: at}
		tables := m.section(section, id)
		if section.err == nil && len(section.data) > 0 && id != 10 && id != 11 {
			section.fail("section %d is longer than what is in it", id)
		}
		if section.err != nil {
			r.err = section.err
			break
		}
		if tables != nil {
			body = tables
		}
		m.code = append(m.code, id)
		m.code = binary.AppendUvarint(m.code, uint64(len(body)))
		m.code = append(m.code, body...)
	}
	if r.err != nil {
		return nil, fmt.Errorf("%w: the module is damaged or asks for too much: %w", sandbox.ErrExec, r.err)
	}
	if !m.started {
		return nil, fmt.Errorf("%w: the module exports no function _start: it must be a command for WASI preview 1 (wasip1), and no library", sandbox.ErrExec)
	}
	return m, nil
}

// section goes over one. Of the section of tables it returns what it is replaced by.
func (m *module) section(r *reader, id byte) []byte {
	switch id {
	case 1:
		types(r)
	case 2:
		m.imports(r)
	case 3:
		for range r.count("functions", mostFunctions) {
			r.u32()
		}
	case 4:
		return m.tables(r)
	case 5:
		m.memories(r)
	case 6:
		for range r.count("globals", mostGlobals) {
			r.take(2)
			r.skipExpression()
		}
	case 7:
		m.exports(r)
	case 8, 12: // the start function; how many data segments there are
		if n := r.u32(); id == 12 && n > mostSegments {
			r.fail("there are %d data segments; at most %d can be had", n, mostSegments)
		}
	case 9:
		m.segmentsOfElements(r)
	case 10:
		m.functions(r)
	case 11:
		segmentsOfData(r)
	default:
		r.fail("the section %d is of no known kind", id)
	}
	return nil
}

func types(r *reader) {
	for range r.count("types", mostTypes) {
		if form := r.byte(); form != 0x60 {
			r.fail("a type of the form %#x can't be had", form)
		}
		r.take(uint32(r.count("parameters", 1000)))
		r.take(uint32(r.count("results", 1000)))
	}
}

func (m *module) imports(r *reader) {
	for range r.count("imports", mostImports) {
		from, name, kind := r.name(), r.name(), r.byte()
		if r.err != nil {
			return
		}
		if from != wasi || kind != 0 {
			r.fail("it imports %.60q from %.60q; there is nothing but the functions of %s", name, from, wasi)
			return
		}
		if m.offered[name] == nil {
			r.fail("it imports the function %.60q, which %s does not have", name, wasi)
			return
		}
		r.u32()
	}
}

func (m *module) tables(r *reader) []byte {
	n := r.count("tables", mostTables)
	bounded := binary.AppendUvarint(nil, uint64(n))
	for range n {
		kind := r.byte()
		if kind != 0x70 && kind != 0x6f {
			r.fail("a table of the kind %#x can't be had", kind)
			return nil
		}
		least, most, _ := r.limits()
		if m.elements += min(least, mostElements+1); m.elements > mostElements {
			r.fail("the tables have more than %d elements", mostElements)
			return nil
		}
		if most == 0 || most > mostElements {
			most = mostElements
		}
		bounded = append(bounded, kind, 1)
		bounded = binary.AppendUvarint(bounded, uint64(least))
		bounded = binary.AppendUvarint(bounded, uint64(most))
	}
	return bounded
}

func (m *module) memories(r *reader) {
	for range r.count("memories", 1) {
		if m.pages, _, _ = r.limits(); m.pages > mostPages {
			r.fail("the memory has %d pages; there are %d", m.pages, mostPages)
		}
	}
}

func (m *module) exports(r *reader) {
	for range r.count("exports", mostExports) {
		name, kind := r.name(), r.byte()
		r.u32()
		m.started = m.started || name == "_start" && kind == 0 && r.err == nil
	}
}

func (m *module) segmentsOfElements(r *reader) {
	left := mostElements
	for range r.count("segments", mostSegments) {
		// Bit 0: not put into a table at the start. Bit 1: names its table, or its kind.
		// Bit 2: expressions in the place of numbers of functions.
		flags := r.u32()
		if flags > 7 {
			r.fail("a segment of the kind %d can't be had", flags)
			return
		}
		if flags&3 == 2 {
			r.u32()
		}
		if flags&1 == 0 {
			r.skipExpression()
		}
		if flags&3 != 0 {
			r.byte()
		}
		n := r.count("elements", left)
		left -= n
		for range n {
			if flags&4 != 0 {
				r.skipExpression()
			} else {
				r.u32()
			}
		}
	}
}

func (m *module) functions(r *reader) {
	for range r.count("functions", mostFunctions) {
		at, size := r.at, r.u32()
		if size > mostBody {
			r.fail("the function at byte %d has %d bytes; at most %d can be had", at, size, mostBody)
		}
		at = r.at
		body := &reader{data: r.take(size), at: at}
		if r.err != nil {
			return
		}
		locals := 0
		for range body.count("kinds of locals", mostLocals) {
			locals += int(min(body.u32(), mostLocals+1))
			body.byte()
			if locals > mostLocals {
				body.fail("a function has more than %d locals", mostLocals)
			}
		}
		if m.locals += locals; m.locals > mostLocalsAll {
			body.fail("the functions have more than %d locals", mostLocalsAll)
		}
		if body.err != nil {
			r.err = body.err
			return
		}
		if deep := loops(body); locals*deep*deep > mostWork {
			r.fail("the function at byte %d has %d locals and %d loops in one another, which would take too long to compile", at, locals, deep)
			return
		}
	}
}

func segmentsOfData(r *reader) {
	for range r.count("data segments", mostSegments) {
		flags := r.u32()
		if flags > 2 {
			r.fail("a data segment of the kind %d can't be had", flags)
			return
		}
		if flags == 2 {
			r.u32()
		}
		if flags != 1 {
			r.skipExpression()
		}
		r.take(r.u32())
	}
}
