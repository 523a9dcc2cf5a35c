package builtin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/parser/lexer"

	"helve/tool"
)

// maxExpression bounds an expression, in characters. It bounds its nesting too.
const maxExpression = 4096

type calculateInput struct {
	Expression string `json:"expression" jsonschema:"example=17 * 23,example=round(2^0.5 / 3)" jsonschema_description:"The expression, such as 17 * 23 or round(sqrt(2) / 3, 4). No thousands separators, no units, no variables."`
}

// Calculate returns the tool calculate: arithmetic that is exact where the
// result is rational, at any size up to 10,000 digits, and as good as float64
// where it is not (roots, logarithms, trigonometry).
//
// The result is a plain number as text. A mistake in the expression is an error
// that says what and at which column, counted in characters from 1.
func Calculate() tool.Tool {
	return tool.Must(tool.New("calculate",
		"Evaluate an arithmetic expression exactly. Operators: + - * / % and ^ or ** for powers; % takes the sign of the divisor. "+
			"Functions: abs, ceil, cos, exp, floor, ln, log(x) to base 10, log(x, base), max, min, pow, round(x), round(x, digits), sin, sqrt, tan; angles in radians. "+
			"Constants: pi, e.",
		func(ctx context.Context, in calculateInput) (string, error) {
			result, err := calculate(ctx, in.Expression)
			if err != nil {
				return "", err
			}
			return result.String(), nil
		}, tool.ReadOnly(), tool.Idempotent()))
}

// calculate evaluates text. The parser and the tree are expr's; the numbers are
// ours, because expr's own machine computes with int and float64.
func calculate(ctx context.Context, text string) (number, error) {
	// A character has at most four bytes: the first test spares the conversion
	// of a text that is far too long.
	if len(text) > 4*maxExpression || len([]rune(text)) > maxExpression {
		return number{}, fmt.Errorf("the expression is longer than %d characters: compute it in parts", maxExpression)
	}
	source := []rune(strings.Map(normal, text))
	masked, err := mask(source)
	if err != nil {
		return number{}, err
	}
	tree, err := parser.Parse(masked)
	if err != nil {
		return number{}, syntaxError(source, err)
	}
	e := evaluation{ctx, source}
	return e.value(tree.Node)
}

// normal maps the signs that models and people type for an operator to that
// operator, one character to one, so that columns stay right.
func normal(r rune) rune {
	switch r {
	case '×', '⋅', '·', '∗':
		return '*'
	case '÷', '∕':
		return '/'
	case '−', '–':
		return '-'
	case '\u3000':
		return ' '
	}
	if r >= '！' && r <= '～' { // the full-width forms of ASCII
		return r - '！' + '!'
	}
	return r
}

// mask checks the tokens and returns the source with a 0 for each character of a
// number. The parser would turn a number into an int or a float64; behind the
// mask it sees only where numbers are, and evaluation reads them exactly from
// the source.
func mask(source []rune) (string, error) {
	if at, ok := comment(source); ok {
		return "", fmt.Errorf("column %d: // and /* are no operators: for a whole quotient write floor(a / b)", at+1)
	}
	tokens, err := lexer.Lex(file.NewSource(string(source)))
	if err != nil {
		return "", syntaxError(source, err)
	}
	masked := []rune(string(source))
	for _, t := range tokens {
		if t.Kind != lexer.Number {
			continue
		}
		for i := t.From; i < t.To; i++ {
			masked[i] = '0'
		}
	}
	return string(masked), nil
}

// comment finds what expr reads as the start of a comment. To skip the rest of
// "7 // 2" would be a wrong answer.
func comment(source []rune) (at int, ok bool) {
	for i := range len(source) - 1 {
		if source[i] == '/' && (source[i+1] == '/' || source[i+1] == '*') {
			return i, true
		}
	}
	return 0, false
}

// syntaxError tells an error of expr's lexer or parser in terms of the source,
// which the parser saw masked.
func syntaxError(source []rune, err error) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return fmt.Errorf("not an arithmetic expression: %w", err)
	}
	from, to := min(at.From, len(source)), min(at.To, len(source))
	column := from + 1
	switch {
	case strings.Contains(at.Message, "token EOF"), strings.Contains(at.Message, "end of expression"):
		return fmt.Errorf("column %d: the expression ends too early", len(source)+1)
	case !strings.HasPrefix(at.Message, "unexpected token"):
		return fmt.Errorf("column %d: %s", column, at.Message)
	case string(source[from:to]) == ",":
		return fmt.Errorf("column %d: unexpected comma: write numbers without thousands separators and with a decimal point", column)
	}
	return fmt.Errorf("column %d: unexpected %q", column, string(source[from:to]))
}

// evaluation walks a tree. source holds the numbers that the tree lacks.
type evaluation struct {
	ctx    context.Context
	source []rune
}

func (e *evaluation) value(node ast.Node) (number, error) {
	if err := e.ctx.Err(); err != nil {
		return number{}, err
	}
	result, err := e.compute(node)
	if err == nil {
		err = result.check()
	}
	var at *columnError
	if err == nil || errors.As(err, &at) {
		return result, err
	}
	return number{}, &columnError{node.Location().From + 1, err}
}

func (e *evaluation) compute(node ast.Node) (number, error) {
	switch n := node.(type) {
	case *ast.IntegerNode:
		l := n.Location()
		return parseNumber(string(e.source[l.From:l.To]))
	case *ast.IdentifierNode:
		if c, ok := constants[n.Value]; ok {
			return number{float: c}, nil
		}
		return number{}, fmt.Errorf("unknown name %q: only pi and e have a value", n.Value)
	case *ast.UnaryNode:
		return e.unary(n)
	case *ast.BinaryNode:
		return e.binary(n)
	case *ast.BuiltinNode:
		return e.call(n.Name, n.Arguments)
	case *ast.CallNode:
		if callee, ok := n.Callee.(*ast.IdentifierNode); ok {
			return e.call(callee.Value, n.Arguments)
		}
	}
	return number{}, errors.New("only numbers, operators and functions are understood here")
}

func (e *evaluation) unary(n *ast.UnaryNode) (number, error) {
	if n.Operator != "+" && n.Operator != "-" {
		return number{}, fmt.Errorf("%q is not an operator here", n.Operator)
	}
	x, err := e.value(n.Node)
	if err != nil || n.Operator == "+" {
		return x, err
	}
	return x.neg(), nil
}

func (e *evaluation) binary(n *ast.BinaryNode) (number, error) {
	operate, ok := operators[n.Operator]
	if !ok {
		return number{}, fmt.Errorf("%q is not an operator here", n.Operator)
	}
	x, err := e.value(n.Left)
	if err != nil {
		return number{}, err
	}
	y, err := e.value(n.Right)
	if err != nil {
		return number{}, err
	}
	return operate(x, y)
}

func (e *evaluation) call(name string, arguments []ast.Node) (number, error) {
	f, ok := functions[name]
	if !ok {
		return number{}, fmt.Errorf("unknown function %q: known are %s", name, functionNames())
	}
	if n := len(arguments); n < f.min || n > f.max {
		return number{}, fmt.Errorf("%s takes %s, not %d", name, f.arity(), n)
	}
	values := make([]number, len(arguments))
	for i, argument := range arguments {
		v, err := e.value(argument)
		if err != nil {
			return number{}, err
		}
		values[i] = v
	}
	return f.apply(values)
}

// columnError is an error of evaluation and where it arose.
type columnError struct {
	column int
	err    error
}

func (e *columnError) Error() string { return fmt.Sprintf("column %d: %v", e.column, e.err) }
func (e *columnError) Unwrap() error { return e.err }
