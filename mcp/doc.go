// Package mcp uses the tools of Model Context Protocol servers as if they were helve's
// own.
package mcp
