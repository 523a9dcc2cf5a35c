package skill

import (
	"context"
	"fmt"
	"strings"

	"helve/tool"
)

// maxListed is how many files of a skill a model is told of.
const maxListed = 100

type openInput struct {
	Skill string `json:"name" jsonschema_description:"The name of the skill, as it is in the list of skills."`
}

// openTool is the tool skill.
func (l *Library) openTool(skills []*Skill) tool.Tool {
	return tool.Must(tool.New(nameOpen, "Open a skill: read its instructions, and which files it has, before a task that it is for.",
		func(_ context.Context, in openInput) (string, error) {
			s, err := find(in.Skill, skills)
			if err != nil {
				return "", err
			}
			return s.text(nameRead, nameRun), nil
		}, tool.ReadOnly(), tool.Idempotent()))
}

// text is what a model reads of an open skill. It reads files by the tool that is named,
// and runs them by the other.
func (s *Skill) text(read, run string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<skill name=%q>\n%s\n</skill>\n", s.Name, s.Body)
	files := s.others()
	if len(files) == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "\nFiles of the skill: read them with %s, run scripts with %s. Their paths are relative to the skill's folder, which scripts run in.\n", read, run)
	for i, f := range files {
		if i == maxListed {
			fmt.Fprintf(&b, "and %d more\n", len(files)-maxListed)
			break
		}
		fmt.Fprintf(&b, "- %s (%d bytes)\n", f.Path, f.Size)
	}
	return b.String()
}
