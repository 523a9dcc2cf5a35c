package dataanalysis

import (
	"strconv"
	"strings"
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
}

// see takes one more value into account.
func (c *column) see(v cell) {
	if v.kind == cellNull {
		return
	}
	if c.typ == "TEXT" {
		return
	}
	if v.kind == cellText {
		c.typ = "TEXT"
		return
	}
	number := strings.TrimSpace(v.text)
	if v.kind == cellComma && strings.Contains(number, ",") {
		c.comma = true
		number = strings.Replace(number, ",", ".", 1)
	} else if strings.Contains(number, ".") {
		c.point = true
	}
	switch typ := numberType(number); {
	case typ == "TEXT", c.comma && c.point:
		c.typ = "TEXT"
	case c.typ == "" || typ == "REAL":
		c.typ = typ
	}
}

// value is v as the column holds it. No value loses anything: a number has the
// text's digits (but for zeros that say nothing), and text is as it was.
func (c *column) value(v cell) any {
	if v.kind == cellNull {
		return nil
	}
	number := strings.TrimSpace(v.text)
	switch c.typ {
	case "INTEGER":
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			return n
		}
	case "REAL":
		if c.comma {
			number = strings.Replace(number, ",", ".", 1)
		}
		if x, err := strconv.ParseFloat(number, 64); err == nil {
			return x
		}
	}
	return v.text
}

// numberType says what type holds all of a number: INTEGER, REAL, or TEXT where
// it is none or where a number would lose something. Postcodes and phone numbers
// (007, +49 89, 555-1234), identifiers with more digits than a number has, and
// codes such as 12E4 are text.
func numberType(s string) string {
	digits := strings.TrimPrefix(s, "-")
	mantissa, exponent := digits, ""
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		mantissa, exponent = digits[:i], digits[i+1:]
		signed := strings.HasPrefix(exponent, "-") || strings.HasPrefix(exponent, "+")
		if !signed && !strings.Contains(mantissa, ".") || !allDigits(strings.TrimLeft(exponent, "+-")) || len(exponent) > 5 {
			return "TEXT"
		}
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if !allDigits(whole) || len(whole) > 1 && whole[0] == '0' || point && !allDigits(fraction) || len(s) > 400 {
		return "TEXT"
	}
	if !point && exponent == "" && s != "-0" {
		if _, err := strconv.ParseInt(s, 10, 64); err == nil {
			return "INTEGER"
		}
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || significant(strconv.FormatFloat(x, 'e', -1, 64)) != significant(s) {
		return "TEXT"
	}
	return "REAL"
}

// significant is a number's digits without those that say nothing, and its
// magnitude: the same for two texts of one number.
func significant(s string) string {
	mantissa, exponent := strings.TrimPrefix(s, "-"), 0
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		exponent, _ = strconv.Atoi(mantissa[i+1:])
		mantissa = mantissa[:i]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return "0"
	}
	return short + "e" + strconv.Itoa(exponent+len(digits)-len(short))
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
