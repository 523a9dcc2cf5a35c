package dialect

import (
	"fmt"

	"helve/internal/nearest"
)

// dialects are all there are, in the order of helve dialects.
var dialects = []*Dialect{
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
}

// defaultReasoning is how most models mark it.
var defaultReasoning = []span{{"<think>", "</think>"}}

// All returns the dialects.
func All() []*Dialect { return append([]*Dialect(nil), dialects...) }

// Lookup finds a dialect by its name.
func Lookup(name string) (*Dialect, error) {
	var names []string
	for _, d := range dialects {
		if d.name == name {
			return d, nil
		}
		names = append(names, d.name)
	}
	return nil, fmt.Errorf("no dialect is called %q: did you mean %q? helve dialects lists all", name, nearest.Name(name, names))
}
