package dataanalysis

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// jsonlFile reads JSON Lines: an object a line. Its columns are the keys of all
// lines, in the order in which they come up. An object or array in a value stays
// JSON, for SQLite's JSON functions; true and false are 1 and 0.
type jsonlFile struct {
	name string
	r    *io.SectionReader
	keys []string       // found by a first pass
	at   map[string]int // key -> place
}

func (f *jsonlFile) scan(ctx context.Context, header func([]string) error, row func([]cell) error) error {
	if f.at == nil {
		if err := f.findKeys(ctx); err != nil {
			return err
		}
	}
	if err := header(f.keys); err != nil {
		return err
	}
	cells := make([]cell, len(f.keys))
	return f.lines(ctx, func(object []pair) error {
		clear(cells)
		for _, p := range object {
			cells[f.at[p.key]] = jsonCell(p.value)
		}
		return row(cells)
	})
}

func (f *jsonlFile) findKeys(ctx context.Context) error {
	at := map[string]int{}
	err := f.lines(ctx, func(object []pair) error {
		for _, p := range object {
			if _, known := at[p.key]; !known {
				at[p.key] = len(f.keys)
				f.keys = append(f.keys, p.key)
			}
		}
		return tooManyColumns(len(f.keys))
	})
	if err != nil {
		return err
	}
	if len(f.keys) == 0 {
		return fmt.Errorf("%s is empty: it has to hold a JSON object a line", f.name)
	}
	f.at = at
	return nil
}

type pair struct {
	key   string
	value json.RawMessage
}

func (f *jsonlFile) lines(ctx context.Context, each func([]pair) error) error {
	f.r.Seek(0, io.SeekStart)
	lines := bufio.NewScanner(transform.NewReader(f.r, unicode.BOMOverride(encoding.Nop.NewDecoder())))
	lines.Buffer(nil, maxRow)
	n := 0
	for lines.Scan() {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		object, err := readObject(line)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the object has no end: write it in one line")
		}
		if err == nil {
			err = each(object)
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", f.name, n, err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("%s, line %d: a line of more than %d MiB: JSON Lines has one object a line", f.name, n+1, maxRow>>20)
	} else if err != nil {
		return err
	}
	return nil
}

// readObject reads the keys of an object in their order.
func readObject(line []byte) ([]pair, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	open, err := d.Token()
	if err != nil || open != json.Delim('{') {
		return nil, errors.New("no JSON object: write one a line, such as {\"id\": 1}")
	}
	var object []pair
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		p := pair{key: key.(string)}
		if err := d.Decode(&p.value); err != nil {
			return nil, err
		}
		object = append(object, p)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the object: write one a line")
	}
	return object, nil
}

func jsonCell(raw json.RawMessage) cell {
	switch raw[0] {
	case 'n':
		return cell{}
	case 't':
		return cell{"1", cellNumber}
	case 'f':
		return cell{"0", cellNumber}
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return cell{s, cellText}
		}
	case '{', '[':
		var compact bytes.Buffer
		if json.Compact(&compact, raw) == nil {
			return cell{compact.String(), cellText}
		}
	}
	return cell{string(raw), cellNumber}
}
