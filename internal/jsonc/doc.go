// Package jsonc reads JSON as people keep it in settings: with comments, with a comma
// behind the last element, and with a byte order mark. What it returns knows the line and
// the column of each value, for who finds fault with one.
package jsonc
