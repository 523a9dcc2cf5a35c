package openapi_test

import (
	"fmt"

	"helve/httptool/openapi"
)

// How do I make tools of an OpenAPI document?
func ExampleRead() {
	imported, err := openapi.Read([]byte(`
openapi: 3.1.0
info: {title: Notes API, version: '1'}
servers: [{url: /v1}]
security: [{token: []}]
paths:
  /notes/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
    get:
      operationId: getNote
      summary: Read a note.
    put:
      requestBody: {required: true, content: {image/png: {}}}
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
`), openapi.Options{Source: "https://notes.example/openapi.yaml"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range imported.Tools {
		text, err := t.YAML()
		fmt.Printf("%s\n%s%v\n", t.FileName(), text, err)
	}
	for _, s := range imported.Skipped {
		fmt.Println("no tool for", s.Operation+":", s.Reason)
	}
	for _, v := range imported.Variables {
		fmt.Println("set", v.Name, "for", v.Host)
	}
	// Output:
	// getNote.yaml
	// # GET /notes/{id}, made by helve tools import openapi from https://notes.example/openapi.yaml
	// name: getNote
	// description: Read a note.
	// api_url: https://notes.example/v1/notes/{id}
	// auth_method: bearer
	// token: ${NOTES_TOKEN}
	// parameters:
	//   type: object
	//   properties:
	//     id:
	//       type: integer
	//   required: [id]
	//   additionalProperties: false
	// <nil>
	// no tool for PUT /notes/{id}: its body is image/png, which a tool can't send
	// set NOTES_TOKEN for notes.example
}
