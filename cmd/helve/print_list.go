package main

import (
	"fmt"
	"text/tabwriter"
)

// list prints what a command lists: with --json one array, with --jsonl a line for each
// element, else a table, to which row gives the line of an element, its cells parted by
// tabs.
func list[T any](a *app, all []T, row func(T) string) error {
	switch {
	case a.json:
		if all == nil {
			all = []T{}
		}
		encode(a.std.out, all)
		return nil
	case a.jsonl:
		for _, element := range all {
			encode(a.std.out, element)
		}
		return nil
	}
	w := tabwriter.NewWriter(a.std.out, 0, 0, 2, ' ', 0)
	for _, element := range all {
		fmt.Fprintln(w, printable(row(element))) // files may be somebody else's
	}
	return w.Flush()
}
