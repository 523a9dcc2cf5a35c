package dialect

import (
	"slices"
	"testing"
)

func TestCovers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		prefix, name string
		want         int
	}{
		{"qwen3-coder", "qwen3-coder", 10},
		{"qwen3-coder", "qwen3_coder", 10},
		{"qwen3-coder", "qwen3 coder 30b", 10},
		{"qwen3-coder", "qwen-3-coder", 10},
		{"qwen3-coder", "qwen3", 0},
		{"qwen3", "qwen3-coder", 5},
		{"qwen2", "qwen2.5-coder:7b", 5},
		{"qwen2.5", "qwen2.5-coder:7b", 6},
		{"qwen2.5", "qwen2_5-7b", 6},
		{"qwen2", "qwen25", 0},
		{"granite-3", "granite-34b-code", 0},
		{"granite-3", "granite-3.1-8b", 8},
		{"granite-3", "granite3.3:2b", 8},
		{"deepseek-v3", "deepseek-v3-0324", 10},
		{"llama-3.1", "llama3-1-70b", 7},
		{"hermes", "", 0},
	} {
		if got := covers(c.prefix, c.name); got != c.want {
			t.Errorf("%q covers %d of %q, want %d", c.prefix, got, c.name, c.want)
		}
	}
}

func TestForModel(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Qwen/Qwen2.5-72B-Instruct":            "hermes",
		"NousResearch/Hermes-3-Llama-3.1-8B":   "hermes",
		"accounts/fireworks/models/qwen3-235b": "hermes",
		"ollama/qwen2.5:7b":                    "hermes",
		"QwQ":                                  "hermes",
		"gpt-4.1-mini":                         "",
		"qwen/":                                "",
		"":                                     "",
	} {
		got := ""
		if d := ForModel(name); d != nil {
			got = d.name
		}
		if got != want {
			t.Errorf("ForModel(%q) is %q, want %q", name, got, want)
		}
	}
}

// TestModelsFindTheirDialect: what helve dialects says of models is what ForModel
// does.
func TestModelsFindTheirDialect(t *testing.T) {
	t.Parallel()
	whose := map[string]string{}
	for _, d := range All() {
		for _, prefix := range d.models {
			if other := whose[prefix]; other != "" {
				t.Errorf("%s and %s both claim the models %s", other, d, prefix)
			}
			whose[prefix] = d.name
			if got := ForModel("owner/" + prefix); got != d {
				t.Errorf("ForModel(%q) is %v, want %s", prefix, got, d)
			}
		}
	}
}

func TestAllBeginsWithOurOwn(t *testing.T) {
	t.Parallel()
	var names []string
	for _, d := range All() {
		names = append(names, d.name)
		if found, err := Lookup(d.name); found != d || err != nil {
			t.Errorf("Lookup(%q) is %v, %v", d.name, found, err)
		}
	}
	formats := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(ours, n) })
	if !slices.IsSorted(formats) || len(slices.Compact(formats)) != len(formats) {
		t.Errorf("the formats are not in order: %v", names)
	}
	if n := len(names) - len(formats); slices.ContainsFunc(names[n:], func(n string) bool { return slices.Contains(ours, n) }) {
		t.Errorf("helve's own are not the first: %v", names)
	}
}
