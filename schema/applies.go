package schema

// The functions here answer which schemas apply to a value, from what is
// certain to what is possible.

// settle narrows the types by what the reference, allOf and the unions allow.
// The result is never too small: a value outside it is certainly invalid.
func (s *shape) settle() types {
	if s.settled || s.settling { // settling: a reference that goes in a circle
		return s.types
	}
	s.settling = true
	if s.ref != nil {
		s.types &= s.ref.settle()
	}
	for _, a := range s.all {
		s.types &= a.settle()
	}
	for _, u := range s.union {
		var any types
		for _, b := range u {
			any |= b.settle()
		}
		s.types &= any
	}
	s.settled = true
	return s.types
}

// expand adds to shapes all that apply to the same value and, when possible
// is set, all that may apply.
func expand(shapes []*shape, possible bool) []*shape {
	return gather(shapes, func(s *shape, add func(*shape)) {
		if !possible {
			return
		}
		for _, b := range s.branches {
			add(b)
		}
	})
}

// gather adds to shapes what always applies with them, references and allOf, and
// what more adds for each; each shape once.
func gather(shapes []*shape, more func(s *shape, add func(*shape))) []*shape {
	var out []*shape
	seen := make(map[*shape]bool)
	var add func(s *shape)
	add = func(s *shape) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		out = append(out, s)
		add(s.ref)
		for _, a := range s.all {
			add(a)
		}
		more(s, add)
	}
	for _, s := range shapes {
		add(s)
	}
	return out
}

func itemShapes(shapes []*shape, i int) []*shape {
	var out []*shape
	for _, s := range shapes {
		if i < len(s.prefix) {
			out = append(out, s.prefix[i])
		} else if s.items != nil {
			out = append(out, s.items)
		}
	}
	return out
}

func memberShapes(shapes []*shape, key string) []*shape {
	var out []*shape
	for _, s := range shapes {
		if i := s.find(key); i >= 0 {
			out = append(out, s.props[i].shape)
		} else if s.others == othersChecked {
			out = append(out, s.extra)
		}
	}
	return out
}

// requires reports that one of shapes requires a key.
func requires(shapes []*shape, key string) bool {
	for _, s := range shapes {
		list := s.node.get("required")
		if list == nil {
			continue
		}
		for _, e := range list.elems {
			if e.text == key {
				return true
			}
		}
	}
	return false
}

// chosen adds to shapes what applies to a value of a kind: references, allOf,
// and of each union its only branch that allows the kind.
func chosen(shapes []*shape, kind types) []*shape {
	return gather(shapes, func(s *shape, add func(*shape)) {
		for _, u := range s.union {
			add(only(u, kind))
		}
	})
}

// only returns the branch that alone allows a kind, or nil.
func only(union []*shape, kind types) *shape {
	var found *shape
	for _, s := range union {
		if s.types&kind == 0 {
			continue
		}
		if found != nil {
			return nil
		}
		found = s
	}
	return found
}
