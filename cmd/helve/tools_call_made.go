package main

import (
	"fmt"
	"path"
	"strings"

	"helve/script"
	"helve/tool"
)

// madeFile is a file that a tool made for people.
type madeFile struct {
	name, mediaType string
	data            []byte
}

// madeBy are the files in an artifact. What has no name gets one by its place.
func madeBy(artifact any) []madeFile {
	var all []madeFile
	switch a := artifact.(type) {
	case script.Files:
		for _, f := range a {
			all = append(all, madeFile{f.Name, f.MediaType, f.Data})
		}
	case tool.Attacher:
		for i, p := range shownParts(a.Attachments()) {
			if p.Data == nil {
				continue // a link, or a text
			}
			if p.Name == "" {
				_, kind, _ := strings.Cut(p.MediaType, "/")
				p.Name = fmt.Sprintf("%d.%s", i+1, path.Base("/"+kind))
			}
			all = append(all, madeFile{p.Name, p.MediaType, p.Data})
		}
	}
	return all
}

// tellMade says which files a call made, and puts them where they are wanted.
func (a *app) tellMade(artifact any, out *outlet) error {
	var problems []error
	for _, f := range madeBy(artifact) {
		if out == nil {
			if a.json || a.jsonl {
				continue // which has them
			}
			fmt.Fprintf(a.std.err, "helve: made %s (%s, %d bytes); --out DIR keeps it\n", printable(f.name), printable(f.mediaType), len(f.data))
			continue
		}
		where, err := out.write(f.name, f.data, 0o644)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		fmt.Fprintf(a.std.err, "helve: wrote %s\n", printable(where))
	}
	return notAll(problems)
}
