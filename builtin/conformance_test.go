package builtin

import (
	"testing"

	"helve/tool"
	"helve/tool/tooltest"
)

func TestToolsConform(t *testing.T) {
	t.Parallel()
	root, _ := newRoot(t, map[string]string{"a.txt": "one\ntwo\n", "docs/b.md": "b"})
	url := newServer(t, answer("text/plain", "hello"))
	tests := []struct {
		name     string
		make     func() (tool.Tool, error)
		examples []string
	}{
		{"calculate", always(Calculate()), []string{`{"expression":"17 * 23"}`, `{"expression":"sqrt(2)"}`}},
		{"current_time", always(CurrentTime(nil)), []string{`{}`, `{"timezone":"Asia/Shanghai"}`}},
		{"http_get", func() (tool.Tool, error) { return HTTPGet(onLoopback) }, []string{`{"url":"` + url + `"}`}},
		{"list_files", always(ListFiles(root)), []string{`{}`, `{"path":"docs","pattern":"*.md","depth":3}`}},
		{"read_file", always(ReadFile(root)), []string{`{"path":"a.txt"}`, `{"path":"a.txt","offset":4,"limit":2}`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tooltest.Run(t, func(t *testing.T) tool.Tool {
				made, err := test.make()
				if err != nil {
					t.Fatal(err)
				}
				return made
			}, test.examples...)
		})
	}
}

func always(t tool.Tool) func() (tool.Tool, error) {
	return func() (tool.Tool, error) { return t, nil }
}
