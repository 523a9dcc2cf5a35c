package gofunc

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// rename gives a place in what is compiled the name of that in the folder.
func (b *build) rename(place string) string {
	if rel, err := filepath.Rel(b.source, place); err == nil && filepath.IsLocal(rel) {
		return filepath.Join(b.named, rel)
	}
	return place
}

// within takes a place of the folder apart: the file below it, with slashes, and the
// line. It is "" and 0 where the place is elsewhere.
func (b *build) within(place string) (file string, line int) {
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return "", 0
	}
	rel, err := filepath.Rel(b.named, place[:i])
	if err != nil || !filepath.IsLocal(rel) {
		return "", 0
	}
	line, _ = strconv.Atoi(place[i+1:])
	return filepath.ToSlash(rel), line
}

// words is text that may name places in what is compiled, with those of the folder.
func (b *build) words(text string) string {
	folder := filepath.Clean(b.named)
	below := folder + string(filepath.Separator)
	if folder == "." {
		below = ""
	}
	text = strings.ReplaceAll(text, b.source+string(filepath.Separator), below)
	return strings.ReplaceAll(text, b.source, folder)
}

// renamedError is an error that names no place of a copy.
type renamedError struct {
	text string
	err  error
}

func (e *renamedError) Error() string { return e.text }
func (e *renamedError) Unwrap() error { return e.err }

var (
	compilerPlace = regexp.MustCompile(`(?m)^(\s*)(\S+\.go)(:\d+)`)
	packageLine   = regexp.MustCompile(`(?m)^# helve\.local.*\n`)
)

// told is what the go command said, with each place as the caller would name it: the
// command's are relative to the module.
func (b *build) told(text string) string {
	here, err := os.Getwd()
	if err != nil {
		here = b.module
	}
	text = packageLine.ReplaceAllString(text, "") // the name of a module that nobody wrote
	text = compilerPlace.ReplaceAllStringFunc(text, func(found string) string {
		m := compilerPlace.FindStringSubmatch(found)
		place := m[2]
		if !filepath.IsAbs(place) {
			place = filepath.Join(b.module, place)
		}
		if renamed := b.rename(place); renamed != place {
			place = renamed
		} else if rel, err := filepath.Rel(here, place); err == nil && filepath.IsLocal(rel) {
			place = rel
		}
		return m[1] + place + m[3]
	})
	return b.words(text)
}
