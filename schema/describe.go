package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// describe words the errors that concern one value.
func describe(e jsonschema.ErrorKind) (keyword, text string) {
	switch k := e.(type) {
	case *kind.Type:
		var want types
		for _, name := range k.Want {
			want |= typeNamed(name)
		}
		return "type", fmt.Sprintf("must be %s, got %s", want, withArticle(k.Got))
	case *kind.Enum:
		return "enum", "must be " + oneOf(k.Want)
	case *kind.Const:
		return "const", "must be " + oneOf([]any{k.Want})
	case *kind.Format:
		return "format", "must be " + formatName(k.Want) + ", got " + show(k.Got)
	case *kind.Minimum:
		return "minimum", fmt.Sprintf("must be at least %s, got %s", showRat(k.Want), showRat(k.Got))
	case *kind.Maximum:
		return "maximum", fmt.Sprintf("must be at most %s, got %s", showRat(k.Want), showRat(k.Got))
	case *kind.ExclusiveMinimum:
		return "exclusiveMinimum", fmt.Sprintf("must be more than %s, got %s", showRat(k.Want), showRat(k.Got))
	case *kind.ExclusiveMaximum:
		return "exclusiveMaximum", fmt.Sprintf("must be less than %s, got %s", showRat(k.Want), showRat(k.Got))
	case *kind.MultipleOf:
		return "multipleOf", fmt.Sprintf("must be a multiple of %s, got %s", showRat(k.Want), showRat(k.Got))
	case *kind.MinLength:
		return "minLength", fmt.Sprintf("must have at least %s, got %d", plural(k.Want, "character"), k.Got)
	case *kind.MaxLength:
		return "maxLength", fmt.Sprintf("must have at most %s, got %d", plural(k.Want, "character"), k.Got)
	case *kind.Pattern:
		return "pattern", fmt.Sprintf("must match the pattern %s, got %s", shorten(k.Want), show(k.Got))
	case *kind.MinItems:
		return "minItems", fmt.Sprintf("must have at least %s, got %d", plural(k.Want, "item"), k.Got)
	case *kind.MaxItems:
		return "maxItems", fmt.Sprintf("must have at most %s, got %d", plural(k.Want, "item"), k.Got)
	case *kind.AdditionalItems:
		return "items", fmt.Sprintf("has %s too many", plural(k.Count, "item"))
	case *kind.MinProperties:
		return "minProperties", fmt.Sprintf("must have at least %s, got %d", plural(k.Want, "key"), k.Got)
	case *kind.MaxProperties:
		return "maxProperties", fmt.Sprintf("must have at most %s, got %d", plural(k.Want, "key"), k.Got)
	case *kind.UniqueItems:
		return "uniqueItems", fmt.Sprintf("must have no equal items, but items %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
	case *kind.FalseSchema:
		return "false", "is not allowed here"
	case *kind.Not:
		return "not", "has a form that is not allowed"
	case *kind.ContentEncoding:
		return "contentEncoding", "must be encoded as " + k.Want
	case *kind.ContentMediaType:
		return "contentMediaType", "must hold text of the type " + k.Want
	case *kind.Contains:
		return "contains", "has no item of the form that is required"
	}
	path := e.KeywordPath()
	if len(path) > 0 {
		keyword = path[0]
	}
	return keyword, shorten(e.LocalizedString(message.NewPrinter(language.English)))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

const maxChoices = 20 // of an enum in a message

func oneOf(values []any) string {
	var shown []string
	for _, v := range values[:min(len(values), maxChoices)] {
		shown = append(shown, show(v))
	}
	if n := len(values) - len(shown); n > 0 {
		shown = append(shown, fmt.Sprintf("… (%d more)", n))
	}
	if len(shown) == 1 {
		return shown[0]
	}
	return "one of " + strings.Join(shown, ", ")
}

// show writes a value for a message.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(shorten(v))
	case json.Number:
		return shorten(string(v))
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "a value"
	}
	return shorten(string(b))
}

// showRat writes a number exactly where it is short enough.
func showRat(r *big.Rat) string {
	if r.IsInt() {
		return shorten(r.Num().String())
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// formatName explains the formats whose names don't.
func formatName(format string) string {
	switch format {
	case "date-time":
		return `a date and time such as "2006-01-02T15:04:05Z"`
	case "date":
		return `a date such as "2006-01-02"`
	case "time":
		return `a time such as "15:04:05Z"`
	case "duration":
		return `an ISO 8601 duration such as "PT1M30S"`
	case "regex":
		return "a regular expression that Go's regexp package can run"
	}
	return "a valid " + format
}
