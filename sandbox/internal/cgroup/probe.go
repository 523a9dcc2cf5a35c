//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// Mode is what can be had here. It is safe for concurrent use. The zero Mode is none.
type Mode struct {
	// Version is that of the control groups, 2 or 1; 0 means that there are none.
	Version int

	// Reason says why it is not version 2, for people; it is empty where it is.
	Reason string

	bases []string      // where groups are made: one directory of v2, or those of memory and pids of v1
	made  *atomic.Int64 // how many names were used
}

func (m Mode) String() string {
	if m.Version == 0 {
		return "none"
	}
	return fmt.Sprintf("cgroup v%d", m.Version)
}

// Probe finds out what can be had, by making a group. It removes the groups that a killed
// process left behind at the same place, with what still runs in them. It may move this
// process into another group of version 2, as the package says.
func Probe() Mode {
	m, err := look()
	if err != nil {
		return Mode{Reason: err.Error()}
	}
	v2, err2 := probe2(m)
	if err2 == nil {
		return v2
	}
	v1, err1 := probe1(m)
	if err1 == nil {
		v1.Reason = err2.Error()
		return v1
	}
	return Mode{Reason: fmt.Sprintf("%v; %v", err2, err1)}
}

func probe2(m machine) (Mode, error) {
	own, top, err := m.own("")
	if err != nil {
		return Mode{}, err
	}
	base, err := delegate(own, top)
	if err != nil {
		return Mode{}, err
	}
	return try(Mode{Version: 2, bases: []string{base}})
}

func probe1(m machine) (Mode, error) {
	memory, _, err := m.own("memory")
	if err != nil {
		return Mode{}, err
	}
	pids, _, err := m.own("pids")
	if err != nil {
		return Mode{}, err
	}
	bases := []string{memory, pids}
	if memory == pids {
		bases = bases[:1] // one hierarchy may have several controllers
	}
	return try(Mode{Version: 1, bases: bases})
}

// try is the proof that m works.
func try(m Mode) (Mode, error) {
	m.made = new(atomic.Int64)
	g, err := m.New()
	if err == nil {
		err = errors.Join(g.Limit(1<<30, 100), g.Remove())
	}
	if err != nil {
		return Mode{}, fmt.Errorf("%v: %w", m, err)
	}
	for _, base := range m.bases {
		sweep(base)
	}
	return m, nil
}
