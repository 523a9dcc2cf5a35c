package mcp

import (
	"regexp"
	"strings"
	"testing"
)

func TestToolName(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200)
	tests := []struct{ server, raw, want string }{
		{"github", "create_issue", "github__create_issue"},
		{"github", "_x", "github___x"},
		{"my-server", "a__b", "my-server__a__b"},
		{"s", strings.Repeat("x", 61), "s__" + strings.Repeat("x", 61)},
		{"s", strings.Repeat("x", 62), "s__" + strings.Repeat("x", 52) + "_f5513bea"},
		{"s", long, "s__" + strings.Repeat("x", 52) + "_6982b69d"},
		{"s", "read file", "s__read_file_332e344d"},
		{"s", "read/file", "s__read_file_e155ad14"},
		{"s", "工具", "s_____e17290e2"},
		{"s", "", "s___28a3d6d5"},
		{"", "x", "__x_3c7e9bc9"},
		{"1s", "x", "_1s__x_39e38d24"},
		{"-s", "x", "_-s__x_1db28e0c"},
		{"a_", "b", "a___b_a00766a3"},
		{"a__b", "c", "a__b__c_a92700ce"},
		{"s", "x_0123abcd", "s__x_0123abcd_0a0aab3e"},
	}
	for _, tt := range tests {
		if got := toolName(tt.server, tt.raw); got != tt.want {
			t.Errorf("%q, %.20q: got %s, want %s", tt.server, tt.raw, got, tt.want)
		}
	}
}

func FuzzToolName(f *testing.F) {
	f.Add("a", "_b", "a_", "b")
	f.Add("a__b", "c", "a", "b__c")
	f.Add("a b", "x", "a_b", "x_12345678")
	f.Add("s", "a b", "s", "a/b")
	f.Add("s\x00", "a", "s", "\x00a")
	good := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)
	f.Fuzz(func(t *testing.T, server, raw, server2, raw2 string) {
		name := toolName(server, raw)
		if !good.MatchString(name) || name != toolName(server, raw) {
			t.Fatalf("%q, %q: %q", server, raw, name)
		}
		if strings.Contains(server+raw+server2, "\x00") { // no name of a server holds one
			return
		}
		if (server != server2 || raw != raw2) && name == toolName(server2, raw2) {
			t.Fatalf("%q, %q and %q, %q are both %q", server, raw, server2, raw2, name)
		}
	})
}

// Whatever a server calls itself and its tools, their names begin as it is known before.
func TestToolPrefix(t *testing.T) {
	t.Parallel()
	for _, server := range []string{"wiki", "a b", "1st", "", "_", strings.Repeat("long", 20), "维基"} {
		for _, raw := range []string{"search", "", "a.b", strings.Repeat("x", 80)} {
			if name := toolName(server, raw); !strings.HasPrefix(name, toolPrefix(server)) {
				t.Errorf("%q does not begin with %q", name, toolPrefix(server))
			}
		}
	}
}
