package args

// Object goes over the keys of an object. Between two calls of Next, read the
// value or skip it.
type Object struct {
	Key []byte // valid until the next call of Next

	r     *Reader
	state state
}

type state uint8

const (
	closed state = iota
	opened       // before the first key
	inside
)

// Object begins an object. null has no keys.
func (r *Reader) Object() Object {
	o := Object{r: r}
	if r.open('{', "an object") {
		o.state = opened
	}
	return o
}

// Next goes to the next key. It reports false at the end, and after an error.
func (o *Object) Next() bool {
	r := o.r
	if r.err != nil {
		if o.state == inside {
			r.path = append(r.path, string(o.Key))
		}
		o.state = closed
		return false
	}
	if o.state == closed || !r.more(o.state == opened, '}') {
		o.state = closed
		return false
	}
	if r.peek() != '"' {
		r.fail("is not valid JSON: a key is missing")
		return false
	}
	o.Key = r.bytes()
	if r.peek() != ':' {
		r.fail("is not valid JSON: a colon is missing")
		return false
	}
	r.at++
	o.state = inside
	return true
}

// Skip goes over the next value, whatever it is.
func (r *Reader) Skip() { r.value() }

// value returns the text of the next value. It finds where it ends, and leaves it
// to who decodes it to see whether it is valid.
func (r *Reader) value() []byte {
	r.peek()
	start, depth := r.at, 0
	for r.err == nil {
		switch c := r.peek(); c {
		case 0:
			r.fail("is not valid JSON: it is cut off")
		case '"':
			r.bytes()
		case '{', '[':
			r.at++
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				r.fail("is not valid JSON: a value is missing")
				break
			}
			r.at++
			depth--
		case ',', ':':
			if depth == 0 {
				r.fail("is not valid JSON: a value is missing")
				break
			}
			r.at++
			continue
		default:
			for r.at < len(r.data) && isWord(r.data[r.at]) {
				r.at++
			}
			if !isWord(c) {
				r.fail("is not valid JSON")
			}
		}
		if depth == 0 {
			break
		}
	}
	if r.err != nil {
		return nil
	}
	return r.data[start:r.at]
}

// isWord reports that c may stand in a number, true, false or null.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'E'
}
