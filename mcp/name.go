package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

const (
	nameBytes = 64 // of the name of a tool, for the strictest provider
	hashBytes = 9  // of it: _ and eight digits
)

// toolName is the name by which a model calls the tool raw of server: server__raw, and
// what every provider takes. It depends on the two alone, not on what else there is, so
// that a name means the same tool tomorrow.
//
// Where something had to be changed, and where another pair could have made the same
// name, the end is a hash of both. A name that looks as if it ended in a hash gets one
// of its own: else a server could choose the name of another's tool.
func toolName(server, raw string) string {
	name := allowed(server + "__" + raw)
	plain := name == server+"__"+raw && len(name) <= nameBytes && server != "" && raw != "" &&
		!strings.Contains(server, "__") && !strings.HasSuffix(server, "_") && !endOfHashed.MatchString(name)
	if plain {
		return name
	}
	sum := sha256.Sum256([]byte(server + "\x00" + raw))
	return name[:min(len(name), nameBytes-hashBytes)] + "_" + hex.EncodeToString(sum[:4])
}

// toolPrefix is what the names of a server's tools begin with.
func toolPrefix(server string) string {
	name := allowed(server + "__")
	return name[:min(len(name), nameBytes-hashBytes)]
}

// allowed is a name with nothing in it that a provider does not take.
func allowed(name string) string {
	name = strings.Map(nameRune, name)
	if !startOfName.MatchString(name) {
		name = "_" + name
	}
	return name
}

var (
	startOfName = regexp.MustCompile(`^[A-Za-z_]`)
	endOfHashed = regexp.MustCompile(`_[0-9a-f]{8}$`)
)

func nameRune(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
		return r
	}
	return '_'
}

// about is what an error begins with that is about a server.
func about(server string) string { return "mcp server " + server + ": " }
