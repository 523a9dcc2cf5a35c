package main

import (
	"fmt"
	"slices"
	"testing"
)

// TestAnswers shows that the libraries did the same work: every call of every
// answer has the same text.
func TestAnswers(t *testing.T) {
	const want = "Paris: 5 days of sun, in celsius, and a light wind"
	for _, s := range toolCalls {
		for _, n := range []int{1, 16, 100} {
			t.Run(fmt.Sprintf("%s/%d", s.name, n), func(t *testing.T) {
				checkAnswers(t, s, n, slices.Repeat([]string{want}, n))
			})
		}
	}
	for _, s := range wholeRuns {
		for _, n := range []int{1, 16} {
			t.Run(fmt.Sprintf("run/%s/%d", s.name, n), func(t *testing.T) {
				checkAnswers(t, s, n, []string{want})
			})
		}
	}
}

func checkAnswers(t *testing.T, s subject, calls int, want []string) {
	t.Helper()
	j := s.setup(t, weather, arguments(calls))
	for range 3 {
		if err := j.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := j.answers(); !slices.Equal(got, want) {
			t.Fatalf("got %q\nwant %q", got, want)
		}
	}
}
