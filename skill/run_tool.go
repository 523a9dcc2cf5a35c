package skill

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"time"

	"helve/message"
	"helve/tool"
)

// What a model and its host get of the files that a script made.
const (
	maxMade      = 50       // files
	maxMadeBytes = 8 << 20  // of them all
	maxShown     = 8 << 10  // bytes of a text that a model reads at once
	maxShownAll  = 32 << 10 // of all texts
)

type runInput struct {
	Skill   string            `json:"skill" jsonschema_description:"The name of the skill."`
	Script  string            `json:"script" jsonschema:"example=scripts/count.py" jsonschema_description:"The path of the script, as the skill lists it."`
	Args    []string          `json:"args,omitempty" jsonschema_description:"Its arguments, each by itself: there is no shell."`
	Stdin   string            `json:"stdin,omitempty" jsonschema_description:"What the script reads from standard input."`
	Files   map[string]string `json:"files,omitempty" jsonschema_description:"More files for the script: their texts, by paths relative to the skill's folder."`
	Timeout int               `json:"timeout,omitempty" jsonschema:"minimum=1,maximum=300" jsonschema_description:"How many seconds it may take."`
}

func (in runInput) command() Command {
	return Command{in.Script, in.Args, in.Stdin, in.Files, time.Duration(in.Timeout) * time.Second}
}

// runTime is the deadline of the tools that run scripts. The scripts have their own, which
// says what they printed until then.
const runTime = maxTime + 10*time.Second

// runTool is the tool skill_run.
func (l *Library) runTool(skills []*Skill) tool.Tool {
	return tool.Must(tool.New(nameRun, "Run a script of a skill, in a sandbox without network. It finds the skill's files in its directory. What it prints and the files it makes are the result; other files it leaves are gone.",
		func(ctx context.Context, in runInput) (tool.Result, error) {
			s, err := find(in.Skill, skills)
			if err != nil {
				return tool.Result{}, err
			}
			return l.run(ctx, s, in.command())
		}, tool.Timeout(runTime)))
}

// run is [Library.Run] with a result for a model, which a script that was stopped has not.
func (l *Library) run(ctx context.Context, s *Skill, c Command) (tool.Result, error) {
	result, err := l.Run(ctx, s, c)
	if err != nil {
		return tool.Result{}, err
	}
	if result.Reason != "" {
		return tool.Result{}, stopped(ctx, s, c, result)
	}
	out := output{
		ExitCode: result.ExitCode, Signal: result.Signal,
		Stdout: valid(result.Stdout), Stderr: valid(result.Stderr), Truncated: result.Truncated,
		Left: result.Left,
	}
	var all made
	if result.Files != nil {
		all = out.take(result.Files)
	}
	if len(all.Files) == 0 {
		return tool.WithArtifact(out, nil), nil
	}
	return tool.WithArtifact(out, all), nil
}

// output is what a model reads of a run.
type output struct {
	ExitCode  int        `json:"exit_code"`
	Signal    string     `json:"signal,omitempty"`
	Stdout    string     `json:"stdout"`
	Stderr    string     `json:"stderr"`
	Truncated bool       `json:"truncated,omitempty"`
	Files     []madeFile `json:"files,omitempty"`
	Left      []string   `json:"not_kept,omitempty"` // files, each with the reason
}

type madeFile struct {
	Path string  `json:"path"`
	Size int     `json:"size"`
	Text *string `json:"text,omitempty"` // of a short text
}

// made is the artifact of a run: the files, for the host and for who it serves.
type made struct {
	Files []message.File `json:"files"`
}

// Attachments makes made a [tool.Attacher].
func (m made) Attachments() []message.Part {
	var parts []message.Part
	for _, f := range m.Files {
		parts = append(parts, f)
	}
	return parts
}

// take lists the files that a script made, and returns them.
func (o *output) take(files fs.FS) (all made) {
	bytes, shown := 0, 0
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if len(all.Files) == maxMade {
			return fmt.Errorf("more than %d files: the others are not kept", maxMade)
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if size := info.Size(); size > int64(maxMadeBytes-bytes) {
			o.Left = append(o.Left, fmt.Sprintf("%s: %d bytes, and all files together may have %d", name, size, maxMadeBytes))
			return nil
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		bytes += len(data)
		file := madeFile{Path: name, Size: len(data)}
		if len(data) <= min(maxShown, maxShownAll-shown) && isText(data) {
			text := string(data)
			file.Text = &text
			shown += len(data)
		}
		o.Files = append(o.Files, file)
		all.Files = append(all.Files, message.File{Name: path.Base(name), Data: data, MediaType: http.DetectContentType(data)})
		return nil
	})
	if err != nil {
		o.Left = append(o.Left, err.Error())
	}
	return all
}
