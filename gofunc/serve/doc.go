// Package serve is the other end of package gofunc: it makes a program of the tools
// of a Go package. "helve gen tools/builtin" writes the only line that calls it:
//
//	func main() { serve.Main(builtin.Tools()) }
//
// The program reads calls from one pipe and writes results to another. Its standard
// output is its standard error, so that a function may print without doing harm; its
// standard input is empty. A function that panics loses its own call alone. The
// program ends with the process that started it, and takes along what it started.
//
// A function gets its call ID, the agent's state, the configuration and the store as
// in the same process, and may ask its host; values of agent.With stay there, and an
// artifact reaches the host as JSON.
package serve
