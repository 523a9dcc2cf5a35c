//go:build race

package sandbox

// raced says that the attacker is built with the race detector, which takes more memory
// than the limit of a small run.
const raced = true
