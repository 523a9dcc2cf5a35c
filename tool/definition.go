package tool

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"helve/schema"
)

// Definition says what a tool is. Name, Description and Parameters are for the
// model; the rest tells the host how to run it. A Definition is a value: copy it
// freely.
type Definition struct {
	Name        string         // what the model calls; providers allow letters, digits, _ and -, at most 64
	Description string         // what the tool is for, in the words of its user
	Parameters  *schema.Schema // an object; nil means no parameters

	ReturnDirect bool          // the tool's answer ends the run, if every call of that turn asks for it
	Sequential   bool          // no other call of the same answer runs while this one does
	ReadOnly     bool          // it changes nothing: a result may be reused
	Idempotent   bool          // calling again does no more harm: it may be retried
	Timeout      time.Duration // 0 means the executor's
}

// Schema returns the parameters, or the schema of an object without properties
// where there are none.
func (d Definition) Schema() *schema.Schema {
	if d.Parameters == nil {
		return noParameters
	}
	return d.Parameters
}

// Check says what a provider would refuse: a name with other characters, no
// description, parameters that are no object. [New] and [FromSchema] never make
// such a tool; Check is for those that come from elsewhere.
func (d Definition) Check() error {
	if !goodName.MatchString(d.Name) {
		return fmt.Errorf("tool %q: providers want a name of 1 to 64 letters, digits, _ or -", clip(d.Name))
	}
	if strings.TrimSpace(d.Description) == "" {
		return fmt.Errorf("tool %s: give it a description: the model chooses tools by it", d.Name)
	}
	if !isObject(d.Schema()) {
		return fmt.Errorf(`tool %s: the root of its schema must be an object: add "type":"object"`, d.Name)
	}
	return nil
}

var goodName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// isObject reads the root as it is written: a provider does not follow a $ref
// to find the type.
func isObject(s *schema.Schema) bool {
	var root map[string]json.RawMessage
	return json.Unmarshal(s.JSON(), &root) == nil && string(root["type"]) == `"object"`
}

var noParameters = schema.MustCompile(`{"type":"object","properties":{},"additionalProperties":false}`)

// FunctionTool renders d as a provider wants it: for the OpenAI profiles an
// element of the request's "tools", for Gemini a function declaration. The
// bytes depend on d and p alone. The findings say what the provider can't
// express.
func (d Definition) FunctionTool(p schema.Profile) (json.RawMessage, []schema.Finding) {
	parameters, findings := d.Schema().Render(p)
	f := declaration{Name: d.Name, Description: d.Description, Parameters: parameters, Strict: p == schema.OpenAIStrict}
	if p == schema.Gemini {
		return compact(f), findings
	}
	return compact(functionTool{"function", f}), findings
}

// MarshalJSON writes what a model is told, without a provider's wrapping:
// {"name", "description", "parameters"}.
func (d Definition) MarshalJSON() ([]byte, error) {
	return compact(declaration{Name: d.Name, Description: d.Description, Parameters: d.Schema().JSON()}), nil
}

type functionTool struct {
	Type     string      `json:"type"`
	Function declaration `json:"function"`
}

type declaration struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict,omitempty"`
}
