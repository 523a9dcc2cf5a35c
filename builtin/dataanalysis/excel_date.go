package dataanalysis

import (
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// dateForm is what a number in a format is. Excel keeps dates as numbers, and
// only the format tells.
type dateForm uint8

const (
	notDate dateForm = iota
	dateOnly
	dateAndTime
	timeOnly
)

// formOf tells the form of a format: one of Excel's own by its ID (ECMA-376, part
// 1, 18.8.30), any other by its code.
func formOf(id int, code string) dateForm {
	switch {
	case code != "":
		return formOfCode(code)
	case id == 22:
		return dateAndTime
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return dateOnly
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id >= 45 && id <= 47, id == 55, id == 56:
		return timeOnly
	}
	return notDate
}

// aside is what stands in a code without being one: in quotes, in brackets, and
// behind a backslash.
var aside = regexp.MustCompile(`"[^"]*"|\\.|\[[^\]]*\]|_.|\*.`)

// formOfCode reads the letters of a code's first section, which says what it is.
func formOfCode(code string) dateForm {
	code = aside.ReplaceAllStringFunc(strings.ToLower(code), func(s string) string {
		if s[0] == '[' && strings.Trim(s, "[hms]") == "" {
			return "h" // [h] counts hours
		}
		return ""
	})
	code, _, _ = strings.Cut(code, ";")
	day, clock := strings.ContainsAny(code, "yd"), strings.ContainsAny(code, "hs")
	switch {
	case day && clock:
		return dateAndTime
	case clock:
		return timeOnly
	case day, strings.Contains(code, "m") && !strings.ContainsAny(code, "0#?"):
		return dateOnly
	}
	return notDate
}

// date is a serial number as an ISO date, date and time, or time of day.
func (b *book) date(n float64, form dateForm) (string, bool) {
	when, err := excelize.ExcelDateToTime(n, b.date1904)
	if err != nil || when.Year() > 9999 {
		return "", false
	}
	when = when.Round(time.Second)
	switch {
	case form == timeOnly && n < 1:
		return when.Format(time.TimeOnly), true
	case form == dateOnly && n == math.Trunc(n):
		return when.Format(time.DateOnly), true
	}
	return when.Format(time.DateTime), true
}
