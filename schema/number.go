package schema

import (
	"math"
	"strconv"
	"strings"
)

// decimal takes a JSON number apart: its significant digits without leading
// or trailing zeros, and the power of ten they are multiplied by. ok is false
// when the number written out in full would have more than maxDigits digits:
// such numbers are refused before any arbitrary-precision library sees them.
func decimal(lit string) (digits string, exp int, negative, ok bool) {
	if lit[0] == '-' {
		negative, lit = true, lit[1:]
	}
	if i := strings.IndexAny(lit, "eE"); i >= 0 {
		e, err := strconv.Atoi(lit[i+1:])
		if err != nil || e > maxDigits || e < -maxDigits {
			return "", 0, false, false
		}
		lit, exp = lit[:i], e
	}
	whole, fraction, _ := strings.Cut(lit, ".")
	if len(whole)+len(fraction) > maxDigits {
		return "", 0, false, false
	}
	exp -= len(fraction)
	digits = strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(digits, "0")
	exp += len(digits) - len(trimmed)
	return trimmed, exp, negative, true
}

// wholeNumber rewrites a number whose value is an integer without fraction
// and exponent: 5.0 and 50e-1 are 5. It reports false for other numbers, and
// for those too long to write out.
func wholeNumber(lit string) (string, bool) {
	digits, exp, negative, ok := decimal(lit)
	switch {
	case !ok || exp < 0 && digits != "":
		return "", false
	case digits == "":
		return "0", true
	case negative:
		digits = "-" + digits
	}
	return digits + strings.Repeat("0", exp), true
}

// tooLong reports a number that the validator must not see.
func tooLong(lit string) bool {
	_, _, _, ok := decimal(lit)
	return !ok
}

// bound is a limit on a number.
type bound struct {
	upper, exclusive bool
	whole            bool // exact is the limit
	exact            int64
	approx           float64
}

// newBound reads one of the four limits. It reports false for what is no
// number: in draft 4 an exclusive limit is a boolean.
func newBound(key string, v *value) (bound, bool) {
	f, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil || v.kind&typeNumber == 0 {
		return bound{}, false
	}
	b := bound{approx: f, upper: strings.HasSuffix(key, "aximum"), exclusive: strings.HasPrefix(key, "exclusive")}
	if n, err := strconv.ParseInt(string(v.raw), 10, 64); err == nil {
		b.whole, b.exact = true, n
	}
	return b, true
}

// keepsInt reports that n is certainly inside the bound.
func (b bound) keepsInt(n int64) bool {
	if !b.whole {
		return b.keepsFloat(float64(n))
	}
	switch {
	case n == b.exact:
		return !b.exclusive
	case b.upper:
		return n < b.exact
	}
	return n > b.exact
}

// keepsFloat reports that a number which rounds to f is certainly inside the
// bound. Rounding keeps order, so a strict difference of the rounded numbers
// is a strict difference of the numbers themselves; equality says nothing.
func (b bound) keepsFloat(f float64) bool {
	if math.IsInf(f, 0) {
		return false
	}
	if b.upper {
		return f < b.approx
	}
	return f > b.approx
}
