package mend

// request mends what a server asks or tells. There are four ways in which that ends the
// process of a client that uses the SDK: no parameters, a null in a list, a question
// that is null, and a form whose schema holds itself.
func request(data []byte, method string) []byte {
	params := last(data, "params")
	if wantsParams[method] && (params == nil || isNull(params)) {
		return set(data, "params", []byte(`{}`))
	}
	return edit(data, func(key, value []byte) []byte {
		if string(key) == "params" {
			return question(value)
		}
		return value
	})
}

// wantsParams are the methods of a server that mean nothing without parameters: their
// handlers do not expect nil.
var wantsParams = map[string]bool{
	"elicitation/create": true, "sampling/createMessage": true,
	"notifications/cancelled": true, "notifications/elicitation/complete": true, "notifications/message": true,
	"notifications/progress": true, "notifications/resources/updated": true,
}

// question mends the parameters of a request. Of a form it keeps the bytes: a person is
// asked for its fields in their order.
func question(params []byte) []byte {
	var form []byte
	mended := edit(params, func(key, value []byte) []byte {
		switch string(key) {
		case "messages", "tools":
			return editList(value, func(e []byte) []byte { return unless(isNull(e), e) }) // a null panics
		case "requestedSchema":
			form = unless(first(value) != '{', formSchema(value, maxFormDepth))
			return form
		}
		return value
	})
	if form == nil {
		return mended
	}
	return keep(mended, RawForm, form)
}

// inputRequests leaves out the questions that are none: a null panics.
func inputRequests(value []byte) []byte {
	if first(value) != '{' {
		return nil
	}
	return edit(value, func(_, asked []byte) []byte {
		if first(asked) != '{' {
			return nil
		}
		return request(asked, unquote(last(asked, "method")))
	})
}

// maxFormDepth is how deeply the schema of a form is read: a form is flat.
const maxFormDepth = 16

// formSchema returns the schema of a form without nulls, which panic, and without
// references, which the protocol does not allow there. The SDK checks a person's answers
// by the schema, and follows a reference that leads to itself until the stack is full,
// which nothing recovers.
func formSchema(value []byte, depth int) []byte {
	switch {
	case isNull(value):
		return nil
	case depth == 0:
		return unless(first(value) == '{' || first(value) == '[', value)
	}
	value = edit(value, func(key, v []byte) []byte {
		switch string(key) {
		case "$ref", "$dynamicRef", "$recursiveRef":
			return nil
		}
		return formSchema(v, depth-1)
	})
	return editList(value, func(v []byte) []byte { return formSchema(v, depth-1) })
}
