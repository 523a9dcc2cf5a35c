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

func BenchmarkText(b *testing.B) { read(b, texts) }
func BenchmarkCall(b *testing.B) { read(b, calls) }

func read(b *testing.B, workloads []workload) {
	for _, w := range workloads {
		for _, r := range textReaders {
			if r.reads(w) {
				b.Run(w.title+"/"+r.name, func(b *testing.B) { r.measure(b, w.answer(r.dialect)) })
			}
		}
	}
}
