package httptool

import (
	"testing"

	"helve/tool"
	"helve/tool/tooltest"
)

func TestToolsConform(t *testing.T) {
	t.Parallel()
	url := serve(t, echo)
	for _, c := range []Config{
		{APIURL: url + "/{id}", Parameters: JSON(`{"id":{"type":"string","required":true},"n":{"type":"integer"}}`)},
		{APIURL: url + "/{id}", Method: "POST", Parameters: JSON(`{"id":{"type":"string","required":true},"n":{"type":"integer"}}`)},
	} {
		t.Run(c.Method, func(t *testing.T) {
			t.Parallel()
			tooltest.Run(t, func(t *testing.T) tool.Tool { return makeTool(t, c) }, `{"id":"x"}`, `{"id":"x","n":3}`)
		})
	}
}
