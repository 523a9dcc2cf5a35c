package message

// What may stand where: the rules that Check and Repair share.

func knownRole(r Role) bool {
	return r == RoleSystem || r == RoleUser || r == RoleAssistant || r == RoleTool
}

// allowed reports whether a message of role r may hold p. It is false for nil
// and for a pointer to a part, which the JSON form does not know.
func allowed(r Role, p Part) bool {
	switch p.(type) {
	case Text, Image, Audio, File, Resource:
		return r != RoleTool
	case Reasoning, ToolCall:
		return r == RoleAssistant
	case ToolResult:
		return r == RoleTool
	}
	return false
}

// readable reports whether a tool's result may hold p: what a model can read.
func readable(p Part) bool { return allowed(RoleUser, p) }

// answerable reports whether a result can name c.
func answerable(c ToolCall) bool { return c.ID != "" && c.Name != "" }

// hollow reports whether a message of role r with these parts says nothing:
// providers refuse it. Thoughts alone are nothing, since they are not sent.
func hollow(r Role, parts []Part) bool {
	for _, p := range parts {
		if allowed(r, p) && substantial(p) {
			return false
		}
	}
	return true
}

func substantial(p Part) bool {
	switch p := p.(type) {
	case Text:
		return p != ""
	case Reasoning:
		return false
	case ToolCall:
		return answerable(p)
	}
	return true
}
