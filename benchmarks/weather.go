package main

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
)

// input is what the model fills, with the tags that helve, Eino and genkit all
// read.
type input struct {
	City   string `json:"city" jsonschema:"minLength=1"`
	Unit   string `json:"unit,omitempty" jsonschema:"enum=celsius,enum=fahrenheit,default=celsius"`
	Days   int    `json:"days,omitempty" jsonschema:"minimum=1,maximum=14,default=3"`
	Detail bool   `json:"detail,omitempty"`
}

const (
	toolName    = "weather"
	description = "The weather of a city in the coming days."
)

// arguments is what the model wrote for each of n calls.
func arguments(n int) []json.RawMessage {
	return slices.Repeat([]json.RawMessage{json.RawMessage(`{"city":"Paris","unit":"celsius","days":5,"detail":true}`)}, n)
}

// weather is the tool. It does next to nothing, so that what is measured is what
// lies around it; its answer tells each argument that arrived.
func weather(_ context.Context, in input) (string, error) {
	answer := in.City + ": " + strconv.Itoa(in.Days) + " days of sun, in " + in.Unit
	if in.Detail {
		answer += ", and a light wind"
	}
	return answer, nil
}

func callID(i int) string { return "call_" + strconv.Itoa(i) }
