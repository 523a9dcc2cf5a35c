package schema

import "fmt"

// setDefaults makes, for every shape with a default, the value to put in for
// a missing property, and checks it.
func setDefaults(list []*shape, c *compiler) error {
	for _, s := range list {
		if _, err := makeFallback(s, c); err != nil {
			return err
		}
	}
	for _, s := range list {
		for i := range s.props {
			p := &s.props[i]
			if v := p.shape.fallbackValue(); v != nil {
				p.member = append(appendString(nil, p.name), ':')
				p.member = v.appendJSON(p.member)
				if i < 64 {
					s.watched |= 1 << i
				}
			}
		}
	}
	return nil
}

// makeFallback completes a shape's own default with the defaults inside it.
func makeFallback(s *shape, c *compiler) (*value, error) {
	if s.filled || s.node.kind != typeObject || s.node.get("default") == nil {
		return s.fallback, nil
	}
	if s.node.get("default").kind == typeNull && s.types&typeNull == 0 {
		return nil, nil // generators write it for "no default"; see meansAbsent
	}
	if s.filling {
		return nil, fmt.Errorf("schema: at %q: the default holds itself, through the defaults inside it, without end", s.at.pointer())
	}
	s.filling = true
	v, err := parse(s.node.get("default").raw)
	if err != nil {
		return nil, err
	}
	n := normalizer{fallback: func(s *shape) (*value, error) {
		for ; s != nil; s = s.ref {
			if v, err := makeFallback(s, c); v != nil || err != nil {
				return v, err
			}
		}
		return nil, nil
	}}
	if err := n.normalize(v, []*shape{s}); err != nil {
		return nil, err
	}
	full, err := c.compile(s.at.pointer())
	if err != nil {
		return nil, err
	}
	t := translator{doc: c.doc}
	t.validate(full, v)
	if err := t.err(); err != nil {
		return nil, fmt.Errorf("schema: at %q: the default breaks its own schema: %w", s.at.pointer(), err)
	}
	s.fallback, s.filled, s.filling = v, true, false
	return v, nil
}

// fallbackValue is the default of s, or of what it refers to.
func (s *shape) fallbackValue() *value {
	for n := 0; s != nil && n < maxDepth; n++ {
		if s.fallback != nil {
			return s.fallback
		}
		s = s.ref
	}
	return nil
}

// normalizer brings a parsed document into the form that Prepare promises.
type normalizer struct {
	fallback func(*shape) (*value, error)
}

// normalize puts in missing defaults, takes out null where it stands for
// "not given", and writes whole numbers without fraction where the schema
// wants an integer. It follows what certainly applies, not the branches of a
// union. Values put in are shared with the schema and not looked into again.
func (n *normalizer) normalize(v *value, shapes []*shape) error {
	if len(shapes) == 0 {
		return nil
	}
	shapes = expand(shapes, false)
	switch v.kind {
	case typeInteger:
		if lit, ok := wholeNumber(string(v.raw)); ok && lit != string(v.raw) && onlyIntegers(shapes) {
			v.raw, v.changed = []byte(lit), true
		}
	case typeArray:
		for i, e := range v.elems {
			if err := n.normalize(e, itemShapes(shapes, i)); err != nil {
				return err
			}
			v.changed = v.changed || e.changed
		}
	case typeObject:
		return n.object(v, shapes)
	}
	return nil
}

func onlyIntegers(shapes []*shape) bool {
	for _, s := range shapes {
		if s.types&typeFraction == 0 {
			return true
		}
	}
	return false
}

func (n *normalizer) object(v *value, shapes []*shape) error {
	kept := v.members[:0]
	for _, m := range v.members {
		if m.value.kind == typeNull && meansAbsent(shapes, m.key) {
			v.changed = true
			continue
		}
		if err := n.normalize(m.value, memberShapes(shapes, m.key)); err != nil {
			return err
		}
		v.changed = v.changed || m.value.changed
		kept = append(kept, m)
	}
	v.members = kept
	for _, s := range shapes {
		for _, p := range s.props {
			if v.get(p.name) != nil {
				continue
			}
			d, err := n.fallback(p.shape)
			if err != nil {
				return err
			}
			if d != nil {
				v.members = append(v.members, member{key: p.name, value: d})
				v.changed = true
			}
		}
	}
	return nil
}

// meansAbsent reports that null for key can only mean "not given": the key is
// declared, optional, and not null by any schema. OpenAI's strict mode, where
// every key must be sent, has no other way to leave one out, and encoding/json
// reads it the same way.
func meansAbsent(shapes []*shape, key string) bool {
	declared := false
	for _, s := range shapes {
		i := s.find(key)
		if i < 0 {
			continue
		}
		if s.props[i].shape.types&typeNull != 0 {
			return false
		}
		declared = true
	}
	return declared && !requires(shapes, key)
}
