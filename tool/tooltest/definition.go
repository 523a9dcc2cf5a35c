package tooltest

import (
	"errors"
	"fmt"
	"strings"

	"helve/schema"
	"helve/tool"
)

var profiles = []schema.Profile{schema.OpenAI, schema.OpenAIStrict, schema.Gemini}

func checkDefinition(s *subject) error {
	for _, p := range profiles {
		_, findings := s.definition.FunctionTool(p)
		for _, f := range findings {
			s.logf("%v: %s %s: %s", p, f.Pointer, f.Message, f.Fix)
		}
	}
	return errors.Join(s.definition.Check(), checkStable(s))
}

// checkStable looks often enough that the order of a map would show.
func checkStable(s *subject) error {
	first := written(s.definition)
	for range 20 {
		if again := written(s.tool.Definition()); again != first {
			was, is := difference(first, again)
			return fmt.Errorf("the definition is not the same for every call, so a provider's prompt cache would miss:\n\t%s\n\t%s", was, is)
		}
	}
	return nil
}

// difference returns the first line in which two texts of as many lines differ.
func difference(a, b string) (inA, inB string) {
	for {
		var moreA, moreB bool
		inA, a, moreA = strings.Cut(a, "\n")
		inB, b, moreB = strings.Cut(b, "\n")
		if inA != inB || !moreA || !moreB {
			return inA, inB
		}
	}
}

// written is all that anyone can see of a definition.
func written(d tool.Definition) string {
	var b strings.Builder
	for _, p := range profiles {
		f, _ := d.FunctionTool(p)
		fmt.Fprintf(&b, "%v: %s\n", p, f)
	}
	b.Write(d.Schema().JSON())
	d.Parameters = nil
	fmt.Fprintf(&b, "\n%+v", d)
	return b.String()
}
