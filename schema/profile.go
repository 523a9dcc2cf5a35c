package schema

import (
	"encoding/json"
	"fmt"
)

// Profile names a provider's dialect of JSON Schema.
type Profile int

const (
	OpenAI       Profile = iota // function tools of OpenAI-compatible endpoints
	OpenAIStrict                // the same with "strict": true
	Gemini                      // "parameters" of Gemini: a subset of OpenAPI 3.0.3
)

var profileNames = []string{"openai", "openai-strict", "gemini"}

// String returns the profile's name as ParseProfile reads it.
func (p Profile) String() string {
	if p < 0 || int(p) >= len(profileNames) {
		return fmt.Sprintf("Profile(%d)", int(p))
	}
	return profileNames[p]
}

// ParseProfile reads "openai", "openai-strict" or "gemini".
func ParseProfile(name string) (Profile, error) {
	for i, n := range profileNames {
		if n == name {
			return Profile(i), nil
		}
	}
	return 0, fmt.Errorf("schema: unknown profile %q; known are openai, openai-strict and gemini", name)
}

// Finding is something that a profile can't express, or that its provider
// would refuse.
type Finding struct {
	Pointer string `json:"pointer"` // RFC 6901, into the schema; references are followed
	Message string `json:"message"` // what is lost
	Fix     string `json:"fix"`     // how to mend it
}

// Render derives the schema that is sent to a provider. What the profile
// can't express goes into the description as text, so that the model may
// still keep to it; validation is always against the schema itself. The
// bytes are the same for every call. The findings, in document order, are
// for people who can change the schema.
func (s *Schema) Render(p Profile) (json.RawMessage, []Finding) {
	r := renderer{doc: s.doc, profile: p}
	return r.render(), r.findings
}
