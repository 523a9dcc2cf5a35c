package dataanalysis

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// csvFile reads comma-separated values: with a header, and with the delimiter
// that its first lines speak for, as Excel writes a ; where the comma is a
// decimal point. Short rows are filled up with NULL; a row with more values than
// the header has names is an error. An empty line is no row, and a line end within
// quotes is \n.
type csvFile struct {
	name      string
	r         *io.SectionReader
	delimiter rune // 0: find out
	short     int  // rows that were filled up
	latin     bool // the file is no UTF-8 and is read as Windows-1252
}

func (f *csvFile) scan(_ context.Context, header func([]string) error, row func([]cell) error) error {
	f.short = 0
	lines := bufio.NewReaderSize(f.text(), sniffed)
	if err := f.sniff(lines); err != nil {
		return err
	}
	budget := &budgetReader{r: lines}
	r := csv.NewReader(budget)
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = f.delimiter, -1, true
	budget.left = maxRow
	names, err := r.Read()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%s is empty: the first line has to name the columns", f.name)
	}
	if err != nil {
		return f.error(r, err)
	}
	if err := header(names); err != nil {
		return err
	}
	cells := make([]cell, len(names))
	for {
		budget.left = maxRow
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return f.error(r, err)
		}
		if err := f.fit(record, cells); err != nil {
			line, _ := r.FieldPos(0)
			return fmt.Errorf("%s, line %d: %w", f.name, line, err)
		}
		if err := row(cells); err != nil {
			line, _ := r.FieldPos(0)
			return fmt.Errorf("%s, line %d: %w", f.name, line, err)
		}
	}
}

// errNotUTF8 asks for another way of reading a file.
var errNotUTF8 = errors.New("text that is not UTF-8")

func (f *csvFile) fit(record []string, cells []cell) error {
	if len(record) < len(cells) {
		f.short++
	}
	kind := cellAny
	if f.delimiter == ';' {
		kind = cellComma
	}
	for i, value := range record {
		if !utf8.ValidString(value) {
			return errNotUTF8
		}
		if i >= len(cells) {
			if value != "" {
				return fmt.Errorf("%d values, but the first line names %d columns: is a quote missing around a value with a %q in it?", len(record), len(cells), f.delimiter)
			}
			continue
		}
		cells[i] = cell{value, kind}
		if value == "" {
			cells[i].kind = cellNull
		}
	}
	for i := len(record); i < len(cells); i++ {
		cells[i] = cell{}
	}
	return nil
}

func (f *csvFile) error(r *csv.Reader, err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	switch {
	case errors.Is(err, errRowTooLong):
		return fmt.Errorf("%s, line %d: %w", f.name, parse.StartLine, errRowTooLong)
	case errors.Is(err, csv.ErrQuote) && parse.StartLine < parse.Line:
		return fmt.Errorf("%s, line %d: a quote that opens in this row does not close in it", f.name, parse.StartLine)
	case errors.Is(err, csv.ErrQuote), errors.Is(err, csv.ErrBareQuote):
		return fmt.Errorf("%s, line %d, column %d: a \" that neither opens nor closes a value: write it twice, and quotes around the value", f.name, parse.Line, parse.Column)
	}
	return fmt.Errorf("%s, line %d: %w", f.name, parse.Line, parse.Err)
}

// text is the file as UTF-8, without a byte order mark.
func (f *csvFile) text() io.Reader {
	f.r.Seek(0, io.SeekStart)
	if f.latin {
		return charmap.Windows1252.NewDecoder().Reader(f.r)
	}
	return transform.NewReader(f.r, unicode.BOMOverride(encoding.Nop.NewDecoder()))
}

const sniffed = 64 << 10 // bytes that say which delimiter a file has

// sniff finds the delimiter, unless it is known, and refuses lines without \n. Excel's own line sep=; settles
// it.
func (f *csvFile) sniff(lines *bufio.Reader) error {
	head, _ := lines.Peek(sniffed)
	if rest, ok := bytes.CutPrefix(head, []byte("sep=")); ok && len(rest) > 1 && (rest[1] == '\n' || rest[1] == '\r') && strings.IndexByte(",;\t|", rest[0]) >= 0 {
		f.delimiter = rune(rest[0])
		lines.ReadString('\n')
		return nil
	}
	if bytes.ContainsRune(head, '\r') && !bytes.ContainsRune(head, '\n') {
		return fmt.Errorf("%s: its lines end in CR alone, as those of an old Mac: save it with LF or CR LF at the ends, as with tr '\\r' '\\n'", f.name)
	}
	if f.delimiter == 0 {
		f.delimiter = delimiterOf(head)
	}
	return nil
}

// delimiterOf is the character that cuts most lines of head into as many pieces
// as the first, quotations left out. Of equals the comma wins.
func delimiterOf(head []byte) rune {
	const candidates = ",;\t|"
	var counts [len(candidates)]int
	var first, agree [len(candidates)]int
	quoted, line := false, 0
	end := func() {
		for i, n := range counts {
			if line == 0 {
				first[i] = n
			}
			if n > 0 && n == first[i] {
				agree[i]++
			}
		}
		counts = [len(candidates)]int{}
		line++
	}
	for _, b := range head {
		switch {
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '\n':
			end()
		default:
			if i := strings.IndexByte(candidates, b); i >= 0 {
				counts[i]++
			}
		}
		if line == 50 {
			break
		}
	}
	if line == 0 {
		end()
	}
	best := 0
	for i := range agree {
		if agree[i] > agree[best] || agree[i] == agree[best] && first[i] > first[best] && agree[i] > 0 && first[best] == 0 {
			best = i
		}
	}
	return rune(candidates[best])
}

const maxRow = 4 << 20 // bytes of one row of a text file

var errRowTooLong = fmt.Errorf("a row of more than %d MiB: is a closing quote missing?", maxRow>>20)

// budgetReader fails when one row takes more than there is left, so that a quote
// which never closes does not read a whole file into memory.
type budgetReader struct {
	r    io.Reader
	left int
}

func (b *budgetReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errRowTooLong
	}
	n, err := b.r.Read(p)
	b.left -= n
	return n, err
}
