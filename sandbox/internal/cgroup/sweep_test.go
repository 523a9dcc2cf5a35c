//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
)

func TestGroupsOfTheDeadAreSwept(t *testing.T) {
	t.Parallel()
	m := need(t)
	c := start(t, "leave", nil, nil)
	dirs := strings.Fields(c.line(t))
	if len(dirs) != len(m.bases) {
		t.Fatal(dirs)
	}
	mine := newGroup(t, 64<<20, 30)

	sweepAll(m)
	for _, dir := range append(dirs, mine.dirs...) {
		if _, err := os.Lstat(dir); err != nil {
			t.Errorf("the group of a process that lives: %v", err)
		}
	}

	c.Process.Kill()
	c.Process.Wait()
	for _, dir := range dirs {
		err := retry(func() error { // another test's sweep may be at it
			sweepAll(m)
			if _, err := os.Lstat(dir); !os.IsNotExist(err) {
				return fmt.Errorf("%s was left: %v", dir, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if _, err := io.Copy(io.Discard, c.out); err != nil { // it ends when what was in the group ended
		t.Error(err)
	}
	for _, dir := range mine.dirs {
		if _, err := os.Lstat(dir); err != nil {
			t.Errorf("my own group: %v", err)
		}
	}
}

func sweepAll(m Mode) {
	for _, base := range m.bases {
		sweep(base)
	}
}

// A group that is being made looks as one that was left behind, for a moment.
func TestSweepWhileGroupsAreMade(t *testing.T) {
	t.Parallel()
	m := need(t)
	done := make(chan struct{})
	var sweeper, makers sync.WaitGroup
	sweeper.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				sweepAll(m)
			}
		}
	})
	for range 4 {
		makers.Go(func() {
			for range 100 {
				g, err := m.New()
				if err != nil {
					t.Error(err)
					return
				}
				if err := errors.Join(g.Limit(64<<20, 30), g.Remove()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	makers.Wait()
	close(done)
	sweeper.Wait()
}

func TestOnlyNamesOfRunsAreSwept(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"helve-1-1":                    true,
		"helve-4194304-1234567":        true,
		"helve-host":                   false,
		"helve-":                       false,
		"helve-1":                      false,
		"helve-1-":                     false,
		"helve--1":                     false,
		"helve-0-1":                    false,
		"helve-01-1":                   false,
		"helve-1-1-1":                  false,
		"helve-1-+1":                   false,
		"helve-1-99999999999999999999": false,
		"shelve-1-1":                   false,
		"":                             false,
	} {
		if isRun(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
