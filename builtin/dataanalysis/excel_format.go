package dataanalysis

import (
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// numberFormat is how a cell shows a number: one of Excel's own, by its ID, or a
// code such as #,##0.00.
type numberFormat struct {
	id   int
	code string
	form dateForm
}

// maxFormatCode is how long a code is that is looked at: Excel's own bound.
const maxFormatCode = 255

// readStyles reads the format of each cell style.
func (b *book) readStyles() error {
	b.formats = nil
	if b.parts[strings.ToLower(b.stylesPart)] == nil {
		return nil
	}
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := b.decode(b.stylesPart, maxStylesPart, &styles); err != nil {
		return err
	}
	known := map[int]numberFormat{}
	for _, f := range styles.Formats {
		if len(f.Code) <= maxFormatCode {
			known[f.ID] = numberFormat{f.ID, f.Code, formOf(f.ID, f.Code)}
		}
	}
	for _, c := range styles.Cells {
		format, ok := known[c.Format]
		if !ok {
			format = numberFormat{id: c.Format, form: formOf(c.Format, "")}
		}
		b.formats = append(b.formats, format)
	}
	return nil
}

func (b *book) format(style int) numberFormat {
	if style < 0 || style >= len(b.formats) {
		return numberFormat{}
	}
	return b.formats[style]
}

// maxFormats is how many formats one answer shows; cells with others come plain.
const maxFormats = 100

// shower writes numbers as a sheet shows them. excelize has the formats' grammar
// and applies it to cells only, so there is a sheet of one cell for it.
type shower struct {
	scratch *excelize.File
	styles  map[numberFormat]int
}

func newShower() *shower {
	return &shower{excelize.NewFile(), map[numberFormat]int{}}
}

// show is the cell's text as the sheet shows it.
func (s *shower) show(b *book, c bookCell) (text string) {
	v := b.value(c)
	if c.kind == "b" && v != nil {
		return strings.ToUpper(strconv.FormatBool(v.(bool)))
	}
	plain := plainText(v)
	format := b.format(c.style)
	if c.kind != "" && c.kind != "n" || c.raw == "" || format.id == 0 && format.code == "" {
		return plain
	}
	defer func() {
		if recover() != nil { // a format that excelize's grammar does not bear
			text = plain
		}
	}()
	style, known := s.styles[format]
	if !known {
		if len(s.styles) == maxFormats {
			return plain
		}
		wanted := &excelize.Style{NumFmt: format.id}
		if format.code != "" {
			wanted = &excelize.Style{CustomNumFmt: &format.code}
		}
		made, err := s.scratch.NewStyle(wanted)
		if err != nil {
			return plain
		}
		s.styles[format], style = made, made
	}
	const sheet, at = "Sheet1", "A1"
	if s.scratch.SetCellDefault(sheet, at, c.raw) != nil || s.scratch.SetCellStyle(sheet, at, at, style) != nil {
		return plain
	}
	shown, err := s.scratch.GetCellValue(sheet, at)
	if err != nil {
		return plain
	}
	return shown
}

// plainText is a value without any format.
func plainText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', 15, 64)
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}
