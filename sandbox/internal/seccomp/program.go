//go:build linux

package seccomp

import (
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// arch is what a filter must know of an architecture.
type arch struct {
	audit uint32 // the kernel's name for it, unix.AUDIT_ARCH_*
	calls []call // by number

	// foreign is the first number that belongs to another way of calling, 0 if there is
	// none: x32 on amd64.
	foreign uint32
}

type call struct {
	name   string
	number uint32
}

// Filter returns the program for the running architecture, for [Install]: nil if that is
// neither amd64 nor arm64.
func Filter(o Options) []unix.SockFilter {
	switch runtime.GOARCH {
	case "amd64":
		return x86_64().filter(o)
	case "arm64":
		return aarch64().filter(o)
	}
	return nil
}

// The kernel hands a program the call as struct seccomp_data: its number, architecture,
// instruction pointer and six arguments of 64 bits. Both architectures are little-endian.
const (
	numberOffset = 0
	archOffset   = 4
	argsOffset   = 16
)

func (a arch) filter(o Options) []unix.SockFilter {
	return slices.Concat(
		[]unix.SockFilter{
			load(archOffset),
			jump(unix.BPF_JEQ, a.audit, 1, 0),
			give(kill),
			load(numberOffset),
		},
		search(a.spans(policy(o))),
	)
}

// A span is a run of call numbers that the same code decides, from first up to the next
// span's.
type span struct {
	first uint32
	code  []unix.SockFilter
}

// spans cuts all numbers into spans, the calls that nobody named among them.
func (a arch) spans(rules []rule) []span {
	byName := make(map[string][]rule)
	for _, r := range rules {
		for name := range strings.FieldsSeq(r.calls) {
			byName[name] = append(byName[name], r)
		}
	}
	unknown := decide(nil)
	spans := []span{{0, unknown}}
	add := func(first uint32, code []unix.SockFilter) {
		last := &spans[len(spans)-1]
		switch {
		case slices.Equal(last.code, code):
		case last.first == first:
			last.code = code
		default:
			spans = append(spans, span{first, code})
		}
	}
	next := uint32(0)
	for _, c := range a.calls {
		if c.number > next {
			add(next, unknown)
		}
		add(c.number, decide(byName[c.name]))
		next = c.number + 1
	}
	add(next, unknown)
	if a.foreign != 0 {
		add(a.foreign, []unix.SockFilter{give(kill)})
	}
	return spans
}

// search is a binary search for the span of the loaded number.
func search(spans []span) []unix.SockFilter {
	if len(spans) == 1 {
		return spans[0].code
	}
	middle := len(spans) / 2
	low, high := search(spans[:middle]), search(spans[middle:])
	var branch []unix.SockFilter
	if first, far := spans[middle].first, uint32(len(low)); far <= 255 {
		branch = []unix.SockFilter{jump(unix.BPF_JGE, first, uint8(far), 0)}
	} else { // further than a conditional jump can go
		branch = []unix.SockFilter{jump(unix.BPF_JGE, first, 0, 1), {Code: unix.BPF_JMP | unix.BPF_JA, K: far}}
	}
	return slices.Concat(branch, low, high)
}

// decide is the code of one call's rules: those with tests before the first without. If
// there is none, the call is unknown.
func decide(rules []rule) []unix.SockFilter {
	if len(rules) == 0 {
		return []unix.SockFilter{give(fail(unix.ENOSYS))}
	}
	code := []unix.SockFilter{give(rules[0].answer)}
	if len(rules[0].when) == 0 {
		return code
	}
	for _, t := range slices.Backward(rules[0].when) {
		code = append(t.code(uint8(len(code))), code...)
	}
	return append(code, decide(rules[1:])...)
}

// code falls through if the test is passed, and else skips so many instructions more.
func (t test) code(skip uint8) []unix.SockFilter {
	arg := load(argsOffset + 8*t.arg)
	if t.any {
		return []unix.SockFilter{arg, jump(unix.BPF_JSET, t.mask, 0, skip)}
	}
	equal := jump(unix.BPF_JEQ, t.value, 0, skip)
	if t.mask == ^uint32(0) {
		return []unix.SockFilter{arg, equal}
	}
	return []unix.SockFilter{arg, {Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: t.mask}, equal}
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func jump(condition uint16, value uint32, ifTrue, ifFalse uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | condition | unix.BPF_K, Jt: ifTrue, Jf: ifFalse, K: value}
}

func give(a answer) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: uint32(a)}
}
