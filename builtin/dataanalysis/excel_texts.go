package dataanalysis

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// texts are what the cells of a workbook share. They lie in one piece: a million
// of them take no more room than they have in the file.
type texts struct {
	all  strings.Builder
	ends []uint32 // of each in all
}

func (t *texts) at(i int) (text string, ok bool) {
	if i < 0 || i >= len(t.ends) {
		return "", false
	}
	start := uint32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.all.String()[start:t.ends[i]], true
}

// readTexts reads the texts that cells share.
func (b *book) readTexts(ctx context.Context) error {
	b.texts = texts{}
	if b.parts[strings.ToLower(b.textsPart)] == nil {
		return nil
	}
	r, err := b.open(b.textsPart, maxStringsPart)
	if err != nil {
		return err
	}
	defer r.Close()
	budget := &budgetReader{r: r, left: maxRow}
	d := xml.NewDecoder(budget)
	inText, phonetic := false, false
	for n := 1; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		token, err := d.RawToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errRowTooLong):
			return fmt.Errorf("holds a text of more than %s", size(maxRow))
		case err != nil:
			return errors.New("is a damaged workbook: its texts can't be read")
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "si":
				budget.left = maxRow
			case "t":
				inText = !phonetic
			case "rPh":
				phonetic = true
			}
		case xml.CharData:
			if inText {
				b.texts.all.Write(t)
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "si":
				if b.texts.all.Len() > math.MaxUint32 {
					return errors.New("holds too much text")
				}
				b.texts.ends = append(b.texts.ends, uint32(b.texts.all.Len()))
			case "t":
				inText = false
			case "rPh":
				phonetic = false
			}
		}
	}
}
