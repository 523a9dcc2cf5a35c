package tooltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"helve/schema"
	"helve/tool"
)

func checkInvalid(s *subject) error {
	if len(s.examples) == 0 {
		return nil // the rule "examples" says so
	}
	prepared, err := tool.Prepare(s.definition, s.examples[0]) // with defaults: it must be valid as it is
	if err != nil {
		return nil // likewise
	}
	var valid map[string]json.RawMessage
	if err := json.Unmarshal(prepared, &valid); err != nil {
		return fmt.Errorf("the example %s is no JSON object: %w", s.examples[0], err)
	}
	var errs []error
	for _, bad := range invalidCalls(s.definition.Schema(), valid) {
		errs = append(errs, s.refused(bad))
	}
	return errors.Join(errs...)
}

// refused makes a call that must not reach the tool.
func (s *subject) refused(bad invalidCall) error {
	reached := false
	_, failure, err := s.invoke(s.ctx, bad.arguments, func() { reached = true })
	switch {
	case reached:
		return fmt.Errorf("a call with %s reached the tool: %s", bad.fault, bad.arguments)
	case err != nil:
		return err
	case failure == nil:
		return fmt.Errorf("a call with %s succeeded: %s", bad.fault, bad.arguments)
	case failure.Kind != tool.KindInvalidParameters:
		return fmt.Errorf("a call with %s gives an error of kind %s, want %s: %s", bad.fault, failure.Kind, tool.KindInvalidParameters, bad.arguments)
	}
	return nil
}

type invalidCall struct {
	fault     string
	arguments json.RawMessage
}

// invalidCalls makes wrong calls out of a valid one, one fault each.
func invalidCalls(s *schema.Schema, valid map[string]json.RawMessage) []invalidCall {
	var calls []invalidCall
	add := func(fault string, change func(arguments map[string]json.RawMessage)) {
		arguments := maps.Clone(valid)
		change(arguments)
		calls = append(calls, invalidCall{fault, encode(arguments)})
	}
	properties := s.Properties()
	declared := map[string]bool{}
	for _, p := range properties {
		declared[p.Name] = true
	}
	for _, p := range properties {
		if p.Required && p.Default == nil {
			add("no "+p.Name, func(m map[string]json.RawMessage) { delete(m, p.Name) })
		}
		if wrong := wrongType(s, valid, p.Name); wrong != nil {
			add(p.Name+" of a wrong type", func(m map[string]json.RawMessage) { m[p.Name] = wrong })
		}
		if variant := otherCase(p.Name); !declared[variant] {
			add(p.Name+" in the wrong letter case", func(m map[string]json.RawMessage) {
				m[variant] = wrongCase(m, p)
				delete(m, p.Name)
			})
		}
	}
	if unknown := "tooltest_unknown"; !declared[unknown] && !fits(s, valid, unknown, json.RawMessage(`1`)) {
		add("an unknown property", func(m map[string]json.RawMessage) { m[unknown] = json.RawMessage(`1`) })
	}
	return calls
}

// wrongType is nil for a property that may hold anything.
func wrongType(s *schema.Schema, valid map[string]json.RawMessage, name string) json.RawMessage {
	for _, value := range []string{`{"wrong":[]}`, `[{"wrong":[]}]`, `"wrong"`, `0.5`, `true`} {
		if wrong := json.RawMessage(value); !fits(s, valid, name, wrong) {
			return wrong
		}
	}
	return nil
}

// fits reports whether the valid arguments stay valid with that value.
func fits(s *schema.Schema, valid map[string]json.RawMessage, name string, value json.RawMessage) bool {
	arguments := maps.Clone(valid)
	arguments[name] = value
	return s.Validate(encode(arguments)) == nil
}

// otherCase is name itself if it has no letters.
func otherCase(name string) string {
	if upper := strings.ToUpper(name); upper != name {
		return upper
	}
	return strings.ToLower(name)
}

// wrongCase is the value for a key in the wrong letter case: the one that the
// right key would have had.
func wrongCase(arguments map[string]json.RawMessage, p schema.Property) json.RawMessage {
	if value, ok := arguments[p.Name]; ok {
		return value
	}
	if value := offered(p); value != nil {
		return value
	}
	return json.RawMessage(`1`)
}
