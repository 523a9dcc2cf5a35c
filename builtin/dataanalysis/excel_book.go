package dataanalysis

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strings"
)

// Bounds on a workbook, which is a zip file of XML. Each part is checked against
// the size that its entry declares before it is read; archive/zip fails a part
// that turns out larger than that.
const (
	maxBookFile    = 64 << 20
	maxBookParts   = 5000
	maxDirectory   = 2 << 20   // the names of the parts
	maxSheetPart   = 256 << 20 // unpacked, and never in memory as a whole
	maxStringsPart = 64 << 20
	maxStylesPart  = 8 << 20
	maxIndexPart   = 1 << 20 // the list of sheets, and where they are
	maxBookSheets  = 500
)

// book is a workbook that is open for reading. It is not safe for concurrent use.
//
// It is read here and not by excelize, which unpacks and indexes all of it first:
// a row of 16,384 cells that each repeat a text of a megabyte would be 16 GB
// there. Here a text is held once, whatever refers to it, and of a sheet one row.
type book struct {
	parts    map[string]*zip.File // by name, in lower case
	sheets   []bookSheet
	date1904 bool

	loaded     bool // with the first sheet:
	texts      texts
	formats    []numberFormat // by the style index of a cell
	textsPart  string
	stylesPart string

	unnumbered int // rows without a number, of the sheet that was read last
}

type bookSheet struct {
	name   string
	part   string
	hidden bool
}

// openBook reads the list of sheets. The error says what the file is instead,
// where it is no workbook.
func openBook(r io.ReaderAt, length int64) (*book, error) {
	if length > maxBookFile {
		return nil, fmt.Errorf("has %s, and workbooks are read up to %s: ask for a smaller workbook, or the data as CSV", size(length), size(maxBookFile))
	}
	if err := looksLikeBook(r, length); err != nil {
		return nil, err
	}
	directory := &boundedDirectory{ReaderAt: r, left: maxDirectory}
	archive, err := zip.NewReader(directory, length)
	if errors.Is(err, errDirectory) {
		return nil, fmt.Errorf("has more parts than a workbook may have, %d: it is refused", maxBookParts)
	}
	if err != nil {
		return nil, errors.New("is a damaged workbook: its zip archive can't be read")
	}
	if len(archive.File) > maxBookParts {
		return nil, fmt.Errorf("has more parts than a workbook may have, %d: it is refused", maxBookParts)
	}
	directory.done = true
	b := &book{parts: map[string]*zip.File{}, textsPart: "xl/sharedStrings.xml", stylesPart: "xl/styles.xml"}
	for _, f := range archive.File {
		b.parts[strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(f.Name, "/"), `\`, "/"))] = f
	}
	if err := b.readSheets(); err != nil {
		return nil, err
	}
	return b, nil
}

// boundedDirectory keeps zip.NewReader from reading a directory of millions of
// parts. What is read afterwards has bounds of its own.
type boundedDirectory struct {
	io.ReaderAt
	left int
	done bool
}

var errDirectory = errors.New("the directory is too large")

func (d *boundedDirectory) ReadAt(p []byte, at int64) (int, error) {
	if !d.done {
		if d.left -= len(p); d.left < 0 {
			return 0, errDirectory
		}
	}
	return d.ReaderAt.ReadAt(p, at)
}

// load reads what all sheets need.
func (b *book) load(ctx context.Context) error {
	if b.loaded {
		return nil
	}
	if err := b.readStyles(); err != nil {
		return err
	}
	if err := b.readTexts(ctx); err != nil {
		return err
	}
	b.loaded = true
	return nil
}

// looksLikeBook tells by the first bytes what the file is.
func looksLikeBook(r io.ReaderAt, length int64) error {
	content := make([]byte, min(length, 4))
	if _, err := r.ReadAt(content, 0); err != nil && !errors.Is(err, io.EOF) {
		return errors.New("can't be read")
	}
	if bytes.Equal(content, []byte("PK\x03\x04")) {
		return nil
	}
	content = make([]byte, min(length, 1<<20))
	if _, err := r.ReadAt(content, 0); err != nil && !errors.Is(err, io.EOF) {
		return errors.New("can't be read")
	}
	switch {
	case bytes.HasPrefix(content, []byte("\xD0\xCF\x11\xE0")):
		if bytes.Contains(content, []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")) {
			return errors.New("is encrypted with a password: ask the person to save it without one")
		}
		return errors.New("is in the old .xls format of Excel 97: ask the person to save it as .xlsx")
	case length == 0:
		return errors.New("is empty")
	case bytes.IndexByte(content[:min(len(content), 4096)], 0) < 0:
		return errors.New("is not a workbook: it is text, perhaps CSV with the wrong name; ask the person to rename it to .csv, which sql_tool reads")
	}
	return errors.New("is not a workbook: an .xlsx file is a zip archive, this is none")
}

// open opens a part of at most limit bytes.
func (b *book) open(name string, limit uint64) (io.ReadCloser, error) {
	f := b.parts[strings.ToLower(name)]
	if f == nil {
		return nil, fmt.Errorf("is a damaged workbook: it lacks the part %.100q", name)
	}
	if f.UncompressedSize64 > limit {
		return nil, fmt.Errorf("holds a part %.100q of %s unpacked, more than the %s that are read: ask for a smaller workbook, or the data as CSV", name, size(int64(min(f.UncompressedSize64, math.MaxInt64))), size(int64(limit)))
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("is a damaged workbook: the part %.100q can't be unpacked", name)
	}
	return r, nil
}

// decode reads a small part as a whole.
func (b *book) decode(name string, limit uint64, into any) error {
	r, err := b.open(name, limit)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := xml.NewDecoder(r).Decode(into); err != nil {
		return fmt.Errorf("is a damaged workbook: the part %.100q is not as it should be", name)
	}
	return nil
}

type relations struct {
	Relation []struct {
		ID     string `xml:"Id,attr"`
		Type   string `xml:"Type,attr"`
		Target string `xml:"Target,attr"`
	} `xml:"Relationship"`
}

func (b *book) readSheets() error {
	index := b.indexPart()
	var book struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string     `xml:"name,attr"`
			State string     `xml:"state,attr"`
			Attrs []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := b.decode(index, maxIndexPart, &book); err != nil {
		return err
	}
	var related relations
	if err := b.decode(path.Join(path.Dir(index), "_rels", path.Base(index)+".rels"), maxIndexPart, &related); err != nil {
		return err
	}
	target := map[string]string{}
	for _, r := range related.Relation {
		part := resolve(index, r.Target)
		switch path.Base(r.Type) {
		case "worksheet":
			target[r.ID] = part
		case "sharedStrings":
			b.textsPart = part
		case "styles":
			b.stylesPart = part
		}
	}
	b.date1904 = book.Properties.Date1904 == "1" || book.Properties.Date1904 == "true"
	for _, s := range book.Sheets {
		var part string
		for _, a := range s.Attrs {
			if a.Name.Local == "id" {
				part = target[a.Value]
			}
		}
		if part == "" {
			continue // a sheet of charts or macros
		}
		if len(b.sheets) == maxBookSheets {
			return fmt.Errorf("has more than %d sheets: it is refused", maxBookSheets)
		}
		b.sheets = append(b.sheets, bookSheet{s.Name, part, s.State != "" && s.State != "visible"})
	}
	if len(b.sheets) == 0 {
		return errors.New("has no sheet with cells")
	}
	return nil
}

// indexPart is where the list of sheets is: nearly always here.
func (b *book) indexPart() string {
	var related relations
	if b.decode("_rels/.rels", maxIndexPart, &related) == nil {
		for _, r := range related.Relation {
			if strings.HasSuffix(r.Type, "/officeDocument") {
				return resolve("", r.Target)
			}
		}
	}
	return "xl/workbook.xml"
}

// resolve is a target as the part that names it means it.
func resolve(from, target string) string {
	if strings.HasPrefix(target, "/") {
		return strings.TrimPrefix(path.Clean(target), "/")
	}
	return path.Join(path.Dir(from), target)
}

// sheet finds a sheet by name, whatever its letter case, as Excel does. No name
// is the first that is not hidden.
func (b *book) sheet(name string) (bookSheet, error) {
	if name == "" {
		for _, s := range b.sheets {
			if !s.hidden {
				return s, nil
			}
		}
		return b.sheets[0], nil
	}
	for _, s := range b.sheets {
		if strings.EqualFold(s.name, name) {
			return s, nil
		}
	}
	return bookSheet{}, fmt.Errorf("has no sheet %.50q: it has %s", name, listNames(b.sheetNames(), 20))
}

func (b *book) sheetNames() []string {
	var names []string
	for _, s := range b.sheets {
		names = append(names, s.name)
	}
	return names
}

func listNames(names []string, most int) string {
	var b strings.Builder
	for i, n := range names {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.60q", n)
	}
	return b.String()
}
