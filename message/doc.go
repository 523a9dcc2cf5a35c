// Package message is the conversation between people, models and tools as data.
//
// A conversation is a slice of [Message]. Each message has a [Role] and an
// ordered list of parts. A part is one of
//
//	Text  Reasoning  Image  Audio  File  Resource  ToolCall  ToolResult
//
// Tool calls are parts, so the order of what a model said and what it called
// is kept. Each tool result is a message of its own, with [RoleTool]: that is
// how every provider wants it, and how a result is stored the moment it exists.
//
// The JSON form is stable. It is what sessions store and what a later release
// must read:
//
//	{"role":"user","parts":[{"type":"text","text":"What is 17 * 23?"}]}
//	{"role":"assistant","parts":[{"type":"tool_call","id":"call_1","name":"calculate","arguments":{"expression":"17 * 23"}}]}
//	{"role":"tool","parts":[{"type":"tool_result","call_id":"call_1","name":"calculate","content":[{"type":"text","text":"391"}]}]}
//
// Providers refuse a history in which a call has no result, as a run that was
// stopped leaves it. [Check] says what is wrong with a history and [Repair]
// mends it; on a sound history both cost next to nothing.
//
// Messages are values. Nothing in this package knows a model or a tool, and
// nothing here is safe to modify while another goroutine reads it.
package message
