package dataanalysis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// parquetFile reads Parquet. A field of a group is a column group_field; a list
// is a JSON array. Dates and times are ISO 8601 text, decimals are exact.
type parquetFile struct {
	name  string
	r     *io.SectionReader
	limit int64 // bytes of one column, unpacked
}

func (f *parquetFile) scan(ctx context.Context, header func([]string) error, row func([]cell) error) error {
	file, err := parquet.OpenFile(f.r, f.r.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("%s is no Parquet file, or it is damaged: %w", f.name, err)
	}
	schema := file.Schema()
	var names []string
	var leaves []parquet.LeafColumn
	for _, path := range schema.Columns() {
		leaf, ok := schema.Lookup(path...)
		if !ok {
			return fmt.Errorf("%s: its schema is damaged at %s", f.name, strings.Join(path, "."))
		}
		names, leaves = append(names, leafName(path, leaf)), append(leaves, leaf)
	}
	if err := header(names); err != nil {
		return err
	}
	if err := f.checkPages(ctx, file); err != nil {
		return err
	}
	number := 0
	for _, group := range file.RowGroups() {
		if err := eachRow(ctx, group, func(r parquet.Row) error {
			number++
			return row(rowCells(r, leaves))
		}); err != nil {
			return fmt.Errorf("%s, row %d: %w", f.name, number+1, err)
		}
	}
	return nil
}

func eachRow(ctx context.Context, group parquet.RowGroup, each func(parquet.Row) error) error {
	rows := group.Rows()
	defer rows.Close()
	batch := make([]parquet.Row, 64)
	for {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n, err := rows.ReadRows(batch)
		for _, r := range batch[:n] {
			if err := each(r); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrNoProgress
		}
	}
}

// leafName leaves out the two levels that a list has only for the format's sake.
func leafName(path []string, leaf parquet.LeafColumn) string {
	if n := len(path); leaf.MaxRepetitionLevel == 1 && n >= 3 && path[n-2] == "list" && (path[n-1] == "element" || path[n-1] == "item") {
		path = path[:n-2]
	}
	return strings.Join(path, "_")
}

func rowCells(r parquet.Row, leaves []parquet.LeafColumn) []cell {
	cells := make([]cell, len(leaves))
	r.Range(func(i int, values []parquet.Value) bool {
		if i >= len(leaves) {
			return false
		}
		leaf := leaves[i]
		if leaf.MaxRepetitionLevel == 0 {
			if len(values) > 0 {
				cells[i] = parquetCell(values[0], leaf.Node.Type())
			}
			return true
		}
		items := []json.RawMessage{}
		for _, v := range values {
			if !v.IsNull() || v.DefinitionLevel() == leaf.MaxDefinitionLevel-1 && len(values) > 1 {
				items = append(items, parquetJSON(parquetCell(v, leaf.Node.Type())))
			}
		}
		if list, err := json.Marshal(items); err == nil {
			cells[i] = cell{string(list), cellText}
		}
		return true
	})
	return cells
}

func parquetJSON(c cell) json.RawMessage {
	switch {
	case c.kind == cellNull:
		return json.RawMessage("null")
	case c.kind == cellNumber && json.Valid([]byte(c.text)):
		return json.RawMessage(c.text)
	}
	text, _ := json.Marshal(c.text)
	return text
}

func parquetCell(v parquet.Value, t parquet.Type) cell {
	if v.IsNull() {
		return cell{}
	}
	if logical := t.LogicalType(); logical != nil {
		if c, ok := logicalCell(v, logical); ok {
			return c
		}
	}
	switch v.Kind() {
	case parquet.Boolean:
		if v.Boolean() {
			return cell{"1", cellNumber}
		}
		return cell{"0", cellNumber}
	case parquet.Int32:
		return cell{strconv.FormatInt(int64(v.Int32()), 10), cellNumber}
	case parquet.Int64:
		return cell{strconv.FormatInt(v.Int64(), 10), cellNumber}
	case parquet.Int96: // the old timestamp: nanoseconds of the day, and the Julian day
		i := v.Int96()
		nanos := int64(uint64(i[1])<<32 | uint64(i[0]))
		t := time.Unix((int64(i[2])-2440588)*86400, nanos).UTC()
		return cell{isoTime(t), cellText}
	case parquet.Float:
		return realCell(float64(v.Float()), 32)
	case parquet.Double:
		return realCell(v.Double(), 64)
	}
	return cell{strings.ToValidUTF8(string(v.ByteArray()), "\uFFFD"), cellText}
}

// realCell gives what is no number, such as NaN, as NULL: SQLite has none.
func realCell(x float64, bits int) cell {
	if x != x || x-x != 0 {
		return cell{}
	}
	s := strconv.FormatFloat(x, 'f', -1, bits)
	if len(s) > 25 {
		s = strconv.FormatFloat(x, 'e', -1, bits)
	}
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return cell{s, cellNumber}
}

func logicalCell(v parquet.Value, logical *format.LogicalType) (cell, bool) {
	switch l := logical.Value.(type) {
	case *format.DateType:
		return cell{time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly), cellText}, v.Kind() == parquet.Int32
	case *format.TimestampType:
		if l.Unit.Value == nil || v.Kind() != parquet.Int64 {
			return cell{}, false
		}
		unit, n := l.Unit.Value.Duration(), v.Int64()
		perSecond := int64(time.Second / unit)
		return cell{isoTime(time.Unix(n/perSecond, n%perSecond*int64(unit)).UTC()), cellText}, true
	case *format.TimeType:
		if l.Unit.Value == nil {
			return cell{}, false
		}
		n := int64(0)
		switch v.Kind() {
		case parquet.Int32:
			n = int64(v.Int32())
		case parquet.Int64:
			n = v.Int64()
		default:
			return cell{}, false
		}
		return cell{time.Unix(0, 0).UTC().Add(time.Duration(n) * l.Unit.Value.Duration()).Format("15:04:05.999999999"), cellText}, true
	case *format.DecimalType:
		unscaled, ok := decimalOf(v)
		if !ok || l.Scale < 0 || l.Scale > 100 {
			return cell{}, false
		}
		return cell{scaled(unscaled, int(l.Scale)), cellNumber}, true
	case *format.IntType:
		if l.IsSigned {
			return cell{}, false
		}
		switch v.Kind() {
		case parquet.Int32:
			return cell{strconv.FormatUint(uint64(v.Uint32()), 10), cellNumber}, true
		case parquet.Int64:
			return cell{strconv.FormatUint(v.Uint64(), 10), cellNumber}, true
		}
	case *format.UUIDType:
		if b := v.ByteArray(); v.Kind() == parquet.FixedLenByteArray && len(b) == 16 {
			return cell{fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), cellText}, true
		}
	}
	return cell{}, false
}

func isoTime(t time.Time) string { return t.Format("2006-01-02 15:04:05.999999999") }

func decimalOf(v parquet.Value) (*big.Int, bool) {
	switch v.Kind() {
	case parquet.Int32:
		return big.NewInt(int64(v.Int32())), true
	case parquet.Int64:
		return big.NewInt(v.Int64()), true
	case parquet.ByteArray, parquet.FixedLenByteArray: // two's complement, the high byte first
		b := v.ByteArray()
		n := new(big.Int).SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		return n, len(b) <= 64
	}
	return new(big.Int), false
}

// scaled writes n / 10^scale in full.
func scaled(n *big.Int, scale int) string {
	if scale <= 0 {
		return n.String()
	}
	digits := new(big.Int).Abs(n).String()
	if missing := scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	s := digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	if n.Sign() < 0 {
		s = "-" + s
	}
	return s
}
