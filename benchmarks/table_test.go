package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	c := comparison{title: "Some calls", subjects: []subject{{name: "helve"}, {name: "eino"}}}
	samples := [][]sample{
		{{1000, 10, 1}, {3000, 10, 1}, {2000, 10, 1}},
		{{2000, 1234567, 7}, {4000, 1234567, 7}, {8000, 1234567, 7}},
	}
	for _, tt := range []struct {
		budget float64
		want   string
	}{
		{0, "| helve | 2,000 | 1,000 – 3,000 | 10 | 1 | 1.00 |  |"},
		{0, "| eino | 4,000 | 2,000 – 8,000 | 1,234,567 | 7 | 2.00 |  |"},
		{0.5, "| helve | 2,000 | 1,000 – 3,000 | 10 | 1 | 1.00 | ≤ 0.5 × eino: 0.50 (0.25 – 0.75), holds |"},
		{0.4, "| helve | 2,000 | 1,000 – 3,000 | 10 | 1 | 1.00 | ≤ 0.4 × eino: 0.50 (0.25 – 0.75), **missed** |"},
	} {
		c.budget = tt.budget
		var b strings.Builder
		writeTable(&b, c, samples)
		if !strings.Contains(b.String(), tt.want+"\n") {
			t.Errorf("no line %q in\n%s", tt.want, b.String())
		}
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		figures []float64
		want    float64
	}{
		{[]float64{7}, 7},
		{[]float64{9, 1, 5}, 5},
		{[]float64{4, 1, 2, 9}, 3},
	} {
		if got := median(tt.figures); got != tt.want {
			t.Errorf("median(%v) = %v, want %v", tt.figures, got, tt.want)
		}
	}
}
