package builtin

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// maxDigits bounds a number: the digits of its numerator and its denominator.
// maxBits is the same in bits.
const (
	maxDigits = 10_000
	maxBits   = 33_220 // maxDigits × log2(10)
)

var (
	errTooLarge       = fmt.Errorf("the result is too large: it would have more than %d digits", maxDigits)
	errFloatTooLarge  = errors.New("the number is too large to compute with inexactly")
	errNotReal        = errors.New("the result is not a real number")
	errDivisionByZero = errors.New("division by zero")
)

// number is exact where rat is set, and a float64 where it is nil. Numbers are
// not changed once made.
type number struct {
	rat   *big.Rat
	float float64
}

func exact(i *big.Int) number { return number{rat: new(big.Rat).SetInt(i)} }

// parseNumber reads a literal: digits with _ between them, a fraction, an
// exponent, or 0x, 0o, 0b and digits.
func parseNumber(text string) (number, error) {
	bad := fmt.Errorf("%q is not a number", text)
	if len(text) > 1 && text[0] == '0' && strings.ContainsRune("xXoObB", rune(text[1])) {
		i, ok := new(big.Int).SetString(text, 0)
		if !ok {
			return number{}, bad
		}
		return exact(i), nil
	}
	text = strings.ReplaceAll(text, "_", "")
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); ok {
		// big.Rat would compute the power first and fill the memory.
		if n, err := strconv.Atoi(exponent); err != nil || n > maxDigits || n < -maxDigits {
			return number{}, fmt.Errorf("the exponent of %s is not between -%d and %d", text, maxDigits, maxDigits)
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return number{}, bad
	}
	return number{rat: r}, nil
}

// check reports a number that is out of bounds.
func (x number) check() error {
	switch {
	case x.rat != nil && (x.rat.Num().BitLen() > maxBits || x.rat.Denom().BitLen() > maxBits):
		return errTooLarge
	case math.IsNaN(x.float):
		return errNotReal
	case math.IsInf(x.float, 0):
		return errFloatTooLarge
	}
	return nil
}

// float64 is the nearest float64, or an error where x is too large for one.
func (x number) float64() (float64, error) {
	if x.rat == nil {
		return x.float, nil
	}
	f, _ := x.rat.Float64()
	if math.IsInf(f, 0) {
		return 0, errFloatTooLarge
	}
	return f, nil
}

// fraction is the exact value of x, also where x came of float64 arithmetic.
func (x number) fraction() *big.Rat {
	if x.rat != nil {
		return x.rat
	}
	return new(big.Rat).SetFloat64(x.float)
}

func (x number) sign() int { return x.fraction().Sign() }

func (x number) neg() number {
	if x.rat != nil {
		return number{rat: new(big.Rat).Neg(x.rat)}
	}
	return number{float: -x.float}
}

// floor is always exact.
func (x number) floor() *big.Int {
	r := x.fraction()
	return new(big.Int).Div(r.Num(), r.Denom()) // Euclidean: rounds down, as a denominator is positive
}

// String writes a whole number and a short decimal fraction with all their
// digits, any other rational number with 16 significant digits, and a float64
// with as many as it takes to tell it from its neighbours.
func (x number) String() string {
	if x.rat == nil {
		if x.float == 0 {
			return "0" // not -0
		}
		return fmt.Sprint(x.float)
	}
	if x.rat.IsInt() {
		return x.rat.Num().String()
	}
	if n, ok := x.rat.FloatPrec(); ok && n <= 40 {
		return x.rat.FloatString(n)
	}
	return rounded(x.rat)
}

func rounded(r *big.Rat) string {
	const digits = 16
	f, _ := r.Float64()
	size := math.Abs(f)
	if size < 1e-6 || size >= 1e21 {
		return new(big.Float).SetPrec(128).SetRat(r).Text('g', digits)
	}
	decimals := digits - 1 - int(math.Floor(math.Log10(size)))
	text := r.FloatString(max(decimals, 1))
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
