//go:build race

package mcp_test

// slow says that the race detector watches: what moves megabytes takes minutes then.
const slow = true
