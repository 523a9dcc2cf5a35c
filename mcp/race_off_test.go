//go:build !race

package mcp_test

const slow = false
