package wasm

// mostWork bounds what a function makes the compiler do: it looks at each local in each
// loop, for each loop around that, and can't be interrupted. 1,000 locals in 70 loops in one
// another are as much, and take some two seconds.
const mostWork = 5_000_000

// loops is how many loops of a function's body are in one another, at most. It reads the
// instructions of WebAssembly 2.0, and stops at what is none: the compiler says so.
func loops(body *reader) (most int) {
	var open []bool // blocks, true for loops
	depth := 0
	for body.err == nil && len(body.data) > 0 {
		switch op := body.byte(); {
		case op == 0x02, op == 0x03, op == 0x04: // block, loop, if
			body.skipNumber()
			open = append(open, op == 0x03)
			if op == 0x03 {
				depth++
				most = max(most, depth)
			}
		case op == 0x0b: // end
			if len(open) == 0 {
				return most // of the function
			}
			if open[len(open)-1] {
				depth--
			}
			open = open[:len(open)-1]
		case op == 0x0e: // br_table
			for range body.count("labels", mostBody) {
				body.u32()
			}
			body.u32()
		case op == 0x1c: // select with types
			body.take(body.u32())
		case op == 0x43:
			body.take(4)
		case op == 0x44:
			body.take(8)
		case op == 0x41, op == 0x42, op == 0xd0: // constants, ref.null
			body.skipNumber()
		case op == 0x0c, op == 0x0d, op == 0x10, op == 0x12, op >= 0x20 && op <= 0x26, op == 0x3f, op == 0x40, op == 0xd2:
			body.u32()
		case op == 0x11, op == 0x13, op >= 0x28 && op <= 0x3e: // indirect calls, memory
			body.u32()
			body.skipNumber()
		case op == 0xfc:
			skipMisc(body)
		case op == 0xfd:
			skipVector(body)
		case op >= 0xfe:
			return most
		}
	}
	return most
}

// skipMisc goes over what an instruction with the prefix 0xfc has.
func skipMisc(body *reader) {
	switch op := body.u32(); {
	case op <= 7: // conversions
	case op == 8, op == 10, op == 12, op == 14: // two indices
		body.u32()
		body.u32()
	default:
		body.u32()
	}
}

// skipVector goes over what an instruction with the prefix 0xfd has.
func skipVector(body *reader) {
	switch op := body.u32(); {
	case op <= 11, op == 92, op == 93: // memory
		body.u32()
		body.skipNumber()
	case op == 12, op == 13: // a constant, a shuffle
		body.take(16)
	case op >= 21 && op <= 34: // a lane
		body.byte()
	case op >= 84 && op <= 91: // a lane in memory
		body.u32()
		body.skipNumber()
		body.byte()
	}
}
