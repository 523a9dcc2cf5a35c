package nearest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/internal/nearest"
)

func TestNames(t *testing.T) {
	t.Parallel()
	have := []string{"calculate", "current_time", "http_get", "list_files", "read_file", "sql"}
	for _, tt := range []struct {
		want  string
		names []string
	}{
		{"calculat", []string{"calculate"}},
		{"claculate", []string{"calculate"}}, // a swap is one mistake
		{"Read_File", []string{"read_file"}},
		{"readfile", []string{"read_file"}},
		{"read_files", []string{"read_file"}},
		{"sq", []string{"sql"}},
		{"weather", []string{}},
		{"", []string{}},
		{strings.Repeat("x", 1000), nil},
	} {
		if diff := cmp.Diff(tt.names, nearest.Names(tt.want, have, 2)); diff != "" {
			t.Errorf("Names(%.20q) (-want +got):\n%s", tt.want, diff)
		}
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	have := []string{"limit", "query", "order", "max_results", "id"}
	for want, name := range map[string]string{
		"limt": "limit", "qurey": "query", "Order": "order", "maxResults": "max_results", "ids": "id",
		"x": "", "offset": "", "": "", "abcde": "", strings.Repeat("limit", 1000): "",
	} {
		if got := nearest.Name(want, have); got != name {
			t.Errorf("Name(%.20q) = %q, want %q", want, got, name)
		}
	}
}
