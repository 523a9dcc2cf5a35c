package openapi

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/httptool"
	"helve/internal/yamlfile"
)

// document is the smallest one around some paths and components.
func document(version, paths, components string) []byte {
	text := "openapi: " + version + "\ninfo: {title: Test API, version: '1'}\nservers: [{url: 'https://api.example.com/v1/'}]\npaths:\n" + paths
	if components != "" {
		text += "components:\n" + components
	}
	return []byte(text)
}

func read(t *testing.T, data []byte, o Options) *Import {
	t.Helper()
	imported, err := Read(data, o)
	if err != nil {
		t.Fatal(err)
	}
	return imported
}

// one reads a document of one operation and returns its tool.
func one(t *testing.T, data []byte, o Options) Tool {
	t.Helper()
	imported := read(t, data, o)
	if len(imported.Tools) != 1 {
		t.Fatalf("got %d tools, skipped %v", len(imported.Tools), imported.Skipped)
	}
	return imported.Tools[0]
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ document, want string }{
		"nothing":         {"", "no OpenAPI document"},
		"a text":          {"hello", "no OpenAPI document"},
		"another YAML":    {"name: x\n", `the key "openapi" is missing`},
		"broken JSON":     {`{"openapi": "3.0.0", `, "no OpenAPI document"},
		"Swagger":         {"swagger: '2.0'\ninfo: {title: x, version: '1'}\npaths: {}\n", "Swagger 2.0"},
		"Swagger in JSON": {`{"swagger": "2.0", "paths": {}}`, "Swagger 2.0"},
		"a new version":   {"openapi: 4.0.0\ninfo: {title: x, version: '1'}\npaths: {}\n", "OpenAPI 4.0.0 is not known"},
		"another file":    {string(document("3.0.0", "  /a: {$ref: 'other.yaml#/a'}\n", "")), "refers to another file"},
		"the password":    {string(document("3.0.0", "  /a: {get: {parameters: [{$ref: '/etc/passwd'}], responses: {}}}\n", "")), "refers to another file"},
		"a URL":           {string(document("3.0.0", "  /a: {get: {parameters: [{$ref: 'http://169.254.169.254/x'}], responses: {}}}\n", "")), "refers to another file"},
		"nowhere":         {string(document("3.0.0", "  /a: {get: {parameters: [{$ref: '#/components/parameters/x'}], responses: {}}}\n", "")), "no OpenAPI document"},
		"aliases":         {"openapi: 3.0.0\na: &a [x,x,x,x,x,x,x,x,x]\n" + aliases(), "no OpenAPI document"},
		"too long":        {"openapi: 3.0.0\n#" + strings.Repeat("x", MaxBytes), "at most 16777216 are read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := Read([]byte(test.document), Options{}); err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "root:") {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// aliases amount to 9^8 values.
func aliases() string {
	var b strings.Builder
	for c := 'b'; c < 'j'; c++ {
		fmt.Fprintf(&b, "%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 8), c-1)
	}
	return b.String()
}

func TestFilters(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/tracker.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		options Options
		want    int
	}{
		{Options{Tags: []string{"reports"}}, 2},
		{Options{Tags: []string{"reports", "people"}}, 9},
		{Options{Operations: []string{"getIssue", "getMe"}}, 2},
		{Options{Operations: []string{"getIssue", "getMe"}, Tags: []string{"people"}}, 1},
		{Options{Deprecated: true, Operations: []string{"export"}}, 1},
		{Options{Operations: []string{"export"}}, 0},
	} {
		if got := len(read(t, data, test.options).Tools); got != test.want {
			t.Errorf("%+v: got %d tools, want %d", test.options, got, test.want)
		}
	}
	for _, o := range []Options{{Tags: []string{"report"}}, {Operations: []string{"getIsue"}}} {
		if _, err := Read(data, o); err == nil || !strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%+v: got %v", o, err)
		}
	}
	// Variables are those of the tools that were made.
	if got := read(t, data, Options{Operations: []string{"getMe"}}).Variables; !reflect.DeepEqual(got, []Variable{{"QUILL_TRACKER_HEADERKEY_API_KEY", "headerKey", "eu.quill.example"}}) {
		t.Errorf("got %v", got)
	}
}

func TestServer(t *testing.T) {
	t.Parallel()
	const paths = "paths: {/a: {get: {responses: {}}}}\n"
	for _, test := range []struct{ servers, source, server, want string }{
		{"servers: [{url: 'https://api.example.com/v1/'}]\n", "", "", "https://api.example.com/v1/a"},
		{"servers: [{url: 'https://{host}/{v}', variables: {host: {default: h.example}, v: {default: v2}}}]\n", "", "", "https://h.example/v2/a"},
		{"servers: [{url: /v1}]\n", "https://docs.example.com/api/openapi.json?key=x", "", "https://docs.example.com/v1/a"},
		{"servers: [{url: ../v1}]\n", "https://docs.example.com/api/openapi.json", "", "https://docs.example.com/v1/a"},
		{"", "https://docs.example.com/api/openapi.json", "", "https://docs.example.com/a"},
		{"servers: [{url: /v1}]\n", "openapi.json", "", "give its URL with --server"},
		{"", "openapi.json", "", "give its URL with --server"},
		{"", "openapi.json", "http://localhost:8080/v3/", "http://localhost:8080/v3/a"},
		{"servers: [{url: 'ftp://x'}]\n", "", "", "give its URL with --server"},
		{"servers: [{url: 'https://u:p@x/'}]\n", "", "", "give another with --server"},
		{"servers: [{url: 'https://{host}/'}]\n", "", "", "is no URL"},
	} {
		imported := read(t, []byte("openapi: 3.0.0\ninfo: {title: x, version: '1'}\n"+test.servers+paths), Options{Source: test.source, Server: test.server})
		got := fmt.Sprint(imported.Skipped)
		if len(imported.Tools) > 0 {
			got = imported.Tools[0].Config.APIURL
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s %s: got %s, want %s", test.servers, test.source, got, test.want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("averylongname", 8)
	data := document("3.0.0", `
  /a: {get: {operationId: Get.Users/All, responses: {}}}
  /b: {get: {operationId: get_users_all, responses: {}}}
  /c: {get: {operationId: GET_USERS_ALL, responses: {}}}
  /d: {get: {operationId: `+long+`1, responses: {}}}
  /e: {get: {operationId: `+long+`2, responses: {}}}
  /f/{x}/g: {post: {responses: {}, parameters: [{name: x, in: path, required: true, schema: {type: string}}]}}
  /h: {get: {operationId: 获取, responses: {}}}
`, "")
	var first []string
	for range 5 {
		var names []string
		for _, made := range read(t, data, Options{}).Tools {
			names = append(names, made.Config.Name)
		}
		if first == nil {
			first = names
		}
		if !reflect.DeepEqual(first, names) {
			t.Fatalf("the names change: %v, %v", first, names)
		}
	}
	want := []string{"Get_Users_All", "get_users_all_2", "GET_USERS_ALL_3", first[3], first[4], "post_f_x_g", "get_h"}
	if diff := cmp.Diff(want, first); diff != "" || first[3] == first[4] || len(first[3]) != 64 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSecurity(t *testing.T) {
	t.Parallel()
	const schemes = `
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    cookie: {type: apiKey, in: cookie, name: sid}
    bearer: {type: http, scheme: Bearer}
    digest: {type: http, scheme: digest}
    mtls: {type: mutualTLS}
    implicit: {type: oauth2, flows: {implicit: {authorizationUrl: 'https://x/auth', scopes: {}}}}
    oidc: {type: openIdConnect, openIdConnectUrl: 'https://x/.well-known'}
`
	for security, want := range map[string]string{
		"[{key: []}]":                        "api_key ${TEST_API_KEY}",
		"[{cookie: []}, {key: []}]":          "api_key ${TEST_API_KEY}",
		"[{cookie: []}, {}]":                 "",
		"[{}, {key: []}]":                    "api_key ${TEST_API_KEY}",
		"[]":                                 "",
		"[{bearer: []}]":                     "bearer ${TEST_BEARER_TOKEN}",
		"[{implicit: [a]}]":                  "bearer ${TEST_IMPLICIT_TOKEN}",
		"[{oidc: []}]":                       "bearer ${TEST_OIDC_TOKEN}",
		"[{cookie: []}]":                     "goes into a cookie",
		"[{digest: []}]":                     "a tool has basic and bearer",
		"[{mtls: []}]":                       `of the type "mutualTLS"`,
		"[{bearer: [], key: []}]":            "bearer and key at once",
		"[{none: []}]":                       `"none" is not in the document`,
		"[{digest: []}, {cookie: []}]":       "a tool has basic and bearer; its key goes into a cookie",
		"[{bearer: [], key: []}, {key: []}]": "api_key ${TEST_API_KEY}",
	} {
		imported := read(t, document("3.1.0", "  /a: {get: {security: "+security+"}}\n", schemes), Options{})
		got := fmt.Sprint(imported.Skipped)
		if len(imported.Tools) > 0 {
			a := imported.Tools[0].Config.Auth
			got = strings.TrimSpace(a.AuthMethod + " " + a.APIKey.Reveal() + a.Token.Reveal())
		}
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: got %s, want %s", security, got, want)
		}
	}
}

// Nothing that a document says stands for a variable of the environment: it could
// send any secret of the person to a server of its author's choice.
func TestNoVariableComesFromTheDocument(t *testing.T) {
	t.Parallel()
	const evil = "${HOME} $${HOME} $$${HOME:-x}"
	quoted := string(toJSON(evil))
	data := document("3.0.0", `
  "/a/${HOME}":
    post:
      operationId: `+quoted+`
      summary: `+quoted+`
      security: [{key: []}]
      parameters:
        - {name: HOME, in: path, required: true, schema: {type: string}}
        - {name: `+quoted+`, in: query, description: `+quoted+`, schema: {type: string, enum: [`+quoted+`], default: `+quoted+`}}
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {`+quoted+`: {type: string, description: `+quoted+`}}}}}}
      responses: {}
`, `
  securitySchemes: {key: {type: apiKey, in: query, name: "${HOME}"}}
`)
	made := one(t, data, Options{Source: evil + "\nname: other"})
	text, err := made.YAML()
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	var c httptool.Config
	if _, err := yamlfile.Decode("f", text, &c, func(name string) (string, bool) { asked = append(asked, name); return "s3cret", true }); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff([]string{"TEST_API_KEY"}, asked); diff != "" {
		t.Errorf("the file asks the environment (-want +got):\n%s\n%s", diff, text)
	}
	if c.Description != evil || c.APIKeyName != "${HOME}" || !strings.Contains(string(c.Parameters), string(toJSON(evil))) || !strings.HasSuffix(c.APIURL, "/a/${HOME}") {
		t.Errorf("the document's text changed:\n%s", text)
	}
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, version, schema, want string }{
		{"nullable", "3.0.3", `{type: string, nullable: true, enum: [a]}`, `{"type":["string","null"],"enum":["a",null]}`},
		{"nullable reference", "3.0.3", `{nullable: true, allOf: [{$ref: '#/components/schemas/S'}]}`, `{"anyOf":[{"allOf":[{"$ref":"#/$defs/S"}]},{"type":"null"}]}`},
		{"exclusive", "3.0.3", `{type: number, minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false}`, `{"type":"number","exclusiveMinimum":1,"maximum":5}`},
		{"beside a reference", "3.0.3", `{$ref: '#/components/schemas/S', description: ignored}`, `{"$ref":"#/$defs/S"}`},
		{"beside a reference, 3.1", "3.1.0", `{$ref: '#/components/schemas/S', description: kept}`, `{"$ref":"#/$defs/S","description":"kept"}`},
		{"types, 3.1", "3.1.0", `{type: [string, 'null'], const: a}`, `{"type":["string","null"],"const":"a"}`},
		{"exclusive, 3.1", "3.1.0", `{type: number, exclusiveMinimum: 1}`, `{"type":"number","exclusiveMinimum":1}`},
		{"a tuple, 3.1", "3.1.0", `{type: array, prefixItems: [{type: string}], items: false}`, `{"type":"array","items":false,"prefixItems":[{"type":"string"}]}`},
		{"noise", "3.0.3", `{type: integer, format: int64, title: X, example: 5, deprecated: true, x-internal: 1}`, `{"type":"integer","examples":[5]}`},
		{"a pattern that Go can't run", "3.0.3", `{type: string, description: A., pattern: '^(?!x)'}`, `{"type":"string","description":"A. It matches ^(?!x)."}`},
		{"a default that does not fit", "3.0.3", `{type: integer, default: many}`, `{"type":"integer"}`},
		{"a property that only answers have", "3.0.3", `{type: object, required: [id, a], properties: {id: {type: string, readOnly: true}, a: {type: string}}}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			made := one(t, document(test.version, "  /a: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {p: "+test.schema+"}}}}}, responses: {}}}\n",
				"  schemas: {S: {type: string}}\n"), Options{})
			var parameters struct {
				Properties map[string]json.RawMessage
			}
			if err := json.Unmarshal(made.Config.Parameters, &parameters); err != nil {
				t.Fatal(err)
			}
			if got := string(parameters.Properties["p"]); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// What can't be done is said, and takes nothing else down.
func TestSkipped(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, operation, want string }{
		{"a path without its parameter", "/a/{x}: {get: {responses: {}}}", "{x} in its path is no parameter"},
		{"a style of the path", "/a/{x}: {get: {parameters: [{name: x, in: path, required: true, style: matrix, schema: {type: array, items: {type: string}}}], responses: {}}}", `in the style "matrix" can't be sent`},
		{"a cookie", "/a: {get: {parameters: [{name: c, in: cookie, required: true, schema: {type: string}}], responses: {}}}", "a cookie can't be sent"},
		{"XML", "/a: {post: {requestBody: {required: true, content: {application/xml: {schema: {type: object}}}}, responses: {}}}", "its body is application/xml"},
		{"a form of anything", "/a: {post: {requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, additionalProperties: true}}}}, responses: {}}}", "a form without known keys"},
		{"a list as JSON", "/a: {get: {parameters: [{name: q, in: query, required: true, content: {application/json: {schema: {type: array, items: {type: string}}}}}], responses: {}}}", "only an object"},
		{"a fragment", "'/a#b': {get: {responses: {}}}", "a ? or a #"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			imported := read(t, document("3.0.0", "  "+test.operation+"\n  /good: {get: {responses: {}}}\n", ""), Options{})
			if len(imported.Tools) != 1 || len(imported.Skipped) != 1 || !strings.Contains(imported.Skipped[0].Reason, test.want) {
				t.Errorf("got %d tools, skipped %v, want %s", len(imported.Tools), imported.Skipped, test.want)
			}
		})
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, body, want string }{
		{"flat", `{required: true, content: {application/json: {schema: {type: object, required: [b], properties: {a: {}, b: {}}}}}}`, `{"b":"{b}","a":"{a}"}`},
		{"optional", `{content: {application/json: {schema: {type: object, properties: {a: {}}}}}}`, `{"a":"{a}"}`},
		{"optional with what it requires", `{content: {application/json: {schema: {type: object, required: [a], properties: {a: {}}}}}}`, `"{body}"`},
		{"a list", `{required: true, content: {application/json: {schema: {type: array, items: {}}}}}`, `"{body}"`},
		{"anything", `{required: true, content: {application/json: {}}}`, `"{body}"`},
		{"more keys", `{required: true, content: {application/json: {schema: {type: object, properties: {a: {}}, additionalProperties: {type: string}}}}}`, `"{body}"`},
		{"one property twice", `{required: true, content: {application/json: {schema: {allOf: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {a: {minLength: 1}}}]}}}}`, `"{body}"`},
		{"a clash", `{required: true, content: {application/json: {schema: {type: object, properties: {q: {}}}}}}`, `{"q":"{body_q}"}`},
		{"JSON before XML", `{required: true, content: {application/xml: {}, application/vnd.x+json: {schema: {type: object, properties: {a: {}}}}}}`, `{"a":"{a}"}`},
		{"an optional body that can't be sent", `{content: {application/xml: {}}}`, ``},
	} {
		made := one(t, document("3.0.0", "  /a: {post: {parameters: [{name: q, in: query, schema: {type: string}}], requestBody: "+test.body+", responses: {}}}\n", ""), Options{})
		if got := string(made.Config.Body); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// The file says what the Config does.
func TestFileIsTheConfig(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/tracker.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, made := range read(t, data, Options{}).Tools {
		sameAsFile(t, made)
	}
}

func sameAsFile(t *testing.T, made Tool) {
	t.Helper()
	text, err := made.YAML()
	if err != nil {
		t.Fatal(err)
	}
	var c httptool.Config
	if _, err := yamlfile.Decode("f", text, &c, func(name string) (string, bool) { return "${" + name + "}", true }); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want := made.Config
	if want.Method == "GET" {
		want.Method = ""
	}
	for _, pair := range [][2]httptool.JSON{{want.Body, c.Body}, {want.Parameters, c.Parameters}} {
		var a, b any
		_ = json.Unmarshal(pair[0], &a)
		_ = json.Unmarshal(pair[1], &b)
		empty := len(pair[1]) == 0 && strings.HasPrefix(string(pair[0]), `{"type":"object","properties":{},"additional`)
		if !empty && !reflect.DeepEqual(a, b) {
			t.Errorf("%s\nbecame %s", pair[0], pair[1])
		}
	}
	want.Body, want.Parameters, c.Body, c.Parameters = nil, nil, nil, nil
	if !reflect.DeepEqual(want, c) {
		t.Errorf("%+v\nbecame %+v\n%s", want, c, text)
	}
}

// FuzzRead: no document crashes it, and each tool it makes has a file that says the
// same and asks the environment for nothing but its own secrets.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(document("3.1.0", "  /a/{b}: {post: {parameters: [{name: b, in: path, required: true, schema: {type: [string, 'null']}}], requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}}}\n", "  schemas: {S: {type: object, properties: {s: {$ref: '#/components/schemas/S'}}}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		imported, err := Read(data, Options{Server: "https://api.example.com"})
		if err != nil {
			if strings.Contains(err.Error(), "can't be read") {
				t.Error(err) // a panic
			}
			return
		}
		for _, made := range imported.Tools {
			sameAsFile(t, made)
		}
	})
}
