package skill

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"helve/catalog"
	"helve/internal/yamlfile"
)

// frontmatter is what stands between the two lines of --- at the top of a SKILL.md. Its
// lines are numbered as those of the file.
type frontmatter struct {
	yaml     []byte
	body     string
	bodyLine int
}

// split takes a SKILL.md apart. The error is for people.
func split(data []byte) (frontmatter, error) {
	rest := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // a byte order mark
	first, rest, _ := bytes.Cut(rest, []byte("\n"))
	if !isFence(first) {
		return frontmatter{}, errors.New("it begins with no frontmatter")
	}
	var f frontmatter
	yaml := bytes.NewBufferString("\n") // in the place of the first line
	for line := 2; len(rest) > 0; line++ {
		var text []byte
		text, rest, _ = bytes.Cut(rest, []byte("\n"))
		if isFence(text) {
			body := strings.ReplaceAll(string(rest), "\r\n", "\n")
			f.body = strings.TrimSpace(body)
			above := body[:strings.Index(body, f.body)]
			f.yaml, f.bodyLine = yaml.Bytes(), line+1+strings.Count(above, "\n")
			return f, nil
		}
		yaml.Write(text)
		yaml.WriteByte('\n')
	}
	return frontmatter{}, errors.New("its frontmatter has no end")
}

func isFence(line []byte) bool { return string(bytes.TrimRight(line, " \t\r")) == "---" }

// read fills the draft's skill from a SKILL.md in a folder of that name. It reports
// whether the skill can be used.
func (d *draft) read(data []byte, folder string) bool {
	f, err := split(data)
	if err != nil {
		d.note(fatal, nil, "write a line ---, then name: and description:, then a line ---", "%v", err)
		return false
	}
	if !utf8.ValidString(f.body) {
		f.body = strings.ToValidUTF8(f.body, "\uFFFD")
		d.note(wrong, nil, "save it as UTF-8", "the file is not UTF-8")
	}
	root, ok := d.parse(f.yaml)
	if !ok {
		return false
	}
	d.skill.Body, d.skill.bodyLine = f.body, f.bodyLine
	return d.fields(root, folder)
}

// parse reads YAML, and once more with its values in quotes where it is none as it stands:
// a colon in a description is what most often goes wrong.
func (d *draft) parse(data []byte) (*yaml.Node, bool) {
	root, err := yamlfile.Tree(d.file, data)
	if err == nil {
		return root, true
	}
	if root, ok := d.unindented(data); ok {
		return root, true
	}
	if quoted, changed := quote(data); changed {
		if root, again := yamlfile.Tree(d.file, quoted); again == nil {
			d.noteError(wrong, err, "put the value in quotes")
			return root, true
		}
	}
	d.noteError(fatal, err, "")
	return nil, false
}

func (d *draft) noteError(level level, err error, hint string) {
	problem := catalog.Problem{File: d.file, Message: err.Error(), Hint: hint}
	var placed *yamlfile.Error
	if errors.As(err, &placed) {
		problem.Line, problem.Column, problem.Message = placed.Line, placed.Column, placed.Message
		if hint == "" {
			problem.Hint = placed.Hint
		}
	}
	d.findings = append(d.findings, finding{level, problem})
}

// plain is a key in the first column with a value that YAML may misread: it is not in
// quotes, no list and no block.
var plain = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*:[ \t]+)([^\s'"\[{|>&*!#].*)$`)

// quote puts each plain value with a colon in it into quotes, with the indented lines that
// go on with it.
func quote(data []byte) (quoted []byte, changed bool) {
	lines := strings.Split(string(data), "\n")
	for i := 0; i < len(lines); i++ {
		m := plain.FindStringSubmatch(strings.TrimRight(lines[i], " \t\r"))
		if m == nil {
			continue
		}
		last := i
		for last+1 < len(lines) && strings.TrimLeft(lines[last+1], " \t") != lines[last+1] && strings.TrimSpace(lines[last+1]) != "" {
			last++
		}
		value := strings.Join(append([]string{m[2]}, lines[i+1:last+1]...), "\n")
		if strings.Contains(value, ":") {
			value = m[1] + "'" + strings.ReplaceAll(strings.TrimRight(value, " \t\r"), "'", "''") + "'"
			copy(lines[i:], strings.Split(value, "\n"))
			changed = true
		}
		i = last
	}
	return []byte(strings.Join(lines, "\n")), changed
}
