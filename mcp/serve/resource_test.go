package serve

import (
	"context"
	"testing"

	"helve/message"
)

// TestTemplatesAreCompiledOnce counts what a read costs that looks for its template.
func TestTemplatesAreCompiledOnce(t *testing.T) { // not in parallel: it counts allocations
	s := quietServer()
	defer s.Close()
	read := func(context.Context, string) (message.Resource, error) { return message.Resource{}, nil }
	if err := s.Set(Content{Resources: []Resource{
		{Name: "broken", Template: "a://{", Read: read},
		{Name: "other", Template: "a://{x}/{y}", Read: read},
		{Name: "fixed", URI: "b://one", Read: read},
		{Name: "page", Template: "b://{page}", Read: read},
	}}); err == nil {
		t.Error("a broken template is served")
	}
	content := s.content.Load()
	for uri, want := range map[string]string{"a://1/2": "other", "b://one": "fixed", "b://two": "page", "c://": ""} {
		if r, ok := content.resource(uri); r.Name != want || ok != (want != "") {
			t.Errorf("%s: %q", uri, r.Name)
		}
	}
	if n := testing.AllocsPerRun(10, func() { content.resource("b://two") }); n > 10 {
		t.Errorf("%v allocations", n)
	}
}
