package sim

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"helve/schema"
)

// A model without function calling knows its tools from a listing in its system
// prompt, as dialect.Prompt writes it: a plain list, in English or Chinese, or the
// tools' JSON signatures. What is neither is passed over.

// readListing returns the tools of a listing.
func readListing(listing string) []definition {
	if tools := readItems(listing); len(tools) > 0 {
		return tools
	}
	return readSignatures(listing)
}

// readSignatures finds {"name", "description", "parameters"}, bare or as
// {"function": …}, whatever stands around it.
func readSignatures(s string) []definition {
	type signature struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	var tools []definition
	for {
		i := strings.IndexByte(s, '{')
		if i < 0 {
			return tools
		}
		s = s[i:]
		var found struct {
			signature
			Function signature `json:"function"`
		}
		raw, rest, err := cutJSON(s)
		if err == nil {
			err = json.Unmarshal(raw, &found)
		}
		s = rest
		if f := found.Function; f.Name != "" {
			found.signature = f
		}
		if f := found.signature; err == nil && f.Name != "" {
			tools = appendTool(tools, f.Name, f.Description, f.Parameters)
		}
	}
}

// cutJSON cuts the JSON value off that s begins with. What is no JSON is skipped
// up to where that shows, so that a listing is read once.
func cutJSON(s string) (value json.RawMessage, rest string, err error) {
	d := json.NewDecoder(strings.NewReader(s))
	err = d.Decode(&value)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return value, s[d.InputOffset():], nil
	case errors.As(err, &syntax):
		return nil, s[min(max(1, int(syntax.Offset)-1), len(s)):], err
	}
	return nil, "", err
}

// appendTool leaves a tool out whose name is none or whose parameters are no schema.
func appendTool(tools []definition, name, description string, parameters json.RawMessage) []definition {
	if len(parameters) == 0 || string(parameters) == "null" {
		parameters = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	s, err := schema.Compile(parameters)
	if err != nil || s.Root().Type != "object" || len(name) > maxName {
		return tools
	}
	return append(tools, definition{name, description, s})
}

var (
	itemLine      = regexp.MustCompile(`^- ([^\s:：]+)(?::|：) ?(.*)$`)
	parameterLine = regexp.MustCompile(`^  - (.+?)(?: \(|（)(string|integer|number|boolean|array|object|null|any type|任意类型)(?:, |，)(required|optional|必填|可选)(.*)$`)
	sharedLine    = regexp.MustCompile(`^  - \$defs(?:: |：)(\{.*\})$`)

	comma    = regexp.MustCompile(`^(?:, |，)`)
	oneOf    = regexp.MustCompile(`^(?:one of |可选值 )`)
	fallback = regexp.MustCompile(`^(?:default |默认值 )`)
	behind   = regexp.MustCompile(`^[)）](?::|：)? ?`)
)

// item is a tool of the plain list:
//
//   - get_weather: Get the weather in a city.
//   - city (string, required): The city.
//   - unit (string, optional, one of "c" | "f", default "c")
type item struct {
	name, description string
	parameters        []listed
	shared            json.RawMessage // $defs
}

// listed is a parameter of the plain list.
type listed struct {
	name, typ, description string
	required               bool
	enum                   []json.RawMessage
	fallback               json.RawMessage
	schema                 json.RawMessage // what else is known of it
}

func readItems(listing string) []definition {
	var items []*item
	var text *string // the description that a further line belongs to
	for line := range strings.Lines(listing) {
		line = strings.TrimRight(line, "\r\n")
		if m := itemLine.FindStringSubmatch(line); m != nil {
			items = append(items, &item{name: m[1], description: m[2]})
			text = &items[len(items)-1].description
			continue
		}
		if len(items) == 0 {
			continue
		}
		tool := items[len(items)-1]
		if m := sharedLine.FindStringSubmatch(line); m != nil {
			tool.shared = json.RawMessage(m[1])
		} else if m := parameterLine.FindStringSubmatch(line); m != nil {
			tool.parameters = append(tool.parameters, readParameter(m[1], m[2], m[3], m[4]))
			text = &tool.parameters[len(tool.parameters)-1].description
		} else if strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "  - ") {
			*text += "\n" + strings.TrimSpace(line)
		}
	}
	var tools []definition
	for _, t := range items {
		tools = appendTool(tools, t.name, t.description, t.schema())
	}
	return tools
}

// readParameter reads what follows the first facts about a parameter, up to its
// description.
func readParameter(name, typ, required, rest string) listed {
	p := listed{name: name, typ: typ, required: required == "required" || required == "必填"}
	for comma.MatchString(rest) {
		rest = cut(comma, rest)
		switch {
		case oneOf.MatchString(rest):
			rest = " | " + cut(oneOf, rest)
			for strings.HasPrefix(rest, " | ") {
				var value json.RawMessage
				value, rest, _ = cutJSON(rest[len(" | "):])
				p.enum = append(p.enum, value)
			}
		case fallback.MatchString(rest):
			p.fallback, rest, _ = cutJSON(cut(fallback, rest))
		default:
			p.schema, rest, _ = cutJSON(rest)
		}
	}
	if behind.MatchString(rest) {
		p.description = cut(behind, rest)
	}
	return p
}

// cut is s without what a pattern matches at its beginning.
func cut(beginning *regexp.Regexp, s string) string {
	return s[len(beginning.FindString(s)):]
}

// schema is the JSON Schema of the tool's parameters, in their order.
func (t *item) schema() json.RawMessage {
	var required []string
	properties := []byte{'{'}
	for i, p := range t.parameters {
		properties = append(separate(properties, i > 0), encode(p.name)...)
		properties = append(append(properties, ':'), p.json()...)
		if p.required {
			required = append(required, p.name)
		}
	}
	out := append([]byte(`{"type":"object","properties":`), append(properties, '}')...)
	out = appendMember(out, "$defs", t.shared)
	if required != nil {
		out = appendMember(out, "required", encode(required))
	}
	return append(out, '}')
}

func (p *listed) json() []byte {
	members := map[string]json.RawMessage{}
	if json.Unmarshal(p.schema, &members) != nil {
		members = map[string]json.RawMessage{}
	}
	if _, known := members["type"]; !known && p.typ != "any type" && p.typ != "任意类型" {
		members["type"] = encode(p.typ)
	}
	if p.description != "" {
		members["description"] = encode(p.description)
	}
	if p.enum != nil {
		members["enum"] = encode(p.enum)
	}
	if p.fallback != nil {
		members["default"] = p.fallback
	}
	return encode(members)
}

func appendMember(object []byte, key string, value json.RawMessage) []byte {
	if len(value) == 0 {
		return object
	}
	return append(append(append(object, ','), append(encode(key), ':')...), value...)
}
