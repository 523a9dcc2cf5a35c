package main

import (
	"path/filepath"
	"testing"
)

// MCP clients get the skills of the workspace, and not those of the person who runs helve.
func TestSkillFoldersOfMCPClientsAreTheWorkspaces(t *testing.T) {
	t.Parallel()
	for _, folder := range (&app{serving: true}).skillFolders() {
		if filepath.IsAbs(folder) {
			t.Errorf("%s is a person's", folder)
		}
	}
}
