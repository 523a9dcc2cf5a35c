package dataanalysis

import (
	"strconv"
	"strings"
)

// numberType says what type holds all of a number: INTEGER, REAL, or TEXT where
// it is none or where a number would lose something. Postcodes and phone numbers
// (007, +49 89, 555-1234) and identifiers with more digits than a number has are
// text, and so are codes such as 12E4, unless the file itself says that it is a
// number.
func numberType(s string, surely bool) string {
	digits := strings.TrimPrefix(s, "-")
	mantissa, exponent := digits, ""
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		mantissa, exponent = digits[:i], digits[i+1:]
		signed := strings.HasPrefix(exponent, "-") || strings.HasPrefix(exponent, "+")
		code := !surely && !signed && !strings.Contains(mantissa, ".")
		if code || !allDigits(strings.TrimLeft(exponent, "+-")) || len(exponent) > 5 {
			return "TEXT"
		}
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole == "" && point {
		whole = "0" // .5
	}
	if !allDigits(whole) || len(whole) > 1 && whole[0] == '0' || point && !allDigits(fraction) || len(s) > 400 {
		return "TEXT"
	}
	if !point && exponent == "" && s != "-0" {
		if _, err := strconv.ParseInt(s, 10, 64); err == nil {
			return "INTEGER"
		}
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !spells(x, s, point || exponent != "") {
		return "TEXT"
	}
	return "REAL"
}

// spells reports whether s is x, written with as few digits as tell it, or, where
// s is no integer, with more of them, as programs do that write 17 digits or 19:
// 0.10000000000000001.
func spells(x float64, s string, more bool) bool {
	digits := significant(s)
	if significant(strconv.FormatFloat(x, 'e', -1, 64)) == digits {
		return true
	}
	n := strings.IndexByte(digits, 'e')
	return more && n >= 16 && significant(strconv.FormatFloat(x, 'e', written(s)-1, 64)) == digits
}

// written is how many digits a number has from the first that is not 0.
func written(s string) int {
	mantissa := strings.TrimPrefix(s, "-")
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa = mantissa[:i]
	}
	return max(len(strings.TrimLeft(strings.Replace(mantissa, ".", "", 1), "0")), 1)
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
