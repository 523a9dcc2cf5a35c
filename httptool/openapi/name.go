package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"strings"

	"helve/internal/excerpt"
)

// longestName is what providers allow.
const longestName = 64

var (
	notInName     = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)
	notInArgument = regexp.MustCompile(`[^a-zA-Z0-9_.-]+`)
	notInVariable = regexp.MustCompile(`[^A-Z0-9]+`)
)

// name is the operation's ID, or else its method and path, as providers take it,
// and different from all before.
func (m *maker) name(op operation) string {
	wanted := op.OperationID
	if strings.Trim(notInName.ReplaceAllString(wanted, "_"), "_-") == "" {
		wanted = strings.ToLower(op.method) + strings.NewReplacer("{", "", "}", "").Replace(op.path)
	}
	name := shortName(strings.Trim(notInName.ReplaceAllString(wanted, "_"), "_-"), wanted)
	for n := 2; m.names[strings.ToLower(name)]; n++ {
		name = shortName(fmt.Sprintf("%s_%d", strings.TrimSuffix(name, fmt.Sprintf("_%d", n-1)), n), op.String())
	}
	m.names[strings.ToLower(name)] = true
	return name
}

// shortName cuts a name that is too long and ends it with a piece of the hash of
// its whole, so that two that begin alike stay two.
func shortName(name, whole string) string {
	if len(name) <= longestName {
		return name
	}
	sum := sha256.Sum256([]byte(whole))
	return name[:longestName-9] + "_" + hex.EncodeToString(sum[:4])
}

// argumentName is a parameter's name as a template and the providers take it.
func argumentName(name string) string {
	name = strings.Trim(notInArgument.ReplaceAllString(name, "_"), "_.-")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "p_" + name
	}
	return shortName(name, name)
}

// variableName is a name of the environment.
func variableName(words ...string) string {
	name := strings.Trim(notInVariable.ReplaceAllString(strings.ToUpper(strings.Join(words, "_")), "_"), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "API_" + name
	}
	return name
}

// shorten keeps descriptions from filling a prompt.
func shorten(s string) string { return excerpt.Of(strings.TrimSpace(s), 1000) }

func keys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }
