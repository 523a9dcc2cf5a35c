package httptool

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"helve/internal/jsonobject"
)

// bodyMaker makes the body of a request. Content is nil where there is none.
type bodyMaker interface {
	make(args, rest arguments) (content []byte)
	mediaType() string
}

// restJSON sends the arguments that stand nowhere else, as JSON.
type restJSON struct{}

func (restJSON) mediaType() string { return "application/json" }

func (restJSON) make(_, rest arguments) []byte { return jsonobject.Marshal(rest) }

// restForm sends them as a web form does.
type restForm struct{}

func (restForm) mediaType() string { return "application/x-www-form-urlencoded" }

func (restForm) make(_, rest arguments) []byte {
	values := url.Values{}
	addRest(values, rest)
	return []byte(values.Encode())
}

// addRest adds arguments under their own names; a list repeats its name.
func addRest(values url.Values, rest arguments) {
	for name, value := range rest {
		switch {
		case jsonobject.IsNull(value):
		case jsonobject.IsObject(value):
			values.Add(name, scalarText(value))
		default:
			addExploded(values, name, value)
		}
	}
}

// textBody sends one template as it is. Arguments inside XML are escaped.
type textBody struct {
	text template
	xml  bool
}

func (textBody) mediaType() string { return "text/plain; charset=utf-8" }

func (b textBody) make(args, _ arguments) []byte {
	escape := asIs
	if b.xml {
		escape = xmlEscaper.Replace
	}
	var text strings.Builder
	for _, p := range b.text.pieces { // one that was not given is nothing: the text around it stays
		text.WriteString(p.text)
		if value, ok := args[p.argument]; ok && !jsonobject.IsNull(value) {
			text.WriteString(listText(value, escape))
		}
	}
	return []byte(text.String())
}

var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// formBody sends templates as a web form does.
type formBody struct{ pairs []pair }

func (formBody) mediaType() string { return "application/x-www-form-urlencoded" }

func (b formBody) make(args, _ arguments) []byte {
	values := url.Values{}
	addPairs(values, b.pairs, args)
	return []byte(values.Encode())
}

func parseForm(body json.RawMessage) (formBody, error) {
	all, err := jsonobject.Read(body)
	if err != nil {
		return formBody{}, errors.New("a form is keys and values")
	}
	var form formBody
	for _, m := range all {
		if jsonobject.IsObject(m.Value) || jsonobject.IsList(m.Value) {
			return formBody{}, errors.New("a value of a form is one text: " + m.Key + " is not")
		}
		form.pairs = append(form.pairs, pair{m.Key, parseTemplate(scalarText(m.Value))})
	}
	return form, nil
}

// jsonBody is a JSON value with templates for its strings.
type jsonBody struct {
	constant json.RawMessage // a value without templates, or
	text     *template       // a string, or
	keys     []jsonMember    // an object, or
	list     []jsonBody      // a list
}

type jsonMember struct {
	key   string
	value jsonBody
}

func (*jsonBody) mediaType() string { return "application/json" }

func (b *jsonBody) make(args, _ arguments) []byte {
	content, _ := b.expand(args)
	return content
}

func parseJSONBody(raw json.RawMessage) (jsonBody, error) {
	switch {
	case jsonobject.IsString(raw):
		t := parseTemplate(scalarText(raw))
		if !t.hasArguments() {
			return jsonBody{constant: jsonobject.Marshal(t.literal())}, nil
		}
		return jsonBody{text: &t}, nil
	case jsonobject.IsObject(raw):
		all, err := jsonobject.Read(raw)
		if err != nil {
			return jsonBody{}, err
		}
		b := jsonBody{keys: make([]jsonMember, len(all))}
		for i, m := range all {
			b.keys[i].key = m.Key
			if b.keys[i].value, err = parseJSONBody(m.Value); err != nil {
				return jsonBody{}, err
			}
		}
		return b, nil
	case jsonobject.IsList(raw):
		var all []json.RawMessage
		if err := json.Unmarshal(raw, &all); err != nil {
			return jsonBody{}, err
		}
		b := jsonBody{list: make([]jsonBody, len(all))}
		for i, e := range all {
			var err error
			if b.list[i], err = parseJSONBody(e); err != nil {
				return jsonBody{}, err
			}
		}
		return b, nil
	}
	return jsonBody{constant: jsonobject.Compact(raw)}, nil
}

// expand reports false for a string with an argument that was not given; whoever
// holds it leaves it out.
func (b *jsonBody) expand(args arguments) (json.RawMessage, bool) {
	switch {
	case b.constant != nil:
		return b.constant, true
	case b.text != nil:
		if one, ok := b.text.alone(); ok {
			value, given := args[one.argument]
			return value, given
		}
		text, ok := b.text.expand(args, asIs)
		return jsonobject.Marshal(text), ok
	case b.keys != nil:
		var all []jsonobject.Member
		for _, k := range b.keys {
			if value, ok := k.value.expand(args); ok {
				all = append(all, jsonobject.Member{Key: k.key, Value: value})
			}
		}
		return jsonobject.Write(all), true
	}
	list := []json.RawMessage{}
	for i := range b.list {
		if value, ok := b.list[i].expand(args); ok {
			list = append(list, value)
		}
	}
	return jsonobject.Marshal(list), true
}

// templates yields all templates of the body.
func (b *jsonBody) templates() []template {
	var all []template
	if b.text != nil {
		all = append(all, *b.text)
	}
	for _, k := range b.keys {
		all = slices.Concat(all, k.value.templates())
	}
	for i := range b.list {
		all = slices.Concat(all, b.list[i].templates())
	}
	return all
}
