package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"helve/catalog"
	"helve/internal/yamlfile"
	"helve/sandbox"
)

// setLevel is the level of isolation that a helve.yaml sets, and FILE:LINE of where it does.
// It is empty where none says anything.
type setLevel struct {
	level sandbox.Level
	by    string
}

// reason says which helve.yaml is the reason for a level, behind its name.
func (s setLevel) reason() string {
	if s.by == "" {
		return ""
	}
	return ", by " + s.by
}

// configuredLevel reads the level that the workspace sets, else the person for all, as
// scripts are run by it. Of what else is wrong in helve.yaml it says nothing: a program may
// run all the same.
func (a *app) configuredLevel() (setLevel, error) {
	dir, user, err := a.folders()
	if err != nil {
		return setLevel{}, err
	}
	for _, folder := range []string{dir, user} {
		if folder == "" {
			continue
		}
		if set, err := levelIn(filepath.Join(folder, catalog.SettingsFile)); set.by != "" || err != nil {
			return set, err
		}
	}
	return setLevel{}, nil
}

func levelIn(path string) (setLevel, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return setLevel{}, nil
	}
	if err != nil {
		return setLevel{}, usage("%w", err)
	}
	var s catalog.Settings
	document, _ := yamlfile.Decode(near(path), data, &s, nil)
	if s.Sandbox.Level == "" || document == nil {
		return setLevel{}, nil
	}
	level, known := sandbox.ParseLevel(s.Sandbox.Level)
	if !known {
		wrong := document.Errorf("/sandbox/level", "unknown level %q", s.Sandbox.Level)
		wrong.Hint = "there are strict, strict-noproc and reduced"
		return setLevel{}, usage("%w", wrong)
	}
	line, _ := document.At("/sandbox/level")
	return setLevel{level, fmt.Sprintf("%s:%d", near(path), line)}, nil
}
