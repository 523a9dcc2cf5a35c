package dialect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"helve/internal/nearest"
)

// dialects are all there are, in the order of helve dialects.
var dialects = []*Dialect{
	&native,
	&tag,
	&decision,
	&structured,
	&auto,
	&plainText,

	&hermes,
	&ernie45,
	&granite4,
	&rekaEdge,
	&longcat,
	&internlm2,
	&jamba,
	&hunyuanA13B,
	&apriel,
	&nemotronNanoV2,
	&apertus,
	&granite3,
	&granite20B,
	&phi4Mini,
	&firefunctionV2,
	&gigachat3,
	&jsonRaw,
	&jsonArray,
	&xlam,
	&llama3JSON,
	&callingTool,
	&functionaryV31,
	&functionaryV32,
	&cohere,
	&cohereRPlus,

	&mistral,
	&deepseekV3,
	&deepseekV31,
	&kimiK2,
	&harmony,
	&harmonyTextFallback,
	&kimiK3,
	&glm45,
	&glm47,
	&ling3,
	&poolsideV1,
	&hyV3,

	&qwen3Coder, &seedOSS, &step3p5, &anthropicInvoke, &dots, &minimaxM2, &deepseekDSML, &step3, &minicpm5XML, &glimmer,

	&pythonic,
	&llama4Pythonic,
	&olmo3Pythonic,
	&lfm2,
	&gemma4,
	&functionGemma,

	&xmlTag,
	&yamlXML,
	&minimaxM3,
}

// defaultReasoning is how most models mark it.
var defaultReasoning = []span{{"<think>", "</think>"}}

// ours are the dialects that no model was trained on, in the order of [All].
var ours = []string{"native", "tag", "decision", "structured", "auto", "plain-text"}

// All returns the dialects: first native, then those of helve's own, then the
// formats of models by name.
func All() []*Dialect {
	all := slices.Clone(dialects)
	rank := func(d *Dialect) int {
		if i := slices.Index(ours, d.name); i >= 0 {
			return i
		}
		return len(ours)
	}
	slices.SortStableFunc(all, func(a, b *Dialect) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.name, b.name))
	})
	return all
}

// ForModel returns the dialect that a model was trained on, or nil where it is not
// known. The longest of the dialects' prefixes wins. Letter case, separators and
// what stands before the last slash count for nothing: Qwen/Qwen3-Coder-30B,
// qwen3_coder and Qwen3 Coder are alike.
func ForModel(name string) *Dialect {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	var best *Dialect
	longest := 0
	for _, d := range All() {
		for _, prefix := range d.models {
			if n := covers(prefix, name); n > longest {
				best, longest = d, n
			}
		}
	}
	return best
}

// covers returns how many letters and digits of prefix name begins with, whatever
// separates them; 0 where it doesn't begin with all. A number is never cut: qwen2
// does not cover qwen25, nor granite-3 granite-34b.
func covers(prefix, name string) int {
	const separators = "-_ .:"
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	last, n := byte(0), 0
	for i := 0; i < len(prefix); i++ {
		if strings.IndexByte(separators, prefix[i]) >= 0 {
			continue
		}
		last = prefix[i]
		if name = strings.TrimLeft(name, separators); name == "" || name[0] != last {
			return 0
		}
		name = name[1:]
		n++
	}
	if name != "" && digit(last) && digit(name[0]) {
		return 0
	}
	return n
}

// Lookup finds a dialect by its name.
func Lookup(name string) (*Dialect, error) {
	var names []string
	for _, d := range dialects {
		if d.name == name {
			return d, nil
		}
		names = append(names, d.name)
	}
	if near := nearest.Name(name, names); near != "" {
		return nil, fmt.Errorf("no dialect is called %q: did you mean %q? helve dialects lists all", name, near)
	}
	return nil, fmt.Errorf("no dialect is called %q: helve dialects lists all", name)
}
