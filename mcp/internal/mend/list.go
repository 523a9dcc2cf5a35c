package mend

import "bytes"

// standIn is what the SDK gets for one tool of a list: a schema that it takes, the tool's
// own bytes, and its name if the schema is more than a stand-in. Of a tool that it knows by
// name the SDK reads the schema at each call, with a fresh decoder for 20 KB. One that is a stand-in already stays; a server can't forge one
// that says something else than the bytes it carries.
func standIn(tool []byte) []byte {
	if own := last(last(tool, "_meta"), RawTool); first(own) == '"' {
		if bytes.Equal(newStandIn([]byte(unquote(own))), tool) {
			return tool // it is one already
		}
	}
	return newStandIn(tool)
}

func newStandIn(tool []byte) []byte {
	name := []byte(`""`)
	schema := headers(last(tool, "inputSchema"), maxHeaderDepth)
	if schema == nil {
		schema = []byte(`{"type":"object"}`)
	} else if n := last(tool, "name"); first(n) == '"' {
		name = n
	}
	out := make([]byte, 0, 2*len(tool))
	out = append(append(out, `{"name":`...), name...)
	out = append(append(out, `,"inputSchema":`...), schema...)
	out = append(append(out, `,"_meta":{"`...), RawTool...)
	out = appendQuoted(append(out, `":`...), tool)
	return append(out, "}}"...)
}

// headerKey marks a property whose value the SDK repeats in a header of the request
// (SEP-2243). It finds them in the schema of the tool that it listed.
const headerKey = "x-mcp-header"

// maxHeaderDepth is how deeply a property may lie to be found.
const maxHeaderDepth = 32

// headers returns of a schema only what the SDK reads to find its marks, or nil if it
// holds none. The SDK gives up all of them where one property, marked or not, has a list
// of types.
func headers(schema []byte, depth int) []byte {
	if depth == 0 || first(schema) != '{' || !bytes.Contains(schema, []byte(headerKey)) {
		return nil
	}
	out := []byte{'{'}
	if t := last(schema, "type"); first(t) == '"' {
		out = appendMember(out, []byte("type"), t)
	}
	mark := last(schema, headerKey)
	if mark != nil {
		out = appendMember(out, []byte(headerKey), mark)
	}
	properties := edit(last(schema, "properties"), func(_, property []byte) []byte { return headers(property, depth-1) })
	if len(properties) > 0 && first(properties) == '{' && string(properties) != "{}" {
		return append(appendMember(out, []byte("properties"), properties), '}')
	}
	if mark == nil {
		return nil
	}
	return append(out, '}')
}
