//go:build linux

package seccomp

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// FuzzFilter: nothing that is not on the list is allowed, foreign calls kill, and the
// program says what the rules say.
func FuzzFilter(f *testing.F) {
	for _, a := range arches {
		for _, number := range []uint32{0, 1, 16, 56, 57, 59, 101, 135, 198, 220, 257, 435, 437, 452, 471, 472, 1 << 30, ^uint32(0)} {
			f.Add(number, a.audit, uint64(0), uint64(1), uint64(2), uint64(0o6755), true, false)
			f.Add(number, a.audit, uint64(unix.CLONE_NEWUSER), uint64(unix.TIOCSTI), uint64(unix.O_CREAT), uint64(0o6755), false, true)
		}
	}
	type machine struct {
		arch
		names    map[uint32]string
		programs map[Options][]unix.SockFilter
	}
	var machines []machine
	for _, a := range arches {
		m := machine{a, map[uint32]string{}, map[Options][]unix.SockFilter{}}
		for _, c := range a.calls {
			m.names[c.number] = c.name
		}
		for _, o := range everyOption {
			m.programs[o] = a.filter(o)
		}
		machines = append(machines, m)
	}
	listed := map[string]bool{}
	for _, name := range strings.Fields(allowed().calls) {
		listed[name] = true
	}
	f.Fuzz(func(t *testing.T, number, arch uint32, a0, a1, a2, a3 uint64, memory, reduced bool) {
		o := Options{memory, reduced}
		for _, m := range machines {
			for _, d := range []data{{number, arch, args{a0, a1, a2, a3}}, {number % 500, m.audit, args{a0, a1, a2, a3}}} {
				got, _ := ask(t, m.programs[o], d)
				name := m.names[d.number]
				foreign := d.arch != m.audit || m.audit == unix.AUDIT_ARCH_X86_64 && d.number >= 1<<30
				switch {
				case foreign && got != kill:
					t.Fatalf("%+v: %v, want kill", d, got)
				case !foreign && got != expected(policy(o), name, d.args):
					t.Fatalf("%s %+v: %v, the rules say %v", name, d, got, expected(policy(o), name, d.args))
				case got == allow && !listed[name]:
					t.Fatalf("%s %+v: allowed, and not on the list", name, d)
				case got != allow && got != kill && got != eperm && got != eacces && got != enosys:
					t.Fatalf("%s %+v: %v", name, d, got)
				}
			}
		}
	})
}

// expected reads the rules as a person does.
func expected(rules []rule, name string, args args) answer {
	for _, r := range rules {
		fits := func(t test) bool {
			low := uint32(args[t.arg])
			return t.any && low&t.mask != 0 || !t.any && low&t.mask == t.value
		}
		if slices.Contains(strings.Fields(r.calls), name) && !slices.ContainsFunc(r.when, func(t test) bool { return !fits(t) }) {
			return r.answer
		}
	}
	return enosys
}
