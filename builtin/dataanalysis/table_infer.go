package dataanalysis

import (
	"fmt"
	"strconv"
	"strings"

	"helve/internal/excerpt"
)

// cell is one value of a file on its way into a table: its text and what the
// file says it is.
type cell struct {
	text string
	kind cellKind
}

type cellKind uint8

const (
	cellNull   cellKind = iota
	cellText            // text, whatever it looks like
	cellNumber          // a number
	cellAny             // what it looks like: CSV has no types
	cellComma           // the same, where a comma may be a decimal point
)

// column is what the values of one column have in common.
type column struct {
	name  string
	typ   string // INTEGER, REAL or TEXT; "" until a value is seen
	comma bool   // one has a decimal comma
	point bool   // one has a decimal point

	long      place // an integer that a REAL would round
	thousands place // a value such as 1.000, of which none says what its point is
	decimal   bool  // one says that it is a decimal point
	because   place // what made the column TEXT
	numbers   int   // values that are numbers
	others    int
}

// place is a value and its row. The first below the header is row 1; 0 is none.
type place struct {
	text string
	row  int
}

// see takes one more value into account.
func (c *column) see(v cell, row int) {
	number := strings.TrimSpace(v.text)
	if v.kind == cellNull || number == "" && v.kind != cellText {
		return
	}
	typ := "TEXT"
	if v.kind != cellText {
		typ = c.read(v, &number, row)
	}
	if typ == "TEXT" {
		c.others++
	} else {
		c.numbers++
	}
	switch {
	case c.typ == "TEXT":
	case typ == "TEXT", c.comma && c.point:
		c.text(v.text, row)
	case c.typ == "" || typ == "REAL":
		c.typ = typ
	}
	if c.typ == "REAL" && c.long.row > 0 {
		c.text(c.long.text, c.long.row)
	}
}

// read returns the type of what a file does not call text, and what it says of
// the whole column.
func (c *column) read(v cell, number *string, row int) (typ string) {
	comma := v.kind == cellComma && strings.Contains(*number, ",")
	point := !comma && strings.Contains(*number, ".")
	if comma {
		*number = strings.Replace(*number, ",", ".", 1)
	}
	if typ = numberType(*number, v.kind == cellNumber); typ == "TEXT" {
		return typ
	}
	c.comma, c.point = c.comma || comma, c.point || point
	switch {
	case typ == "INTEGER" && rounds(*number) && c.long.row == 0:
		c.long = place{v.text, row}
	case v.kind == cellComma && (comma || point) && !mayBeThousands(*number):
		c.decimal = true
	case v.kind == cellComma && (comma || point) && c.thousands.row == 0:
		c.thousands = place{v.text, row}
	}
	return typ
}

// text makes the column TEXT.
func (c *column) text(because string, row int) {
	c.typ, c.because = "TEXT", place{because, row}
}

// settle is for after the last value. It says what a model must know of how the
// column was read, or nothing.
func (c *column) settle() (note string) {
	switch {
	case c.typ == "":
		c.typ = "TEXT"
	case c.typ == "REAL" && c.thousands.row > 0 && !c.decimal:
		c.text(c.thousands.text, c.thousands.row)
		mark := "."
		if c.comma {
			mark = ","
		}
		name := plain(c.name)
		return fmt.Sprintf("%s is TEXT because %s in row %d may be thousands or decimals: as thousands it is CAST(replace(%[1]s, '%[4]s', '') AS INTEGER), as decimals CAST(replace(%[1]s, ',', '.') AS REAL)",
			name, c.thousands.text, c.thousands.row, mark)
	case c.typ == "TEXT" && c.numbers > c.others:
		return fmt.Sprintf("%s is TEXT because of %q in row %d, though most values are numbers: CAST(%[1]s AS REAL) compares them as such", plain(c.name), excerpt.Of(c.because.text, 60), c.because.row)
	}
	return ""
}

// value is v as the column holds it. No number loses a digit that says
// something, and text is as it was read. What is blank among numbers is NULL.
func (c *column) value(v cell) any {
	if v.kind == cellNull {
		return nil
	}
	if c.typ == "TEXT" {
		return v.text
	}
	number := strings.TrimSpace(v.text)
	if number == "" {
		return nil
	}
	if c.typ == "INTEGER" {
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			return n
		}
	}
	if c.comma {
		number = strings.Replace(number, ",", ".", 1)
	}
	if x, err := strconv.ParseFloat(number, 64); err == nil {
		return x
	}
	return v.text
}

// rounds reports whether an integer is another number as a REAL.
func rounds(integer string) bool {
	n, err := strconv.ParseInt(integer, 10, 64)
	const exact = 1 << 53
	return err == nil && (n > exact || n < -exact)
}

// mayBeThousands reports whether the point of a number may as well part its
// thousands: 1.000, but not 0.500, 1.00 or 1000.000.
func mayBeThousands(number string) bool {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(number, "-"), ".")
	return len(fraction) == 3 && allDigits(fraction) && len(whole) >= 1 && len(whole) <= 3 && whole[0] != '0'
}
