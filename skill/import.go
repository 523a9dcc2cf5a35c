package skill

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"helve/catalog"
)

// ErrExists is for a skill that is there already and is not to be replaced.
var ErrExists = errors.New("there is a skill of that name already")

// Import copies a skill into folder, which is made if it is missing, under its own name, and
// returns it with the problems of [Load]. The skill is a folder, or an archive (.zip, .skill,
// .tar.gz, .tgz) of one, which holds SKILL.md itself or in its only folder.
//
// It copies regular files alone. An archive with a link or a device in it, with a path that
// leads elsewhere, or with more than a skill may hold, is refused as a whole. Where the
// skill is there already, it is an [ErrExists], or is replaced with replace. The skill is
// there whole or not at all.
func Import(from, folder string, replace bool) (*Skill, []catalog.Problem, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, nil, err
	}
	// Beside its later place, so that one rename brings it there; hidden, so that nobody
	// takes it for a skill.
	temp, err := os.MkdirTemp(folder, ".import-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(temp)
	unpacked := filepath.Join(temp, nameless)
	if err := os.Mkdir(unpacked, 0o755); err != nil {
		return nil, nil, err
	}
	if err := unpack(from, unpacked); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", from, err)
	}
	dir, err := skillIn(unpacked)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", from, err)
	}
	name, problems, err := checked(dir, from)
	if err != nil {
		return nil, problems, err
	}
	target := filepath.Join(folder, name)
	if err := move(dir, target, filepath.Join(temp, ".replaced"), replace); err != nil {
		return nil, nil, err
	}
	s, problems := Load(target)
	if s == nil {
		return nil, problems, &worst(problems)[0]
	}
	return s, problems, nil
}

// nameless is the folder that a skill is unpacked in. One that gives itself no name gets that
// of its folder, and nobody chose this one.
const nameless = ".unpacked"

// checked returns the name of the skill in dir, which came from from. The error is for one
// that can't be used, and for a name that is none of a folder.
func checked(dir, from string) (string, []catalog.Problem, error) {
	s, problems := Load(dir)
	for i, p := range problems {
		problems[i].File = from + strings.TrimPrefix(p.File, filepath.ToSlash(dir))
	}
	if s == nil {
		return "", problems, &worst(problems)[0]
	}
	if s.Name == nameless {
		return "", problems, fmt.Errorf("%s: the skill has no name that can be used", from)
	}
	if faults := nameFaults(s.Name); len(faults) > 0 {
		return "", problems, fmt.Errorf("%s: %s: it becomes the name of a folder", from, faults[0])
	}
	return s.Name, problems, nil
}

// worst are the problems that are no warnings.
func worst(problems []catalog.Problem) []catalog.Problem {
	return slices.DeleteFunc(slices.Clone(problems), func(p catalog.Problem) bool { return p.Warning })
}

// unpack fills the empty folder dir with what is in from.
func unpack(from, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	w := &unpacking{root: root, seen: map[string]bool{}}
	info, err := os.Stat(from)
	switch lower := strings.ToLower(from); {
	case err != nil:
		return inWords(err)
	case info.IsDir():
		return w.folder(from)
	case !info.Mode().IsRegular():
		return errors.New("this is neither a folder nor a file")
	case strings.HasSuffix(lower, ".zip"), strings.HasSuffix(lower, ".skill"):
		return w.zip(from)
	case strings.HasSuffix(lower, ".tar.gz"), strings.HasSuffix(lower, ".tgz"):
		return w.tarGz(from)
	}
	return errors.New("this is no archive of a skill: its name ends in .zip, .skill, .tar.gz or .tgz")
}

// skillIn is dir, or the only folder in it.
func skillIn(dir string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if _, err := mainFile(root); err == nil {
		return dir, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	if len(entries) != 1 || !entries[0].IsDir() {
		return "", errors.New("there is no SKILL.md in it, nor in its only folder")
	}
	return filepath.Join(dir, entries[0].Name()), nil
}

// move renames dir to target. What was there is put aside first, and back where that fails.
func move(dir, target, aside string, replace bool) error {
	_, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(dir, target)
	case err != nil:
		return err
	case !replace:
		return fmt.Errorf("%s: %w", target, ErrExists)
	}
	if err := os.Rename(target, aside); err != nil {
		return err
	}
	if err := os.Rename(dir, target); err != nil {
		return errors.Join(err, os.Rename(aside, target))
	}
	return nil
}
