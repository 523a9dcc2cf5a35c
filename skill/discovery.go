package skill

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"helve/catalog"
	"helve/internal/excerpt"
	"helve/internal/nearest"
)

// How far skills are looked for.
const (
	maxSkills  = 1000
	maxFolders = 2000 // that are looked into, below one of the folders
	maxLevels  = 4    // of folders, down to that of a skill
	maxRead    = 256 << 20
)

// discovery looks for skills in one folder after the other.
type discovery struct {
	skills   []*Skill
	seen     map[string]*Skill // by name
	problems []catalog.Problem
	lint     bool  // all that Lint says
	found    int   // skills, also those that can't be used
	bytes    int64 // of all skills

	root    *os.Root // of the folder that is being looked into
	at      string   // its path
	shown   string   // as people are shown it
	looked  int
	stopped bool
}

// folder adds the skills in the folder at, which is shown as shown.
func (d *discovery) folder(at, shown string) {
	at, err := filepath.Abs(at)
	if err == nil {
		d.root, err = os.OpenRoot(at)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		d.problem(shown, "", "the folder can't be read: %v", inWords(err))
		return
	}
	defer d.root.Close()
	d.at, d.shown, d.looked, d.stopped = at, shown, 0, false
	d.visit(".", 1)
}

// visit looks into the folders below name.
func (d *discovery) visit(name string, level int) {
	entries, err := d.list(name)
	if err != nil {
		d.problem(path.Join(d.shown, name), "", "the folder can't be read: %v", inWords(err))
	}
	for _, entry := range entries {
		below := path.Join(name, entry.Name())
		switch {
		case d.stopped:
			return
		case isForeign(entry.Name()):
		case entry.Type()&fs.ModeSymlink != 0:
			d.warn(path.Join(d.shown, below), "put a copy there", "symbolic links are not followed")
		case !entry.IsDir():
			if level == 1 && extension(below) == ".md" && !isAbout(below) {
				d.warn(path.Join(d.shown, below), "put it into a folder of its own, as SKILL.md, if it is a skill", "this is no skill: a skill is a folder with a SKILL.md")
			}
		case d.looked == maxFolders:
			d.stop("there are more than %d folders in it, and the others were not looked at", maxFolders)
		default:
			d.looked++
			d.enter(below, level)
		}
	}
}

// enter loads the skill in the folder name, or looks for skills below it.
func (d *discovery) enter(name string, level int) {
	if !d.isSkill(name) {
		before := d.found
		if level < maxLevels {
			d.visit(name, level+1)
		}
		if level == 1 && d.found == before && !d.stopped {
			d.noSkill(name)
		}
		return
	}
	if len(d.skills) == maxSkills || d.bytes > maxRead {
		d.stop("there are more than %d skills, or they hold more than %d MiB: the others were not read", maxSkills, maxRead>>20)
		return
	}
	root, err := d.root.OpenRoot(name)
	if err != nil {
		d.problem(path.Join(d.shown, name), "", "the folder can't be read: %v", inWords(err))
		return
	}
	defer root.Close()
	s, findings := loadFrom(root, filepath.Join(d.at, filepath.FromSlash(name)), path.Join(d.shown, name))
	d.found++
	switch {
	case !d.lint:
		d.problems = append(d.problems, lenient(findings)...)
	case s != nil:
		findings = append(findings, s.lintBody()...)
		fallthrough
	default:
		d.problems = append(d.problems, linted(findings)...)
	}
	if s != nil {
		d.add(s)
	}
}

func (d *discovery) add(s *Skill) {
	for _, f := range s.Files {
		d.bytes += f.Size
	}
	if first, taken := d.seen[s.Name]; taken {
		d.warn(s.Path, "rename one of them if that is not meant", "the skill %s is defined in %s already, which counts", s.Name, first.Path)
		return
	}
	d.seen[s.Name] = s
	d.skills = append(d.skills, s)
}

func (d *discovery) isSkill(name string) bool {
	return slices.ContainsFunc(mainNames, func(main string) bool {
		_, err := d.root.Lstat(path.Join(name, main))
		return err == nil
	})
}

// list returns what is in a folder, sorted.
func (d *discovery) list(name string) ([]fs.DirEntry, error) {
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(maxFolders * 4)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

func (d *discovery) stop(format string, args ...any) {
	d.stopped = true
	d.problem(d.shown, "keep fewer skills there", format, args...)
}

func (d *discovery) problem(file, hint, format string, args ...any) {
	d.problems = append(d.problems, catalog.Problem{File: file, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (d *discovery) warn(file, hint, format string, args ...any) {
	d.problem(file, hint, format, args...)
	d.problems[len(d.problems)-1].Warning = true
}

// noSkill warns of a folder in which there is no skill, though it has files.
func (d *discovery) noSkill(name string) {
	entries, err := d.list(name)
	if err != nil {
		return // visit has said it
	}
	var files []string
	for _, e := range entries {
		if e.Type().IsRegular() && !isForeign(e.Name()) {
			files = append(files, e.Name())
		}
	}
	if len(files) == 0 {
		return
	}
	hint := "add a SKILL.md, with name: and description:, if it is meant to be one"
	if near := nearest.Name(mainNames[0], files); near != "" {
		hint = "rename " + excerpt.Of(near, maxName) + " to SKILL.md"
	}
	d.warn(path.Join(d.shown, name), hint, "there is no SKILL.md in this folder, so it is no skill")
}

// isAbout is for files that tell people of the folder they are in.
func isAbout(name string) bool {
	switch strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name))) {
	case "readme", "license", "changelog", "contributing", "agents", "claude":
		return true
	}
	return false
}
