package dataanalysis

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// area is a part of a sheet, its borders included, counted from 1.
type area struct{ row0, column0, row1, column1 int }

var wholeSheet = area{1, 1, lastRow, lastColumn}

// parseRange reads A1:D20, B2, A:C, 3:10, in any letter case, with dollar signs
// or without. Nothing is the whole sheet.
func parseRange(text string) (area, error) {
	trimmed := strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(text), "$", ""))
	if trimmed == "" {
		return wholeSheet, nil
	}
	from, to, two := strings.Cut(trimmed, ":")
	if !two {
		to = from
	}
	column0, row0, ok0 := parsePlace(from)
	column1, row1, ok1 := parsePlace(to)
	if !ok0 || !ok1 || (column0 == 0) != (column1 == 0) || (row0 == 0) != (row1 == 0) || !two && (column0 == 0 || row0 == 0) {
		return area{}, invalid("range %.50q is none: write it as A1:D20, A:C, 3:10 or B2, at most XFD1048576", text)
	}
	if column0 == 0 {
		column0, column1 = 1, lastColumn
	}
	if row0 == 0 {
		row0, row1 = 1, lastRow
	}
	return area{min(row0, row1), min(column0, column1), max(row0, row1), max(column0, column1)}, nil
}

// parseCell reads the name of one cell.
func parseCell(name string) (column, row int, ok bool) {
	column, row, ok = parsePlace(name)
	return column, row, ok && column > 0 && row > 0
}

// parsePlace reads letters, digits, or letters and digits. What is not there is 0.
func parsePlace(text string) (column, row int, ok bool) {
	i := 0
	for i < len(text) && text[i] >= 'A' && text[i] <= 'Z' {
		column = column*26 + int(text[i]-'A') + 1
		if column > lastColumn {
			return 0, 0, false
		}
		i++
	}
	digits := text[i:]
	if digits == "" {
		return column, 0, column > 0
	}
	if digits[0] < '1' || digits[0] > '9' || len(digits) > 7 {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || n > lastRow {
		return 0, 0, false
	}
	return column, int(n), true
}

// columnName is the letters of a column.
func columnName(n int) string {
	var name []byte
	for ; n > 0; n = (n - 1) / 26 {
		name = append([]byte{byte('A' + (n-1)%26)}, name...)
	}
	return string(name)
}

func cellName(column, row int) string { return columnName(column) + strconv.Itoa(row) }

func (a area) String() string {
	return fmt.Sprintf("%s:%s", cellName(a.column0, a.row0), cellName(a.column1, a.row1))
}

func (a area) hasColumn(n int) bool { return n >= a.column0 && n <= a.column1 }

// grow makes a just hold another cell; start with nothing.
func (a area) grow(row, column int) area {
	return area{min(a.row0, row), min(a.column0, column), max(a.row1, row), max(a.column1, column)}
}

var nothing = area{math.MaxInt, math.MaxInt, 0, 0}
