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

// Skill is a skill as it was when it was loaded. It does not change and is safe for
// concurrent use.
type Skill struct {
	Name          string
	Description   string // what it does and when to use it, in the words the model chooses by
	License       string
	Compatibility string // what it needs of its surroundings
	Metadata      map[string]string

	// AllowedTools are the patterns of allowed-tools; nil where the skill says nothing, so
	// that it takes nothing away. See [Allows].
	AllowedTools []string

	// Hidden is for a skill with disable-model-invocation: people use it, no model does.
	Hidden bool

	Body   string // the instructions: what stands below the frontmatter
	Path   string // its SKILL.md, as people are shown it
	Dir    string // its folder, absolute
	Files  []File // all of its files, in the order of their paths
	Digest string // sha256: of the paths, what is executable, and the contents

	bodyLine    int          // where Body begins in the file
	allowedLine int          // where allowed-tools is, if it is
	typed       []*typedTool // of assets/tools.json
}

// File is a file of a skill.
type File struct {
	Path       string // below the skill's folder, with slashes
	Size       int64
	Executable bool

	sum [32]byte // SHA-256 of what is in it
}

// Load reads the skill in the folder dir, as leniently as it can. The skill is nil where it
// can't be used, and then a problem that is no warning says why.
func Load(dir string) (*Skill, []catalog.Problem) {
	s, findings := load(dir)
	return s, lenient(findings)
}

func load(dir string) (*Skill, []finding) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, unusable(dir, "%v", err)
	}
	root, err := os.OpenRoot(absolute)
	if err != nil {
		return nil, unusable(dir, "the folder can't be read: %v", inWords(err))
	}
	defer root.Close()
	return loadFrom(root, absolute, filepath.ToSlash(dir))
}

func unusable(file, format string, args ...any) []finding {
	return []finding{{fatal, catalog.Problem{File: file, Message: fmt.Sprintf(format, args...)}}}
}

// loadFrom reads the skill in root, which is the folder dir and is shown as shown.
func loadFrom(root *os.Root, dir, shown string) (*Skill, []finding) {
	main, err := mainFile(root)
	if err != nil {
		return nil, unusable(shown, "%v", err)
	}
	t := &tree{root: root, shown: shown, keep: append([]string{typedFile}, mainNames...), kept: map[string][]byte{}}
	if err := t.walk(); err != nil {
		return nil, append(t.findings, unusable(shown, "%v", err)...)
	}
	data, regular := t.kept[main]
	if !regular { // a disk that does not tell letter case apart knows it by both names
		if data, regular = t.kept[mainNames[1]]; regular {
			main = mainNames[1]
		}
	}
	if !regular {
		return nil, append(t.findings, unusable(shown+"/"+main, "this is no regular file that can be read")...)
	}
	d := &draft{file: shown + "/" + main, findings: t.findings, skill: &Skill{
		Path: shown + "/" + main, Dir: dir, Files: t.files, Digest: digest(t.files),
	}}
	if !d.read(data, filepath.Base(dir)) {
		return nil, d.findings
	}
	if data, ok := t.kept[typedFile]; ok {
		d.readTyped(data, shown+"/"+typedFile)
	}
	return d.skill, d.findings
}

// mainNames are what the file is called that makes a folder a skill.
var mainNames = []string{"SKILL.md", "skill.md"}

func mainFile(root *os.Root) (string, error) {
	for _, name := range mainNames {
		switch info, err := root.Lstat(name); {
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			return "", fmt.Errorf("%s is a symbolic link: copy the file", name)
		case err == nil:
			return name, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", inWords(err)
		}
	}
	return "", errors.New("there is no SKILL.md")
}

// file returns the skill's own file of that path. A leading ./ does not count: models
// write it.
func (s *Skill) file(path string) (File, bool) {
	path = strings.TrimPrefix(path, "./")
	i, found := slices.BinarySearchFunc(s.Files, path, func(f File, path string) int { return strings.Compare(f.Path, path) })
	if !found {
		return File{}, false
	}
	return s.Files[i], true
}

// others are the skill's files besides SKILL.md.
func (s *Skill) others() []File {
	main := filepath.Base(s.Path)
	return slices.DeleteFunc(slices.Clone(s.Files), func(f File) bool { return f.Path == main })
}
