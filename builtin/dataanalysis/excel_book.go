package dataanalysis

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Bounds on a workbook, which is a zip file of XML. Each part is checked against
// the size that its entry declares before it is read; archive/zip fails a part
// that turns out larger than that.
const (
	maxBookFile    = 32 << 20
	maxBookParts   = 5000
	maxSheetPart   = 128 << 20 // unpacked
	maxStringsPart = 32 << 20
	maxStylesPart  = 8 << 20
	maxIndexPart   = 1 << 20 // the list of sheets, and where they are
	maxBookSheets  = 500
)

// book is a workbook that is open for reading. It is not safe for concurrent use.
//
// It is read here and not by excelize, which unpacks and indexes all of it first:
// a row of 16,384 cells that each repeat a text of a megabyte would be 16 GB
// there. Here a text is held once, whatever refers to it.
type book struct {
	parts    map[string]*zip.File // by name, in lower case
	sheets   []bookSheet
	date1904 bool
	formats  []numberFormat // by the style index of a cell
	strings  []string       // loaded with the first sheet
	loaded   bool

	unnumbered int // rows without a number, of the sheet that was read last
}

type bookSheet struct {
	name   string
	part   string
	hidden bool
}

// openBook reads the list of sheets. The error says what the file is instead,
// where it is no workbook.
func openBook(content []byte) (*book, error) {
	if err := looksLikeBook(content); err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, errors.New("is a damaged workbook: its zip archive can't be read")
	}
	if n := len(archive.File); n > maxBookParts {
		return nil, fmt.Errorf("has %d parts, a workbook may have %d: it is refused", n, maxBookParts)
	}
	b := &book{parts: map[string]*zip.File{}}
	for _, f := range archive.File {
		b.parts[strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(f.Name, "/"), `\`, "/"))] = f
	}
	if err := b.readSheets(); err != nil {
		return nil, err
	}
	return b, b.readStyles()
}

// looksLikeBook tells by the first bytes what the file is.
func looksLikeBook(content []byte) error {
	switch {
	case bytes.HasPrefix(content, []byte("PK\x03\x04")):
		return nil
	case bytes.HasPrefix(content, []byte("\xD0\xCF\x11\xE0")):
		if bytes.Contains(content[:min(len(content), 1<<20)], []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")) {
			return errors.New("is encrypted with a password: ask the person to save it without one")
		}
		return errors.New("is in the old .xls format of Excel 97: ask the person to save it as .xlsx")
	case len(content) == 0:
		return errors.New("is empty")
	case bytes.IndexByte(content[:min(len(content), 4096)], 0) < 0:
		return errors.New("is not a workbook: it is text, perhaps CSV with the wrong name; ask the person to rename it to .csv and use sql_tool")
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
		return nil, fmt.Errorf("holds a part %.100q of %d bytes unpacked, more than the %d that are read: ask for a smaller workbook, or the data as CSV", name, f.UncompressedSize64, limit)
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
		if strings.HasSuffix(r.Type, "/worksheet") {
			target[r.ID] = resolve(index, r.Target)
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

// loadStrings reads the texts that cells share.
func (b *book) loadStrings() error {
	const part = "xl/sharedStrings.xml"
	if b.loaded || b.parts[strings.ToLower(part)] == nil {
		return nil
	}
	r, err := b.open(part, maxStringsPart)
	if err != nil {
		return err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	var text strings.Builder
	inText, phonetic := false, false
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			b.loaded = true
			return nil
		}
		if err != nil {
			return fmt.Errorf("is a damaged workbook: its texts can't be read")
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "si":
				text.Reset()
			case "t":
				inText = !phonetic
			case "rPh":
				phonetic = true
			}
		case xml.CharData:
			if inText {
				text.Write(t)
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "si":
				b.strings = append(b.strings, strings.Clone(shorten(text.String(), maxExcelText)))
			case "t":
				inText = false
			case "rPh":
				phonetic = false
			}
		}
	}
}
