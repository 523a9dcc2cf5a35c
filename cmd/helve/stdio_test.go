package main

import "testing"

func TestPrintableCommandsNoTerminal(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"two\nlines\tand a tab":        "two\nlines\tand a tab",
		"\x1b[31mred\x1b]0;title\x07":  "[31mred]0;title",
		"C1: \u009b31m, delete: \x7f.": "C1: 31m, delete: .",
		"北京 22 °C 🙂":                   "北京 22 °C 🙂",
	} {
		if got := printable(in); got != want {
			t.Errorf("printable(%q) = %q, want %q", in, got, want)
		}
	}
}
