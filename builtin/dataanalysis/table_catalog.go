package dataanalysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

const (
	maxEntries = 20_000 // files and folders that are looked at
	maxFiles   = 1000   // files of data among them
	maxDepth   = 8      // folders within folders
)

// formats are the kinds of files that hold tables, by the ends of their names.
var formats = map[string]string{
	".db": "sqlite", ".sqlite": "sqlite", ".sqlite3": "sqlite",
	".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl",
	".parquet": "parquet", ".xlsx": "excel",
}

// entry is one table that a file holds.
type entry struct {
	name   string // in SQL
	path   string // in the folder
	part   string // the table of a database, the sheet of a workbook
	format string
	info   fs.FileInfo
}

// place is where an entry lies, for people and models.
func (e *entry) place() string {
	if e.part != "" && e.format == "excel" {
		return e.path + ", sheet " + e.part
	}
	return e.path
}

// catalog knows the tables of the folder by name.
type catalog struct {
	entries []*entry // in the order of their names
	byName  map[string]*entry
	clashes map[string][]*entry // a name that several would have -> those
	notes   []string            // what was left out, and why
}

func (c *catalog) note(format string, args ...any) {
	const most = 20
	if len(c.notes) < most {
		c.notes = append(c.notes, fmt.Sprintf(format, args...))
	}
}

// find returns the table of that name.
func (c *catalog) find(name string) *entry { return c.byName[fold(name)] }

func (c *catalog) names() []string {
	names := make([]string, len(c.entries))
	for i, e := range c.entries {
		names[i] = e.name
	}
	return names
}

// errEnough ends a walk.
var errEnough = errors.New("enough")

// catalog looks through the folder. Links inside it are followed to files, never
// to folders; what leads out of it is left out. The same folder gives the same
// names.
func (d *data) catalog(ctx context.Context) (*catalog, error) {
	c := &catalog{byName: map[string]*entry{}, clashes: map[string][]*entry{}}
	seen, files := 0, 0
	err := fs.WalkDir(d.Data.FS(), ".", func(name string, item fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if name == "." {
				return err
			}
			c.note("%s can't be read and is left out", name)
			return nil // a folder that vanished or is closed to us
		}
		if seen++; seen > maxEntries {
			c.note("the folder holds more than %d files: those from %s on are left out", maxEntries, name)
			return errEnough
		}
		hidden := strings.HasPrefix(path.Base(name), ".") && name != "."
		if item.IsDir() {
			if hidden {
				return fs.SkipDir
			}
			if strings.Count(name, "/") >= maxDepth-1 {
				c.note("%s lies deeper than %d folders and is left out", name, maxDepth)
				return fs.SkipDir
			}
			return nil
		}
		format := formats[strings.ToLower(path.Ext(name))]
		if hidden || format == "" || strings.HasPrefix(path.Base(name), "~$") { // Excel's lock files
			return nil
		}
		if files++; files > maxFiles {
			c.note("the folder holds more than %d files of data: those from %s on are left out", maxFiles, name)
			return errEnough
		}
		d.addFile(ctx, c, name, format)
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	c.settleNames()
	return c, nil
}

// addFile adds the tables of one file, whose names may still clash.
func (d *data) addFile(ctx context.Context, c *catalog, name, format string) {
	info, err := d.Data.Stat(name)
	if err != nil {
		c.note("%s is left out: %v", name, reason(err))
		return
	}
	if !info.Mode().IsRegular() {
		c.note("%s is left out: %v", name, errNotRegular)
		return
	}
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	add := func(table, part string) {
		c.entries = append(c.entries, &entry{name: table, path: name, part: part, format: format, info: info})
	}
	switch format {
	case "sqlite", "excel":
		parts, err := d.partsOf(ctx, name, format, info)
		if err != nil {
			c.note("%s is left out: %v", name, err)
		}
		for _, part := range parts {
			if format == "excel" {
				add(identifier(stem+"_"+part, "table"), part)
			} else {
				add(part, part)
			}
		}
	default:
		add(identifier(stem, "table"), "")
	}
}

// settleNames gives each table a name of its own. Where several would have one,
// all of them get the name of their file in front, with its folder and ending.
func (c *catalog) settleNames() {
	groups := map[string][]*entry{}
	for _, e := range c.entries {
		groups[fold(e.name)] = append(groups[fold(e.name)], e)
	}
	taken := map[string]int{}
	for name, group := range groups {
		if len(group) == 1 {
			taken[name] = 1
		} else {
			c.clashes[name] = group
		}
	}
	for _, e := range c.entries {
		if c.clashes[fold(e.name)] != nil {
			e.name = unique(identifier(e.path+" "+e.part, "table"), taken)
		}
	}
	for _, e := range c.entries {
		c.byName[fold(e.name)] = e
	}
	slices.SortFunc(c.entries, func(a, b *entry) int { return cmp.Compare(fold(a.name), fold(b.name)) })
}

// partsOf returns the tables of a database or the sheets of a workbook. They are
// kept as long as the file stays the same.
func (d *data) partsOf(ctx context.Context, name, format string, info fs.FileInfo) ([]string, error) {
	d.mu.Lock()
	known, ok := d.parts[name]
	d.mu.Unlock()
	if ok && same(known.info, info) {
		return known.names, known.err
	}
	f, info, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var names []string
	if format == "excel" {
		names, err = sheetNames(f, info.Size())
	} else {
		names, err = databaseTables(ctx, name, f, info)
	}
	if ctx.Err() == nil {
		d.mu.Lock()
		if len(d.parts) > 2*maxFiles {
			clear(d.parts) // files come and go under new names
		}
		d.parts[name] = parts{info, names, err}
		d.mu.Unlock()
	}
	return names, err
}

// parts are the tables of one file at one time.
type parts struct {
	info  fs.FileInfo
	names []string
	err   error
}

// same reports whether two looks at a path saw the same file, unchanged. A
// program may give a file its old time back after it wrote; it can't do so with
// the time of the change, where the system keeps one.
func same(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && changeTime(a) == changeTime(b) && os.SameFile(a, b)
}

// open opens a file of the folder.
func (d *data) open(name string) (*os.File, fs.FileInfo, error) {
	f, info, err := openRegular(d.Data, name)
	if err != nil {
		return nil, nil, reason(err)
	}
	return f, info, nil
}

// size writes a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
