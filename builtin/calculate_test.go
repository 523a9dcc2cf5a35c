package builtin

import (
	"context"
	"math/big"
	"strings"
	"testing"
	"time"

	"helve/tool"
)

func TestCalculate(t *testing.T) {
	t.Parallel()
	tests := []struct{ expression, want string }{
		{"17 * 23", "391"},
		{"2^10", "1024"},
		{"2**10", "1024"},
		{"10/4", "2.5"},
		{"7/7", "1"},
		{"0.1+0.2", "0.3"},
		{"1/3", "0.3333333333333333"},
		{"2/3", "0.6666666666666667"},
		{"-100/3", "-33.33333333333333"},
		{"10^20/3", "33333333333333333333.3"},
		{"1/3/10^30", "3.333333333333333e-31"},
		{"10^40/3", "3.333333333333333e+39"},
		{"2^200", "1606938044258990275541962092341162602522202993782792835301376"},
		{"99999999999999999999 + 1", "100000000000000000000"},
		{"123456789012345678901234567890 * 987654321098765432109876543210", "121932631137021795226185032733622923332237463801111263526900"},
		{"2^-2", "0.25"},
		{"-2^2", "-4"},
		{"(-2)^2", "4"},
		{"2^3^2", "512"},
		{"2 + 3 * 4", "14"},
		{"(2 + 3) * 4", "20"},
		{"1 - -1", "2"},
		{"10 % 3", "1"},
		{"-7 % 3", "2"},
		{"7 % -3", "-2"},
		{"5.5 % 2", "1.5"},
		{"1e3", "1000"},
		{"1.5e-3", "0.0015"},
		{".5 + 1.", "1.5"},
		{"007", "7"},
		{"1_000_000", "1000000"},
		{"0xff + 0b11", "258"},
		{"6 × 7 ÷ 2 − 1", "20"},
		{"１７＊２３", "391"},
		{"（２＋３）＊４", "20"},
		{"1　+　1", "2"},
		{"sqrt(16)", "4"},
		{"sqrt(2)", "1.4142135623730951"},
		{"sqrt(1/4)", "0.5"},
		{"sqrt(10^60)", "1" + strings.Repeat("0", 30)},
		{"64^(1/3)", "4"},
		{"8^(2/3)", "4"},
		{"4^-2.5", "0.03125"},
		{"2^3.14159", "8.824961595059897"},
		{"2^0.5000000001", "1.414213562471121"},
		{"abs(-3.5)", "3.5"},
		{"abs(-pi)", "3.141592653589793"},
		{"min(3, 1, 2)", "1"},
		{"max(3, pi)", "3.141592653589793"},
		{"round(2.5)", "3"},
		{"round(-2.5)", "-3"},
		{"round(2.675, 2)", "2.68"},
		{"round(1234, -2)", "1200"},
		{"round(pi, 4)", "3.1416"},
		{"floor(-1.5)", "-2"},
		{"ceil(-1.5)", "-1"},
		{"ceil(1.2)", "2"},
		{"pow(2, 0.5)", "1.4142135623730951"},
		{"log(1000)", "3"},
		{"log10(0.001)", "-3"},
		{"log(8, 2)", "3"},
		{"log(10^4000)", "4000"},
		{"log2(1024)", "10"},
		{"ln(e)", "1"},
		{"exp(0)", "1"},
		{"sin(0)", "0"},
		{"cos(0)", "1"},
		{"tan(0)", "0"},
		{"2 * pi", "6.283185307179586"},
		{"2 * π", "6.283185307179586"},
		{"0 * -pi", "0"},
		{"1^(10^30)", "1"},
		{"0^0", "1"},
		{"0^0.5", "0"},
		{"7.5 % pi", "1.2168146928204138"},
	}
	for _, test := range tests {
		t.Run(test.expression, func(t *testing.T) {
			t.Parallel()
			got, err := calculate(t.Context(), test.expression)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestCalculateErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ expression, want string }{
		{"", "ends too early"},
		{"1 +", "column 4: the expression ends too early"},
		{"(1", "ends too early"},
		{"1/0", "column 2: division by zero"},
		{"1 % (2 - 2)", "column 3: division by zero"},
		{"0^-1", "column 2: division by zero"},
		{"1 + 2 3", `column 7: unexpected "3"`},
		{"1 + * 2", `column 5: unexpected "*"`},
		{"1)", `column 2: unexpected ")"`},
		{"1,234 + 1", "column 2: unexpected comma: write numbers without thousands separators"},
		{"7 // 2", "column 3: // and /* are no operators"},
		{"7 /* 2", "column 3: "},
		{"2pi", `column 2: bad number syntax: "2p"`},
		{"x + 1", `column 1: unknown name "x"`},
		{"1 < 2", `column 3: "<" is not an operator here`},
		{"not 1", `column 1: "not" is not an operator here`},
		{"1 ? 2 : 3", "only numbers"},
		{`"a" + 1`, "column 1: only numbers"},
		{"[1, 2]", "only numbers"},
		{"1; 2", "only numbers"},
		{"let a = 1; a", "only numbers"},
		{"env.HOME", "only numbers"},
		{"len(1)", `column 1: unknown function "len": known are abs`},
		{"system(1)", `unknown function "system"`},
		{"sqrt()", "column 1: sqrt takes 1 number, not 0"},
		{"sqrt(1,234)", "sqrt takes 1 number, not 2"},
		{"round(1, 2, 3)", "round takes 1 or 2 numbers, not 3"},
		{"round(1, 0.5)", "whole number of digits"},
		{"max()", "one or more numbers"},
		{"sqrt(-1)", "column 1: the result is not a real number"},
		{"(-8)^(1/3)", "not a real number"},
		{"ln(0)", "the logarithm of 0 does not exist"},
		{"log(2, 1)", "there is no logarithm to base 1"},
		{"exp(1000)", "too large to compute with inexactly"},
		{"10^400 / (10^399 * pi)", "column 18: the number is too large to compute with inexactly"},
		{"sin(10^400)", "too large to compute with inexactly"},
		{"9^9^9^9", "column 4: the result is too large"},
		{"2^(10^30)", "too large"},
		{"0.5^(10^30)", "too large"},
		{"1e99999", "exponent"},
		{"1e999999999999999999999", "exponent"},
		{"1e", "column 1: "},
		{"0x", "column 1: "},
		{strings.Repeat("9", 4000) + "^3", "too large"},
		{strings.Repeat("1+", 4000) + "1", "longer than 4096 characters"},
	}
	for _, test := range tests {
		t.Run(test.expression[:min(len(test.expression), 30)], func(t *testing.T) {
			t.Parallel()
			got, err := calculate(t.Context(), test.expression)
			if err == nil {
				t.Fatalf("got %s, want an error that holds %q", got, test.want)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %q, want one that holds %q", err, test.want)
			}
		})
	}
}

func TestCalculateStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := calculate(ctx, "1 + 1"); err != context.Canceled {
		t.Errorf("got error %v, want context.Canceled", err)
	}
}

func TestCalculateDeepNesting(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("(", 2000) + "1" + strings.Repeat(")", 2000)
	got, err := calculate(t.Context(), deep)
	if err != nil || got.String() != "1" {
		t.Errorf("got %v, %v, want 1", got, err)
	}
}

func FuzzCalculate(f *testing.F) {
	for _, seed := range []string{
		"17 * 23", "9^9^9^9", "((((", "1e9999", "max(1,2,3)%0.7", "2^-0.5", "１÷３", "log(8,2)", "not in let a = ; #", "a?.b[1:2]|map({#})", "0x_", "1..2", "if 1 {2} else {3}", "round(1/3, 5000)^2",
		"1//2", "'\\u{110000}'", "all([1], #)", "1__0.e-5", "-(-(-(1)))", "x ?? 1", "b'\\x00'", "((2^30000)/3)%(1/7)",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		got, err := calculate(ctx, text)
		if ctx.Err() != nil {
			t.Fatalf("took longer than 5 s")
		}
		if err != nil {
			if len(err.Error()) > 40_000 {
				t.Fatalf("error of %d bytes", len(err.Error()))
			}
			return
		}
		printed := got.String()
		if len(printed) > maxDigits+10 {
			t.Fatalf("result of %d characters", len(printed))
		}
		// What was printed is a number, and the calculator reads it back as one
		// that prints the same.
		if _, ok := new(big.Rat).SetString(printed); !ok {
			t.Fatalf("%q printed as %q, which is no number", text, printed)
		}
		if len(printed) > maxExpression {
			return
		}
		again, err := calculate(ctx, printed)
		if err != nil {
			t.Fatalf("%q printed as %q: %v", text, printed, err)
		}
		if got.rat != nil && got.rat.IsInt() && again.String() != printed {
			t.Fatalf("%q printed as %q, which reads as %s", text, printed, again)
		}
	})
}

func TestCalculateTool(t *testing.T) {
	t.Parallel()
	result, err := Calculate().Call(t.Context(), tool.Call{Name: "calculate", Arguments: []byte(`{"expression":"2^10"}`)})
	if err != nil || result.Text() != "1024" {
		t.Errorf("got %q, %v, want 1024", result.Text(), err)
	}
}
