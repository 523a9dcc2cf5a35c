package mend

import "bytes"

// content mends the list of blocks that a call gave.
func content(value []byte) []byte {
	switch {
	case first(value) == '[':
		return editList(value, block)
	case isNull(value):
		return []byte(`[]`)
	}
	return append(append([]byte{'['}, block(value)...), ']')
}

// needed is the one field without which a block of a kind says nothing. A kind that is
// not here is unknown; tool_use and tool_result belong to sampling, not to answers.
var needed = map[string]string{
	"text": "text", "image": "data", "audio": "data", "resource": "resource", "resource_link": "uri",
}

// blockFields are the keys that the SDK reads of a block, whatever its kind.
var blockFields = map[string]check{
	"type": isText, "text": isText, "mimeType": isText, "uri": isText, "name": isText, "title": isText,
	"description": isText, "id": isText, "toolUseId": isText,
	"size": isInteger, "isError": isBoolean, "_meta": isMeta, "annotations": isAnnotations, "icons": isIcons,
	"data": isNull, "resource": isNull, // of other kinds than those that need them
	"input": isNull, "content": isNull, "structuredContent": isNull, // of sampling
}

// block mends one block. A null is none.
func block(value []byte) []byte {
	switch first(value) {
	case 'n':
		return nil
	case '"':
		return textBlock(value)
	case '{':
	default:
		return textBlock(quote(value))
	}
	need := needed[string(kind(value))]
	if need == "" {
		return textBlock(quote(value))
	}
	whole, mediaType := true, ""
	mended := edit(value, func(key, v []byte) []byte {
		if string(key) != need {
			return unless(misfit(blockFields, key, v), v)
		}
		switch need {
		case "data":
			var ok bool
			v, mediaType, ok = standardBase64(v)
			whole = whole && ok
		case "resource":
			var ok bool
			v, ok = resource(v)
			whole = whole && ok
		default:
			whole = whole && isText(v)
		}
		return v
	})
	if !whole {
		return textBlock(quote(value))
	}
	return withMediaType(mended, mediaType)
}

// kind is a block's type.
func kind(block []byte) []byte {
	value := last(block, "type")
	if first(value) != '"' {
		return nil
	}
	if inside := value[1 : len(value)-1]; bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	return []byte(unquote(value))
}

// textBlock is a block of the text in a JSON string.
func textBlock(text []byte) []byte {
	return append(append([]byte(`{"type":"text","text":`), text...), '}')
}

// resourceFields are the keys of a resource that the SDK can do without.
var resourceFields = map[string]check{"mimeType": isText, "_meta": isMeta}

// resource mends the contents of an embedded resource.
func resource(value []byte) (mended []byte, ok bool) {
	if first(value) != '{' {
		return value, isNull(value)
	}
	whole, mediaType := true, ""
	mended = edit(value, func(key, v []byte) []byte {
		switch string(key) {
		case "uri", "text":
			whole = whole && isText(v)
			return v
		case "blob":
			var ok bool
			v, mediaType, ok = standardBase64(v)
			whole = whole && ok
			return v
		}
		return unless(misfit(resourceFields, key, v), v)
	})
	return withMediaType(mended, mediaType), whole
}

// withMediaType gives an object the type of a data: URL, if it has none itself.
func withMediaType(object []byte, mediaType string) []byte {
	if mediaType == "" {
		return object
	}
	if own := last(object, "mimeType"); len(own) > len(`""`) && !isNull(own) {
		return object
	}
	return set(object, "mimeType", quote([]byte(mediaType)))
}
