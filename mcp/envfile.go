package mcp

import (
	"fmt"
	"strings"
)

const mostEnvFile = 1 << 20 // bytes

// readEnvFile reads a file of lines NAME=value, with comments, with or without export,
// and with quotes around the value if need be. Its errors show no value.
func readEnvFile(path string) (map[string]string, error) {
	data, err := readRegular(path, mostEnvFile)
	if err != nil {
		return nil, err
	}
	return parseEnvFile(string(data))
}

func parseEnvFile(text string) (map[string]string, error) {
	variables := map[string]string{}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, found := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name = strings.TrimSpace(name)
		if !found || !variableName.MatchString(name) {
			return nil, fmt.Errorf("line %d is not NAME=value", n)
		}
		value, ok := unquoted(strings.TrimSpace(value))
		if !ok {
			return nil, fmt.Errorf("line %d: the value's quote is not closed", n)
		}
		variables[name] = value
	}
	return variables, nil
}

// lineEscapes are those of a value in double quotes.
var lineEscapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`)

// unquoted takes the quotes off a value, and a comment behind it.
func unquoted(value string) (string, bool) {
	if value == "" || value[0] != '"' && value[0] != '\'' {
		if at := strings.Index(value, " #"); at >= 0 {
			value = strings.TrimSpace(value[:at])
		}
		return value, true
	}
	quote := value[0]
	for i := 1; i < len(value); i++ {
		switch {
		case value[i] == '\\' && quote == '"':
			i++
		case value[i] == quote && quote == '"':
			return lineEscapes.Replace(value[1:i]), true
		case value[i] == quote:
			return value[1:i], true
		}
	}
	return "", false
}
