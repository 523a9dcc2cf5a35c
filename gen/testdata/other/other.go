// Package other has a type that no other package can name.
package other

type hidden struct{ N int }

// Public holds one.
type Public struct {
	Hidden hidden // how many
}
