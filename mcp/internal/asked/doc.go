// Package asked bounds what a server of the Model Context Protocol asks at once.
//
// A server may ask its client: ping, elicitation/create, sampling/createMessage. The SDK
// starts a goroutine for each request, which waits until its answer is written. A server
// that asks without end and does not read would fill the memory of the host. [Open] keeps
// which requests of one connection are open, for the transports, which refuse the others.
package asked
