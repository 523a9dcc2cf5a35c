package schema

// maxVisits is how often the full validator may look at a value with a
// schema, for one document.
const maxVisits = 1 << 18

// checkCost refuses documents that would keep the full validator busy for
// ever. It tries every branch of a union on everything below, so a recursive
// schema with two branches that share a key takes 2ⁿ steps for n levels, and
// it can't be stopped once it runs.
func checkCost(v *value, root *shape, r *report) {
	c := costs{seen: make(map[visit]float64)}
	n := c.of(v, root)
	if once := float64(len(c.seen)); n > maxVisits && n > 4*once { // not merely large
		r.add(&location{}, "limit", "is nested too deeply for the alternatives that the schema allows at each level")
	}
}

// branching reports a schema that can cost more than its document's size.
func branching(list []*shape) bool {
	refs, branches := false, false
	for _, s := range list {
		refs = refs || s.ref != nil
		branches = branches || len(s.all)+len(s.branches) > 0
	}
	return refs && branches
}

// visit is one look at a value with a schema.
type visit struct {
	value *value
	shape *shape
}

// costs counts visits, each pair once: counting is fast where validating
// isn't.
type costs struct{ seen map[visit]float64 }

func (c *costs) of(v *value, s *shape) float64 {
	if s == nil {
		return 1
	}
	key := visit{v, s}
	if n, ok := c.seen[key]; ok {
		return n
	}
	c.seen[key] = 1
	n := 1.0
	if s.ref != nil {
		n += c.of(v, s.ref)
	}
	for _, a := range s.all {
		n += c.of(v, a)
	}
	for _, b := range s.branches {
		n += c.of(v, b)
	}
	one := []*shape{s}
	for i, e := range v.elems {
		for _, item := range itemShapes(one, i) {
			n += c.of(e, item)
		}
	}
	for _, m := range v.members {
		for _, sub := range memberShapes(one, m.key) {
			n += c.of(m.value, sub)
		}
	}
	c.seen[key] = n
	return n
}
