package tool_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"helve/tool"
)

func TestCheckKey(t *testing.T) {
	t.Parallel()
	tests := []struct{ key, want string }{
		{"", "is empty"},
		{strings.Repeat("x", tool.MaxKeyBytes+1), "513 bytes"},
		{"a\xff", "not UTF-8"},
		{"a\tb", "control character"},
	}
	for _, tt := range tests {
		err := tool.CheckKey(tt.key)
		if !errors.Is(err, tool.ErrKey) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("CheckKey(%.20q): got %v, want one with %q", tt.key, err, tt.want)
		}
	}
	if err := tool.CheckKey(strings.Repeat("я", tool.MaxKeyBytes/2)); err != nil {
		t.Error(err)
	}
}

func TestCheckPut(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, key string
		value     []byte
		ttl       time.Duration
		want      error
		text      string
	}{
		{"nothing", "k", nil, 0, nil, ""},
		{"the longest", "k", make([]byte, tool.MaxValueBytes), math.MaxInt64, nil, ""},
		{"no key", "", nil, 0, tool.ErrKey, "empty"},
		{"too long", "k", make([]byte, tool.MaxValueBytes+1), 0, tool.ErrValue, `at key "k" are 1048577 bytes, and 1048576 are allowed`},
		{"negative", "k", nil, -time.Second, tool.ErrTTL, "-1s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := tool.CheckPut(tt.key, tt.value, tt.ttl)
			if !errors.Is(err, tt.want) {
				t.Fatalf("got %v, want %v", err, tt.want)
			}
			if err != nil && !strings.Contains(err.Error(), tt.text) {
				t.Errorf("got %v, want one with %q", err, tt.text)
			}
		})
	}
}
