package main

import "testing"

func BenchmarkOne(b *testing.B)               { compare(b, toolCalls, 1) }
func BenchmarkSixteen(b *testing.B)           { compare(b, toolCalls, 16) }
func BenchmarkHundred(b *testing.B)           { compare(b, toolCalls, 100) }
func BenchmarkAgent(b *testing.B)             { compare(b, wholeRuns, 1) }
func BenchmarkAgentCallsSixteen(b *testing.B) { compare(b, wholeRuns, 16) }

func compare(b *testing.B, subjects []subject, calls int) {
	for _, s := range subjects {
		b.Run(s.name, func(b *testing.B) { s.measure(b, calls) })
	}
}
