package httptool

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"helve/internal/jsonobject"
	"helve/schema"
	"helve/tool"
)

// plan makes the requests of one tool.
type plan struct {
	method      string
	target      target
	query       []pair
	headers     []pair
	body        bodyMaker // nil: none
	restInQuery bool
	placed      map[string]bool // arguments that stand somewhere
}

var methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}

// carriesBody says where the arguments that stand nowhere go.
func carriesBody(method string) bool {
	return method == "POST" || method == "PUT" || method == "PATCH"
}

// newPlan reads the parts of c that make a request. Parameters may be nil where
// they are wrong themselves.
func newPlan(c *Config, parameters *schema.Schema, wrong *problems) *plan {
	p := &plan{method: strings.ToUpper(c.Method), placed: map[string]bool{}}
	if p.method == "" {
		p.method = http.MethodGet
	}
	if !slices.Contains(methods, p.method) {
		wrong.add("/method", "%q is no method: there are %s", c.Method, strings.Join(methods, ", "))
	}
	var err error
	if p.target, err = parseTarget(c.APIURL); err != nil {
		wrong.add("/api_url", "%v", err)
	}
	u := uses{p, parameters, wrong}
	u.path("/api_url", p.target.path)
	for _, q := range p.target.query {
		u.value("/api_url", q.value, true)
	}
	for _, key := range slices.Sorted(maps.Keys(c.Query)) {
		q := pair{key, parseTemplate(c.Query[key])}
		u.value("/query/"+escapePointer(key), q.value, true)
		p.query = append(p.query, q)
	}
	for _, key := range slices.Sorted(maps.Keys(c.Headers)) {
		at := "/headers/" + escapePointer(key)
		h := pair{textproto.CanonicalMIMEHeaderKey(key), parseTemplate(c.Headers[key])}
		checkHeader(h, at, wrong)
		u.value(at, h.value, false)
		p.headers = append(p.headers, h)
	}
	p.setBody(c, u)
	return p
}

// ownHeaders are what net/http writes itself.
var ownHeaders = []string{"Host", "Content-Length", "Transfer-Encoding", "Connection", "Accept-Encoding", "Trailer", "Upgrade"}

func checkHeader(h pair, at string, wrong *problems) {
	switch {
	case !httpguts.ValidHeaderFieldName(h.key):
		wrong.add(at, "%q is no name for a header", h.key)
	case slices.Contains(ownHeaders, h.key):
		wrong.add(at, "%s can't be set: it follows from the request", h.key)
	}
	for _, p := range h.value.pieces {
		if !httpguts.ValidHeaderFieldValue(p.text) {
			wrong.add(at, "the value holds a character that no header may, such as the end of a line")
		}
	}
}

func (p *plan) setBody(c *Config, u uses) {
	raw := json.RawMessage(c.Body)
	if len(raw) > 0 {
		p.setExplicitBody(c, raw, u)
		return
	}
	rest := u.rest()
	switch {
	case !carriesBody(p.method):
		p.restInQuery = true
		if c.BodyType != "" {
			u.wrong.add("/body_type", "a %s sends no body unless body says what", p.method)
		}
	case !rest:
	case c.BodyType == "" || c.BodyType == "json":
		p.body = restJSON{}
	case c.BodyType == "form":
		p.body = restForm{}
	case c.BodyType == "text":
		u.wrong.add("/body_type", "a text needs a body that says which")
	default:
		u.badBodyType(c)
	}
}

func (p *plan) setExplicitBody(c *Config, raw json.RawMessage, u uses) {
	before := len(u.wrong.all)
	if u.unquoted("/body", raw); len(u.wrong.all) > before {
		return // what follows from it would only confuse
	}
	switch c.BodyType {
	case "", "json":
		b, err := parseJSONBody(raw)
		if err != nil {
			u.wrong.add("/body", "%v", err)
			return
		}
		for _, t := range b.templates() {
			u.value("/body", t, false)
		}
		if one := b.text; one != nil {
			if _, alone := one.alone(); !alone {
				u.wrong.add("/body", "a JSON body is keys and values, a list, or one {argument}; for a text write body_type: text")
			}
		}
		p.body = &b
	case "form":
		b, err := parseForm(raw)
		if err != nil {
			u.wrong.add("/body", "%v", err)
			return
		}
		for _, f := range b.pairs {
			u.value("/body/"+escapePointer(f.key), f.value, true)
		}
		p.body = b
	case "text":
		if !jsonobject.IsString(raw) {
			u.wrong.add("/body", "with body_type: text the body is one text")
			return
		}
		b := textBody{text: parseTemplate(scalarText(raw)), xml: strings.Contains(strings.ToLower(p.contentType()), "xml")}
		if strings.Contains(p.contentType(), "json") {
			u.wrong.add("/body_type", "write a JSON body as keys and values, so that an argument can't break it: leave out body_type: text")
		}
		u.value("/body", b.text, false)
		p.body = b
	default:
		u.badBodyType(c)
		return
	}
	if u.rest() && carriesBody(p.method) {
		u.unused()
	}
	p.restInQuery = !carriesBody(p.method)
}

// contentType is what the headers say.
func (p *plan) contentType() string {
	for _, h := range p.headers {
		if h.key == "Content-Type" {
			return h.value.literal()
		}
	}
	return ""
}

// request makes the request of a call, without credentials. The error is a
// [*tool.Error] for the model.
func (p *plan) request(ctx context.Context, raw json.RawMessage) (*http.Request, error) {
	args := arguments{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &args); err != nil {
			return nil, invalid("the arguments are no JSON object")
		}
	}
	rest := arguments{}
	for name, value := range args {
		if !p.placed[name] {
			rest[name] = value
		}
	}
	u, err := p.url(args, rest)
	if err != nil {
		return nil, invalid(err.Error())
	}
	request, err := http.NewRequestWithContext(ctx, p.method, u.String(), nil)
	if err != nil {
		return nil, invalid("the arguments make no valid URL")
	}
	if p.body != nil {
		if content := p.body.make(args, rest); content != nil {
			setContent(request, content)
			request.Header.Set("Content-Type", p.body.mediaType())
		}
	}
	request.Header.Set("User-Agent", "helve")
	request.Header.Set("Accept", "application/json, */*;q=0.5")
	for _, h := range p.headers {
		text, ok := h.value.expand(args, asIs)
		if !ok {
			continue
		}
		if !httpguts.ValidHeaderFieldValue(text) {
			return nil, invalid("an argument that goes into the header " + h.key + " holds a character that no header may, such as the end of a line")
		}
		request.Header.Set(h.key, text)
	}
	return request, nil
}

func (p *plan) url(args, rest arguments) (*url.URL, error) {
	u, err := p.target.url(args)
	if err != nil {
		return nil, err
	}
	query := u.Query()
	addPairs(query, p.query, args)
	if p.restInQuery {
		for key := range query {
			delete(rest, key) // what the author wrote is not the model's to add to
		}
		addRest(query, rest)
	}
	u.RawQuery = query.Encode()
	return u, nil
}

// setContent gives request a body that can be sent again.
func setContent(request *http.Request, content []byte) {
	request.ContentLength = int64(len(content))
	request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
	request.Body, _ = request.GetBody()
}

func invalid(message string) error {
	return &tool.Error{Kind: tool.KindInvalidParameters, Message: message}
}
