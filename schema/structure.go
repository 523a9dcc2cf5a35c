package schema

// checkDuplicates reports keys that occur twice in one object. encoding/json
// takes the last, and merges objects; JSON Schema never sees the first.
func checkDuplicates(v *value, at *location, r *report) {
	for i, e := range v.elems {
		checkDuplicates(e, at.index(i), r)
	}
	if len(v.members) == 0 {
		return
	}
	seen := make(map[string]bool, len(v.members))
	for _, m := range v.members {
		if seen[m.key] {
			r.add(at.child(m.key), "duplicate", "is given twice; give it once")
		}
		seen[m.key] = true
		checkDuplicates(m.value, at.child(m.key), r)
	}
}

// checkNumbers reports numbers that would take unreasonable time and memory
// to compare exactly, such as 1e1000000000.
func checkNumbers(v *value, at *location, r *report) {
	for i, e := range v.elems {
		checkNumbers(e, at.index(i), r)
	}
	for _, m := range v.members {
		checkNumbers(m.value, at.child(m.key), r)
	}
	if v.kind&typeNumber != 0 && tooLong(string(v.raw)) {
		r.add(at, "limit", "is a number of more than %d digits", maxDigits)
	}
}

// checkKeys reports keys that the schema doesn't declare but that encoding/json
// would put into a declared field because they differ in letter case only.
func checkKeys(v *value, shapes []*shape, at *location, r *report) {
	shapes = expand(shapes, true)
	for i, e := range v.elems {
		checkKeys(e, itemShapes(shapes, i), at.index(i), r)
	}
	if len(v.members) == 0 {
		return
	}
	declared := make(map[string]bool)
	folded := make(map[string]string)
	for _, s := range shapes {
		for _, p := range s.props {
			declared[p.name] = true
			folded[p.folded] = p.name
		}
	}
	for _, m := range v.members {
		if like, ok := folded[foldKey(m.key)]; ok && !declared[m.key] {
			r.add(at.child(m.key), "additionalProperties", "%s", unknownKey(m.key, like))
		}
		checkKeys(m.value, memberShapes(shapes, m.key), at.child(m.key), r)
	}
}
