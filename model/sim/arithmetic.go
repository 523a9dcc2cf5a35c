package sim

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// symbol is a piece of arithmetic. text is how a calculator spells it.
type symbol struct {
	start, end int
	class      byte // one of the constants below
	text       string
	plain      bool // the prompt spells it like a calculator
}

const (
	isNumber  = 'n'
	isBinary  = 'b'
	isSign    = 's' // + or -: binary or unary
	isPostfix = 'p'
	isPrefix  = 'u' // a function that takes the next operand
	isOpen    = '('
	isClose   = ')'
	isComma   = ','
	isOther   = 0 // not arithmetic
)

// spellings are read at the head of the rest, the longest first. A spelling of
// letters must end where a word does.
var spellings = []struct {
	spelling string
	class    byte
	text     string
}{
	{"raised to the power of", isBinary, "^"}, {"to the power of", isBinary, "^"},
	{"multiplied by", isBinary, "*"}, {"square root of", isPrefix, "sqrt"}, {"the square root of", isPrefix, "sqrt"},
	{"divided by", isBinary, "/"}, {"percent of", isBinary, "/ 100 *"}, {"% of", isBinary, "/ 100 *"},
	{"plus", isSign, "+"}, {"minus", isSign, "-"}, {"times", isBinary, "*"}, {"modulo", isBinary, "%"}, {"mod", isBinary, "%"},
	{"squared", isPostfix, "^ 2"}, {"cubed", isPostfix, "^ 3"},
	{"sqrt", isPrefix, "sqrt"}, {"abs", isPrefix, "abs"}, {"round", isPrefix, "round"}, {"floor", isPrefix, "floor"},
	{"sin", isPrefix, "sin"}, {"cos", isPrefix, "cos"}, {"tan", isPrefix, "tan"}, {"exp", isPrefix, "exp"}, {"ln", isPrefix, "ln"}, {"log", isPrefix, "log"}, {"pow", isPrefix, "pow"},
	{"pi", isNumber, "pi"}, {"ceil", isPrefix, "ceil"}, {"max", isPrefix, "max"}, {"min", isPrefix, "min"},
	{"的平方", isPostfix, "^ 2"}, {"的立方", isPostfix, "^ 3"},
	{"乘以", isBinary, "*"}, {"除以", isBinary, "/"}, {"加上", isSign, "+"}, {"减去", isSign, "-"},
	{"乘", isBinary, "*"}, {"加", isSign, "+"}, {"减", isSign, "-"},
	{"**", isBinary, "**"}, {"×", isBinary, "*"}, {"÷", isBinary, "/"}, {"−", isSign, "-"}, {"·", isBinary, "*"},
	{"＋", isSign, "+"}, {"－", isSign, "-"}, {"＊", isBinary, "*"}, {"／", isBinary, "/"}, {"（", isOpen, "("}, {"）", isClose, ")"},
	{"+", isSign, "+"}, {"-", isSign, "-"}, {"*", isBinary, "*"}, {"/", isBinary, "/"}, {"^", isBinary, "^"}, {"%", isBinary, "%"},
	{"(", isOpen, "("}, {")", isClose, ")"}, {",", isComma, ","},
}

// requests are arithmetic in a sentence of its own kind: the operands, and what
// is between them. $1 and $2 are the operands.
var requests = []struct {
	pattern *regexp.Regexp
	form    string
}{
	{regexp.MustCompile(`(?i)\b(?:add|sum of)\s+(` + plainNumber + `)\s+(?:and|to)\s+(` + plainNumber + `)\b`), "$1 + $2"},
	{regexp.MustCompile(`(?i)\bsubtract\s+(` + plainNumber + `)\s+from\s+(` + plainNumber + `)\b`), "$2 - $1"},
	{regexp.MustCompile(`(?i)\bdifference (?:of|between)\s+(` + plainNumber + `)\s+and\s+(` + plainNumber + `)\b`), "$1 - $2"},
	{regexp.MustCompile(`(?i)\b(?:multiply|product of)\s+(` + plainNumber + `)\s+(?:and|by|with)\s+(` + plainNumber + `)\b`), "$1 * $2"},
	{regexp.MustCompile(`(?i)\bdivide\s+(` + plainNumber + `)\s+by\s+(` + plainNumber + `)\b`), "$1 / $2"},
}

const plainNumber = `\d+(?:\.\d+)?`

// requested finds the requests. A finding begins at the first operand: the verb
// stays a word that may name a tool.
func (s *scanner) requested() {
	for _, r := range requests {
		for _, m := range r.pattern.FindAllStringSubmatchIndex(s.prompt, -1) {
			value := string(r.pattern.ExpandString(nil, r.form, s.prompt, m))
			s.add(finding{start: m[2], end: m[1], kind: kindExpression, value: value})
		}
	}
}

// expressions finds arithmetic, in symbols or in words, and gives it a form that
// calculators read. What is written in symbols is kept as it stands.
func (s *scanner) expressions() {
	s.requested()
	symbols := readSymbols(s.prompt)
	for i := 0; i < len(symbols); {
		end, operators := grammar{symbols}.operation(i, 0)
		if end <= i || operators == 0 {
			i++
			continue
		}
		from, to := symbols[i].start, symbols[end-1].end
		if !endsInLetter(s.prompt[:from]) && !startsWithLetter(s.prompt[to:]) {
			s.add(finding{start: from, end: to, kind: kindExpression, value: spell(s.prompt[from:to], symbols[i:end])})
		}
		i = end
	}
}

// readSymbols cuts the prompt into symbols. Where something else stands between
// two of them there is an isOther.
func readSymbols(prompt string) []symbol {
	var out []symbol
	for i := 0; i < len(prompt); {
		if c := prompt[i]; c == ' ' || c == '\t' {
			i++
			continue
		}
		read := symbolAt(prompt, i, out)
		out = append(out, read...)
		i = read[len(read)-1].end
	}
	return out
}

func symbolAt(prompt string, i int, before []symbol) []symbol {
	rest := prompt[i:]
	if n, text := numeral(rest); n > 0 && !(isLetterByte(rest[0]) && endsInLetter(prompt[:i])) {
		return []symbol{{i, i + n, isNumber, text, text == rest[:n]}}
	}
	if m := chinesePower.FindStringSubmatchIndex(rest); m != nil && afterOperand(before) {
		_, exponent := numeral(rest[m[2]:m[3]])
		return []symbol{{i, i + m[2], isBinary, "^", false}, {i + m[2], i + m[1], isNumber, exponent, false}}
	}
	if m := crossTimes.FindString(rest); m != "" && afterOperand(before) {
		return []symbol{{i, i + 1, isBinary, "*", false}}
	}
	for _, sp := range spellings {
		n := len(sp.spelling)
		if len(rest) < n || !strings.EqualFold(rest[:n], sp.spelling) {
			continue
		}
		if isLetterByte(sp.spelling[n-1]) && (startsWithLetter(rest[n:]) || isLetterByte(rest[0]) && endsInLetter(prompt[:i])) {
			continue
		}
		return []symbol{{i, i + n, sp.class, sp.text, sp.text == rest[:n]}}
	}
	_, size := utf8.DecodeRuneInString(rest)
	return []symbol{{i, i + size, isOther, "", false}}
}

var (
	digits        = regexp.MustCompile(`^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?`)
	fullWidth     = regexp.MustCompile(`^[０-９]+(?:[．.][０-９]+)?`)
	chineseNumber = regexp.MustCompile(`^[零一二两三四五六七八九十百千万]+`)
	chinesePower  = regexp.MustCompile(`^的(\d+|[零一二两三四五六七八九十百千]+)次[方幂]`)
	crossTimes    = regexp.MustCompile(`^[xX]\s*[\d(]`)
	numberWords   = regexp.MustCompile(`(?i)^(?:(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)[ -]?)+\b`)
)

// numeral reads a number at the head of s, in digits or in words, and spells it
// in digits.
func numeral(s string) (n int, text string) {
	if m := digits.FindString(s); m != "" {
		return len(m), strings.ReplaceAll(m, ",", "")
	}
	if m := fullWidth.FindString(s); m != "" {
		return len(m), narrow(m)
	}
	if m := chineseNumber.FindString(s); m != "" {
		return len(m), strconv.Itoa(chineseValue(m))
	}
	if m := strings.TrimRight(numberWords.FindString(s), " -"); m != "" {
		return len(m), strconv.Itoa(englishValue(m))
	}
	return 0, ""
}

// narrow gives full-width digits their usual form.
func narrow(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' {
			return r - '！' + '!'
		}
		return r
	}, s)
}

func chineseValue(s string) int {
	values := map[rune]int{'零': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	units := map[rune]int{'十': 10, '百': 100, '千': 1000}
	total, section, digit := 0, 0, 0
	for _, r := range s {
		switch unit := units[r]; {
		case r == '万':
			total, section, digit = (total+section+digit)*10000, 0, 0
		case unit > 0 && digit == 0 && section == 0:
			section = unit // 十五 is 15
		case unit > 0:
			section, digit = section+digit*unit, 0
		default:
			digit = digit*10%1000 + values[r] // 二三 is 23
		}
	}
	return total + section + digit
}

var englishNumbers = map[string]int{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

func englishValue(s string) int {
	total, section := 0, 0
	for _, word := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == '-' }) {
		switch word {
		case "hundred":
			section = max(section, 1) * 100 % 1_000_000
		case "thousand":
			total, section = (total+max(section, 1)*1000)%1_000_000_000, 0
		default:
			section += englishNumbers[word]
		}
	}
	return total + section
}

func afterOperand(before []symbol) bool {
	if len(before) == 0 {
		return false
	}
	switch before[len(before)-1].class {
	case isNumber, isClose, isPostfix:
		return true
	}
	return false
}

func isLetterByte(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// spell is the arithmetic as a calculator reads it: as it is written, if that
// will do.
func spell(written string, symbols []symbol) string {
	plain := true
	for i, s := range symbols {
		bare := s.class == isPrefix && symbols[i+1].class != isOpen // the grammar puts an operand there
		plain = plain && s.plain && !bare
	}
	if plain {
		return written
	}
	var b strings.Builder
	for i := 0; i < len(symbols); i++ {
		s := symbols[i]
		if !tight(symbols, i) {
			b.WriteByte(' ')
		}
		b.WriteString(s.text)
		if s.class == isPrefix && symbols[i+1].class != isOpen {
			i++
			b.WriteString("(" + symbols[i].text + ")")
		}
	}
	return b.String()
}

// tight reports whether symbol i stands without a space before it.
func tight(symbols []symbol, i int) bool {
	if i == 0 {
		return true
	}
	before := symbols[i-1].class
	switch {
	case symbols[i].class == isClose, symbols[i].class == isComma, before == isOpen:
		return true
	case before == isSign:
		return i == 1 || !endsOperand(symbols[i-2].class) // a sign, not an operator
	}
	return before == isPrefix && symbols[i].class == isOpen
}

func endsOperand(class byte) bool {
	return class == isNumber || class == isClose || class == isPostfix
}

// grammar recognises arithmetic. Each method takes the position of a symbol and
// gives the position after what it recognised, -1 for nothing, and the number of
// operators in it.
type grammar struct{ symbols []symbol }

const maxDepth = 50 // of parentheses

func (g grammar) class(i int) byte {
	if i < len(g.symbols) {
		return g.symbols[i].class
	}
	return isOther
}

func (g grammar) operation(i, depth int) (end, operators int) {
	end, operators = g.operand(i, depth)
	for end >= 0 {
		switch g.class(end) {
		case isPostfix:
			end, operators = end+1, operators+1
		case isBinary, isSign:
			next, more := g.operand(end+1, depth)
			if next < 0 {
				return end, operators
			}
			end, operators = next, operators+more+1
		default:
			return end, operators
		}
	}
	return -1, 0
}

func (g grammar) operand(i, depth int) (end, operators int) {
	if depth > maxDepth {
		return -1, 0
	}
	switch g.class(i) {
	case isNumber:
		return i + 1, 0
	case isSign:
		return g.operand(i+1, depth+1)
	case isOpen:
		return g.closed(i+1, depth+1, false)
	case isPrefix:
		if g.class(i+1) == isOpen {
			end, operators = g.closed(i+2, depth+1, true)
			return end, operators + 1
		}
		if g.class(i+1) == isNumber && g.symbols[i].text == "sqrt" {
			return i + 2, 1
		}
	}
	return -1, 0
}

// closed recognises what stands in parentheses: one operation, or a list.
func (g grammar) closed(i, depth int, list bool) (end, operators int) {
	end, operators = g.operation(i, depth)
	for list && end >= 0 && g.class(end) == isComma {
		next, more := g.operation(end+1, depth)
		if next < 0 {
			return -1, 0
		}
		end, operators = next, operators+more
	}
	if end < 0 || g.class(end) != isClose {
		return -1, 0
	}
	return end + 1, operators
}
