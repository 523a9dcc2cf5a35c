package args

// Slice reads an array. null is nil.
func Slice[S ~[]E, E any](r *Reader, elem func(*Reader) E) S {
	if !r.open('[', "an array") {
		return nil
	}
	s := S{}
	for r.more(len(s) == 0, ']') {
		s = append(s, elem(r))
	}
	return s
}

// Array reads an array into the elements of one: into is array[:]. What the JSON
// has too many is left out, as encoding/json does.
func Array[E any](r *Reader, into []E, elem func(*Reader) E) {
	if !r.open('[', "an array") {
		return
	}
	for i := 0; r.more(i == 0, ']'); i++ {
		if i < len(into) {
			into[i] = elem(r)
		} else {
			r.Skip()
		}
	}
}

// Map reads an object whose keys are not known beforehand. null is nil.
func Map[M ~map[K]E, K ~string, E any](r *Reader, elem func(*Reader) E) M {
	o := r.Object()
	if o.state == closed {
		return nil
	}
	m := M{}
	for o.Next() {
		key := K(o.Key)
		m[key] = elem(r)
	}
	return m
}

// Pointer reads a value that may be missing. null is nil.
func Pointer[E any](r *Reader, elem func(*Reader) E) *E {
	if r.word("null") || r.err != nil {
		return nil
	}
	v := elem(r)
	return &v
}
