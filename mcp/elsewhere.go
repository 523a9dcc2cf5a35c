package mcp

import (
	"strings"

	"helve/internal/nearest"
)

// Other programs have other names for what helve's own files say: people bring them along.

// keysElsewhere are their names of helve's keys.
var keysElsewhere = map[string]string{
	"url": "mcp_server_url", "serverUrl": "mcp_server_url", "httpUrl": "mcp_server_url",
	"cwd": "dir", "tools": "allow", "includeTools": "allow", "disabledTools": "deny", "excludeTools": "deny",
	"enabled": "disabled",
}

// ownKeys are the names in a JSON file of what is a key of helve's.
var ownKeys = map[string]string{
	"mcp_server_url": "url", "dir": "cwd", "allow": "tools", "deny": "disabledTools",
	"mcp_api_key": "headers", "api_key_header": "headers",
}

// typeElsewhere is the type that other programs, or people, call by another name.
func typeElsewhere(name string) (Type, bool) {
	switch strings.ReplaceAll(strings.ToLower(name), "_", "-") {
	case "streamable-http", "streamablehttp":
		return HTTP, true
	case "local":
		return Stdio, true
	}
	return "", false
}

// meant asks for the key that was meant, or is "" where none is close.
func meant(key string, known ...string) string {
	if near := nearest.Name(key, known); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}
