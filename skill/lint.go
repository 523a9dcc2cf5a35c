package skill

import (
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"helve/catalog"
)

// What the format recommends of a body.
const (
	wiseLines  = 500
	wiseTokens = 5000
)

// Lint says all that is against the format in the skill in the folder dir, and, as
// warnings, what its authors advise against: a long body, a file that is named and not
// there. A nil result is a skill that every program takes.
func Lint(dir string) []catalog.Problem {
	s, findings := load(dir)
	if s != nil {
		findings = append(findings, s.lintBody()...)
	}
	return linted(findings)
}

// LintAll is [Lint] of the skills in a folder, with what [Open] says of the folder itself,
// and how many there are, also of those that can't be used.
func LintAll(dir string) (skills int, problems []catalog.Problem) {
	d := discovery{seen: map[string]*Skill{}, lint: true}
	d.folder(dir, filepath.ToSlash(dir))
	return d.found, byPlace(d.problems)
}

func (s *Skill) lintBody() []finding {
	var findings []finding
	advise := func(line int, hint, format string, args ...any) {
		findings = append(findings, finding{advice, catalog.Problem{File: s.Path, Line: line, Message: fmt.Sprintf(format, args...), Hint: hint}})
	}
	const elsewhere = "put what is not always needed into files of references/"
	lines := strings.Split(s.Body, "\n")
	if s.Body == "" {
		advise(0, "", "there are no instructions below the frontmatter")
	}
	if len(lines) > wiseLines {
		advise(0, elsewhere, "the body has %d lines: keep it below %d", len(lines), wiseLines)
	}
	if tokens := utf8.RuneCountInString(s.Body) / 4; tokens > wiseTokens { // about four characters each
		advise(0, elsewhere, "the body is some %d tokens long: keep it below %d", tokens, wiseTokens)
	}
	for _, p := range s.AllowedTools {
		if why := meaningless(p); why != "" {
			advise(s.allowedLine, "", "%.200s in allowed-tools %s", p, why)
		}
	}
	told := map[string]bool{}
	for i, line := range lines {
		for _, name := range mentions(line) {
			if !told[name] && !s.has(name) {
				told[name] = true
				advise(s.bodyLine+i, "", "%s is not there", name)
			}
		}
	}
	return findings
}

var (
	link   = regexp.MustCompile(`\]\(<?([^)\s>]+)`)
	inside = regexp.MustCompile("(?:^|[\\s`'\"(])((?:scripts|references|assets)/[A-Za-z0-9_./-]*[A-Za-z0-9_])")
)

// mentions returns the files of the skill that a line names: by a link, or by a path below
// one of the folders that the format knows.
func mentions(line string) []string {
	var names []string
	for _, m := range link.FindAllStringSubmatch(line, -1) {
		u, err := url.Parse(m[1])
		if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" || path.IsAbs(u.Path) {
			continue
		}
		names = append(names, path.Clean(u.Path))
	}
	for _, m := range inside.FindAllStringSubmatchIndex(line, -1) {
		if rest := line[m[3]:]; rest != "" && strings.ContainsRune("*<{$[", rune(rest[0])) {
			continue // a pattern, not a name
		}
		names = append(names, path.Clean(line[m[2]:m[3]]))
	}
	return names
}

// has reports whether the skill has a file or a folder of that path.
func (s *Skill) has(name string) bool {
	for _, f := range s.Files {
		if f.Path == name || strings.HasPrefix(f.Path, name+"/") {
			return true
		}
	}
	return name == "."
}
