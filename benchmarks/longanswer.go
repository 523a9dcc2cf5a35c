package main

import (
	"encoding/json"
	"strings"

	"helve/dialect"
	"helve/message"
	"helve/schema"
	"helve/tool"
)

// longAnswer is what a model wrote, in text, with one call of tool "write" at its
// end.
type longAnswer struct {
	text   string
	chunks []string
	bytes  int
	prose  int // bytes of text before the call; 0 where the call is all
	value  int // bytes of the call's argument
}

const (
	prose  = "The quick brown fox jumps over the lazy dog, and the dog does not mind at all. "
	markup = "<p>if a &lt; b then <b>go</b> on</p> "
)

// writeTool is the tool that the long answers call.
var writeTool = tool.Definition{
	Name:        "write",
	Description: "Write a file.",
	Parameters:  schema.MustCompile(`{"type":"object","properties":{"content":{"type":"string"}},"required":["content"]}`),
}

// filled is unit again and again, n bytes of it.
func filled(unit string, n int) string { return strings.Repeat(unit, n/len(unit)+1)[:n] }

// writtenCall is a call with an argument of n bytes as a model writes it in d.
func writtenCall(d *dialect.Dialect, n int) string {
	arguments, err := json.Marshal(map[string]string{"content": filled(prose, n)})
	if err != nil {
		panic(err) // of a map of strings
	}
	return d.Write([]message.ToolCall{{ID: "c", Name: writeTool.Name, Arguments: arguments}})
}

// textAnswer is a mebibyte of text made of unit, and a short call.
func textAnswer(d *dialect.Dialect, unit string, chunk int) longAnswer {
	text := filled(unit, 1<<20)
	a := cut(text+writtenCall(d, 16), chunk)
	a.prose, a.value = len(text), 16
	return a
}

// callAnswer is nothing but a call, whose argument has value bytes.
func callAnswer(d *dialect.Dialect, value, chunk int) longAnswer {
	a := cut(writtenCall(d, value), chunk)
	a.value = value
	return a
}

// cut cuts text into the chunks in which it arrives.
func cut(text string, chunk int) longAnswer {
	a := longAnswer{text: text, bytes: len(text)}
	for ; len(text) > chunk; text = text[chunk:] {
		a.chunks = append(a.chunks, text[:chunk])
	}
	a.chunks = append(a.chunks, text)
	return a
}
