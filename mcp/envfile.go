package mcp

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

const mostEnvFile = 1 << 20 // bytes

// readEnvFile reads a file of lines NAME=value, with comments, with or without export,
// and with quotes around the value if need be. Its errors show no value.
func readEnvFile(path string) (map[string]string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a named pipe would block
	if err != nil {
		if inner, ok := errors.AsType[*fs.PathError](err); ok {
			err = inner.Err
		}
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("this is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, mostEnvFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > mostEnvFile {
		return nil, fmt.Errorf("the file is longer than %d bytes", mostEnvFile)
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
