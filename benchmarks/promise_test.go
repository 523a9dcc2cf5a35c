package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// The tests here are the README's table of what each library does around a call,
// run. Each names the libraries that keep the promise.

func raw(args ...string) []json.RawMessage {
	all := make([]json.RawMessage, len(args))
	for i := range args {
		all[i] = json.RawMessage(args[i])
	}
	return all
}

// TestValidates: arguments outside the schema do not reach the tool.
func TestValidates(t *testing.T) {
	validates := []string{"helve", "helve-logged", "mcp-go-checked", "mcp-sdk", "genkit"}
	for _, s := range toolCalls {
		t.Run(s.name, func(t *testing.T) {
			var ran atomic.Bool
			j := s.setup(t, func(context.Context, input) (string, error) {
				ran.Store(true)
				return "ran", nil
			}, raw(`{"city":"Paris","unit":"kelvin","days":99,"detail":true}`))
			_ = j.run(t.Context()) // some answer with an error, some with a result that is one
			if want := slices.Contains(validates, s.name); ran.Load() == want {
				t.Errorf("the tool ran: %v, want %v", ran.Load(), !want)
			}
		})
	}
}

// TestAppliesDefaults: what the model left out arrives with its default.
func TestAppliesDefaults(t *testing.T) {
	applies := []string{"helve", "helve-logged", "mcp-sdk"}
	for _, s := range toolCalls {
		t.Run(s.name, func(t *testing.T) {
			var got input
			j := s.setup(t, func(_ context.Context, in input) (string, error) {
				got = in
				return "ran", nil
			}, raw(`{"city":"Paris"}`))
			if err := j.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := input{City: "Paris"}
			if slices.Contains(applies, s.name) {
				want = input{City: "Paris", Unit: "celsius", Days: 3}
			}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// TestKeepsTheOthers: where one call fails, the others keep their results.
// Libraries that run one call at a time are left out: there it is their host's
// doing.
func TestKeepsTheOthers(t *testing.T) {
	keeps := []string{"helve", "helve-logged"}
	for _, s := range toolCalls {
		if s.oneAtATime {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			j := s.setup(t, func(ctx context.Context, in input) (string, error) {
				if in.City == "Atlantis" {
					return "", errors.New("sunk")
				}
				return weather(ctx, in)
			}, raw(`{"city":"Paris","days":1}`, `{"city":"Atlantis","days":1}`, `{"city":"Oslo","days":1}`))
			err := j.run(t.Context())
			if want := slices.Contains(keeps, s.name); (err == nil) != want {
				t.Fatalf("the answer's error is %v, want none: %v", err, want)
			}
			if err != nil {
				return
			}
			got := j.answers()
			if len(got) != 3 || !strings.HasPrefix(got[0], "Paris") || !strings.Contains(got[1], "sunk") || !strings.HasPrefix(got[2], "Oslo") {
				t.Errorf("got %q", got)
			}
		})
	}
}

// TestEndsWithItsContext: when the context ends, the answer is there, even if the
// tool ignores it and still runs.
func TestEndsWithItsContext(t *testing.T) {
	ends := []string{"helve", "helve-logged", "mcp-sdk"}
	for _, s := range toolCalls {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			started, release := make(chan struct{}), make(chan struct{})
			j := s.setup(t, func(context.Context, input) (string, error) {
				close(started)
				<-release
				return "late", nil
			}, arguments(1))
			ctx, cancel := context.WithCancel(t.Context())
			returned := make(chan struct{})
			go func() {
				defer close(returned)
				_ = j.run(ctx)
			}()
			<-started
			cancel()
			want, patience := slices.Contains(ends, s.name), 100*time.Millisecond
			if want {
				patience = 30 * time.Second // the machine may be busy
			}
			ended := false
			select {
			case <-returned:
				ended = true
			case <-time.After(patience):
			}
			close(release)
			<-returned
			if ended != want {
				t.Errorf("ended with its context: %v, want %v", ended, want)
			}
		})
	}
}

// TestContainsPanics: a tool's panic is an error of its call, whichever call of
// the answer it is in. Where it is not, it may end the process, so each library
// panics in a process of its own.
func TestContainsPanics(t *testing.T) {
	const child = "HELVE_BENCHMARKS_PANIC"
	calm, panics := `{"city":"Paris","days":1}`, `{"city":"Atlantis","days":1}`
	for _, tt := range []struct {
		where    string
		args     []json.RawMessage
		contains []string
	}{
		{"first", raw(panics, calm), []string{"helve", "helve-logged", "eino-graph", "mcp-go-checked"}},
		{"second", raw(calm, panics), []string{"helve", "helve-logged", "eino-graph", "mcp-go-checked", "eino"}},
	} {
		for _, s := range toolCalls {
			name := tt.where + "/" + s.name
			t.Run(name, func(t *testing.T) {
				if os.Getenv(child) == name {
					j := s.setup(t, func(ctx context.Context, in input) (string, error) {
						if in.City == "Atlantis" {
							panic("sunk")
						}
						return weather(ctx, in)
					}, tt.args)
					_ = j.run(t.Context())
					fmt.Println("survived")
					return
				}
				cmd := exec.Command(os.Args[0], "-test.run", "^TestContainsPanics$/^"+tt.where+"$/^"+s.name+"$")
				cmd.Env = append(os.Environ(), child+"="+name)
				out, err := cmd.CombinedOutput()
				survived := strings.Contains(string(out), "survived")
				if !survived && !strings.Contains(string(out), "panic: sunk") {
					t.Fatalf("%v\n%s", err, out)
				}
				if want := slices.Contains(tt.contains, s.name); survived != want {
					t.Errorf("contained: %v, want %v\n%s", survived, want, out)
				}
			})
		}
	}
}
