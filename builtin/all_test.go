package builtin

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/netpolicy"
	"helve/tool"
)

func TestAll(t *testing.T) {
	t.Parallel()
	root, _ := newRoot(t, nil)
	policy := netpolicy.Policy{Hosts: []string{"example.com"}}
	tests := []struct {
		name   string
		root   *os.Root
		policy netpolicy.Policy
		want   []string
	}{
		{"nothing allowed", nil, netpolicy.Policy{AllowPrivate: true}, []string{"calculate", "current_time"}},
		{"a root", root, netpolicy.Policy{}, []string{"calculate", "current_time", "list_files", "read_file"}},
		{"all", root, policy, []string{"calculate", "current_time", "http_get", "list_files", "read_file"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tools, err := All(test.root, test.policy)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, each := range tools {
				got = append(got, each.Definition().Name)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if _, err := All(nil, netpolicy.Policy{Hosts: []string{"https://x"}}); err == nil {
		t.Error("a host that is none was taken")
	}
}

// The schema of each tool refuses what the tool could not use, and its defaults
// make the smallest call work.
func TestArgumentsAreChecked(t *testing.T) {
	t.Parallel()
	root, _ := newRoot(t, map[string]string{"a.txt": "one"})
	tools, err := All(root, netpolicy.Policy{Hosts: []string{"example.com"}})
	if err != nil {
		t.Fatal(err)
	}
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, arguments string
		want            tool.Kind // none: the call works
	}{
		{"calculate", `{}`, tool.KindInvalidParameters},
		{"calculate", `{"expression":"1","precision":3}`, tool.KindInvalidParameters},
		{"current_time", `{}`, ""},
		{"current_time", `{"timezone":8}`, tool.KindInvalidParameters},
		{"http_get", `{}`, tool.KindInvalidParameters},
		{"http_get", `{"url":"https://example.org/"}`, tool.KindPermissionDenied},
		{"list_files", `{}`, ""},
		{"list_files", `{"depth":11}`, tool.KindInvalidParameters},
		{"read_file", `{"path":"a.txt"}`, ""},
		{"read_file", `{"path":"a.txt","offset":-1}`, tool.KindInvalidParameters},
		{"read_file", `{"path":"a.txt","limit":0}`, tool.KindInvalidParameters},
	}
	for _, test := range tests {
		t.Run(test.name+test.arguments, func(t *testing.T) {
			t.Parallel()
			named, _ := registry.Lookup(test.name)
			_, err := tool.Invoke(t.Context(), named, tool.Call{Name: test.name, Arguments: []byte(test.arguments)})
			var got tool.Kind
			if err != nil {
				got = tool.AsError(err).Kind
			}
			if got != test.want {
				t.Errorf("got %v, want kind %q", err, test.want)
			}
		})
	}
}
