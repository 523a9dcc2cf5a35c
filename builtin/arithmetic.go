package builtin

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
)

var constants = map[string]float64{"pi": math.Pi, "π": math.Pi, "e": math.E}

var operators = map[string]func(x, y number) (number, error){
	"+": func(x, y number) (number, error) {
		return combine(x, y, (*big.Rat).Add, func(a, b float64) float64 { return a + b })
	},
	"-": func(x, y number) (number, error) {
		return combine(x, y, (*big.Rat).Sub, func(a, b float64) float64 { return a - b })
	},
	"*": func(x, y number) (number, error) {
		return combine(x, y, (*big.Rat).Mul, func(a, b float64) float64 { return a * b })
	},
	"/": func(x, y number) (number, error) {
		if y.sign() == 0 {
			return number{}, errDivisionByZero
		}
		return combine(x, y, (*big.Rat).Quo, func(a, b float64) float64 { return a / b })
	},
	"%":  modulo,
	"^":  pow,
	"**": pow,
}

// combine computes exactly if both numbers are exact.
func combine(x, y number, rational func(z, x, y *big.Rat) *big.Rat, float func(a, b float64) float64) (number, error) {
	if x.rat != nil && y.rat != nil {
		return number{rat: rational(new(big.Rat), x.rat, y.rat)}, nil
	}
	return approximate(float, x, y)
}

// approximate computes with float64.
func approximate(f func(a, b float64) float64, x, y number) (number, error) {
	a, err := x.float64()
	if err != nil {
		return number{}, err
	}
	b, err := y.float64()
	if err != nil {
		return number{}, err
	}
	return number{float: f(a, b)}, nil
}

// modulo has the sign of y, as in mathematics and in Python.
func modulo(x, y number) (number, error) {
	if y.sign() == 0 {
		return number{}, errDivisionByZero
	}
	return combine(x, y, func(z, x, y *big.Rat) *big.Rat {
		quotient := number{rat: z.Quo(x, y)}
		whole := new(big.Rat).SetInt(quotient.floor())
		return z.Sub(x, whole.Mul(whole, y))
	}, func(a, b float64) float64 {
		r := math.Mod(a, b)
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
		return r
	})
}

// pow is exact where the result is rational and not hard to find: for a whole y,
// and for a root that comes out even.
func pow(x, y number) (number, error) {
	if x.sign() == 0 && y.sign() < 0 {
		return number{}, errDivisionByZero
	}
	if x.rat != nil && y.rat != nil {
		if base, ok := root(x.rat, y.rat.Denom()); ok {
			power, err := wholePower(base, y.rat.Num())
			return number{rat: power}, err
		}
	}
	return approximate(math.Pow, x, y)
}

// wholePower returns x^n, or an error before it computes what would not fit.
func wholePower(x *big.Rat, n *big.Int) (*big.Rat, error) {
	bits := max(x.Num().BitLen(), x.Denom().BitLen())
	size := new(big.Int).Abs(n)
	// A number of b bits is at least 2^(b-1). Where b is 1 the base is -1, 0 or 1
	// and any power of it is small.
	if bits > 1 && (!size.IsInt64() || size.Int64() > int64(maxBits/(bits-1))) {
		return nil, errTooLarge
	}
	num, denom := new(big.Int).Exp(x.Num(), size, nil), new(big.Int).Exp(x.Denom(), size, nil)
	if n.Sign() < 0 {
		num, denom = denom, num
	}
	return new(big.Rat).SetFrac(num, denom), nil
}

// root returns the nth root of x if that is rational and not hard to find. It
// makes sqrt(16) and 64^(1/3) exact, which are not so in float64.
func root(x *big.Rat, n *big.Int) (*big.Rat, bool) {
	num, ok := wholeRoot(x.Num(), n)
	if !ok {
		return nil, false
	}
	denom, ok := wholeRoot(x.Denom(), n)
	if !ok {
		return nil, false
	}
	return new(big.Rat).SetFrac(num, denom), true
}

func wholeRoot(x, n *big.Int) (*big.Int, bool) {
	if n.IsInt64() && n.Int64() == 1 {
		return x, true
	}
	if x.Sign() < 0 || n.BitLen() > 10 {
		return nil, false
	}
	r := new(big.Int)
	if n.Int64() == 2 {
		r.Sqrt(x)
	} else {
		f, _ := new(big.Float).SetInt(x).Float64()
		if math.IsInf(f, 0) {
			return nil, false
		}
		new(big.Float).SetFloat64(math.Round(math.Pow(f, 1/float64(n.Int64())))).Int(r)
	}
	return r, new(big.Int).Exp(r, n, nil).Cmp(x) == 0
}

// function is what a name stands for in front of parentheses.
type function struct {
	min, max int // arguments
	apply    func(args []number) (number, error)
}

const anyNumber = maxExpression // of arguments: the expression has no room for more

var functions = map[string]function{
	"abs":   {1, 1, absolute},
	"ceil":  {1, 1, func(a []number) (number, error) { return exact(new(big.Int).Neg(a[0].neg().floor())), nil }},
	"cos":   inexact(math.Cos),
	"exp":   inexact(math.Exp),
	"floor": {1, 1, func(a []number) (number, error) { return exact(a[0].floor()), nil }},
	"ln":    {1, 1, func(a []number) (number, error) { return logarithm(a[0], nil) }},
	"log":   {1, 2, logBase},
	"log10": {1, 1, logBase},
	"log2": {1, 1, func(a []number) (number, error) {
		return logBase([]number{a[0], exact(big.NewInt(2))})
	}},
	"max":   {1, anyNumber, func(a []number) (number, error) { return slices.MaxFunc(a, compare), nil }},
	"min":   {1, anyNumber, func(a []number) (number, error) { return slices.MinFunc(a, compare), nil }},
	"pow":   {2, 2, func(a []number) (number, error) { return pow(a[0], a[1]) }},
	"round": {1, 2, round},
	"sin":   inexact(math.Sin),
	"sqrt":  {1, 1, func(a []number) (number, error) { return pow(a[0], number{rat: big.NewRat(1, 2)}) }},
	"tan":   inexact(math.Tan),
}

func inexact(f func(float64) float64) function {
	return function{1, 1, func(a []number) (number, error) {
		x, err := a[0].float64()
		return number{float: f(x)}, err
	}}
}

func (f function) arity() string {
	switch {
	case f.max == anyNumber:
		return "one or more numbers"
	case f.min != f.max:
		return fmt.Sprintf("%d or %d numbers", f.min, f.max)
	case f.min == 1:
		return "1 number"
	}
	return fmt.Sprintf("%d numbers", f.min)
}

func functionNames() string { return strings.Join(slices.Sorted(maps.Keys(functions)), ", ") }

func compare(x, y number) int { return x.fraction().Cmp(y.fraction()) }

func absolute(a []number) (number, error) {
	if a[0].sign() < 0 {
		return a[0].neg(), nil
	}
	return a[0], nil
}

// round rounds halves away from zero, as in school.
func round(a []number) (number, error) {
	scale := big.NewRat(1, 1)
	if len(a) == 2 {
		digits := a[1].fraction()
		if !digits.IsInt() || digits.Num().CmpAbs(big.NewInt(maxDigits)) > 0 {
			return number{}, fmt.Errorf("round takes a whole number of digits up to %d", maxDigits)
		}
		var err error
		if scale, err = wholePower(big.NewRat(10, 1), digits.Num()); err != nil {
			return number{}, err
		}
	}
	x := new(big.Rat).Mul(a[0].fraction(), scale)
	negative := x.Sign() < 0
	x.Abs(x).Add(x, big.NewRat(1, 2))
	x.SetInt(number{rat: x}.floor()).Quo(x, scale)
	if negative {
		x.Neg(x)
	}
	return number{rat: x}, nil
}

func logBase(a []number) (number, error) {
	base := exact(big.NewInt(10))
	if len(a) == 2 {
		base = a[1]
	}
	return logarithm(a[0], &base)
}

// logarithm returns the natural logarithm where base is nil. It is exact where
// x is a whole power of base, as float64 is not: log(1000) is 3.
func logarithm(x number, base *number) (number, error) {
	if x.sign() <= 0 {
		return number{}, fmt.Errorf("the logarithm of %s does not exist", brief(x))
	}
	if base == nil {
		return number{float: natural(x)}, nil
	}
	if base.sign() <= 0 || compare(*base, exact(big.NewInt(1))) == 0 {
		return number{}, fmt.Errorf("there is no logarithm to base %s", brief(*base))
	}
	quotient := natural(x) / natural(*base)
	if x.rat == nil || base.rat == nil || math.Abs(quotient) > maxBits {
		return number{float: quotient}, nil
	}
	whole := big.NewInt(int64(math.Round(quotient)))
	if power, err := wholePower(base.rat, whole); err == nil && power.Cmp(x.rat) == 0 {
		return exact(whole), nil
	}
	return number{float: quotient}, nil
}

// natural is ln x, also where x is beyond a float64.
func natural(x number) float64 {
	if f, err := x.float64(); err == nil && f > 1e-300 {
		return math.Log(f)
	}
	mantissa := new(big.Float)
	exponent := new(big.Float).SetRat(x.fraction()).MantExp(mantissa)
	f, _ := mantissa.Float64()
	return math.Log(f) + float64(exponent)*math.Ln2
}

// brief keeps a number of a thousand digits out of an error.
func brief(x number) string {
	if text := x.String(); len(text) <= 24 {
		return text
	}
	return "a number so large or small"
}
