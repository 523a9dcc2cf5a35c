package catalog

import "helve/tool"

// SetFile is a set of tools, as document 004, section 4.2, writes it.
type SetFile struct {
	Name        string   `yaml:"name" jsonschema_description:"What agents name the set by."`
	Description string   `yaml:"description,omitempty" jsonschema_description:"What the set is for."`
	Tools       []string `yaml:"tools,omitempty" jsonschema_description:"Names of tools. sql_* takes all that match, -sql_drop leaves one out."`
	ToolSets    []string `yaml:"tool_sets,omitempty" jsonschema_description:"Names of other sets, whose tools belong to this one too."`
}

// Set is a set and the tools in it, in the order of their names.
type Set struct {
	SetFile
	Tools []tool.Tool
	File  string // where it is defined

	broken bool // it names what is not there
	from   []*made
}
