package gen

import (
	"cmp"
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"helve/schema"
)

// fieldComment returns what the source says of a struct's field: the comment above
// it, or behind it.
func (p *program) fieldComment(v *types.Var) string {
	var found string
	p.at(v.Pos(), func(n ast.Node) bool {
		f, ok := n.(*ast.Field)
		if !ok || !slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return p.same(id, v) }) {
			return false
		}
		doc := f.Doc
		if doc == nil {
			doc = f.Comment
		}
		var text []string
		for _, line := range docLines(doc) {
			text = append(text, line.text)
		}
		found = capital(dropName(plainText(strings.Join(text, "\n")), v.Name()))
		return true
	})
	return found
}

// same reports that id declares obj. Of another package only the line is known.
func (p *program) same(id *ast.Ident, obj types.Object) bool {
	return id.Name == obj.Name() && p.fset.Position(id.Pos()).Line == p.fset.Position(obj.Pos()).Line
}

// at looks for the node that found accepts in the file of pos.
func (p *program) at(pos token.Pos, found func(ast.Node) bool) {
	place := p.fset.Position(pos)
	if !place.IsValid() || place.Filename == "" {
		return
	}
	f := p.source(place.Filename)
	if f == nil {
		return
	}
	done := false
	ast.Inspect(f, func(n ast.Node) bool {
		done = done || n != nil && found(n)
		return !done
	})
}

// ownSchema returns what //helve:schema says of a type, or nil.
func (p *program) ownSchema(t *types.Named) node {
	if known, ok := p.schemas.At(t).(node); ok {
		return known
	}
	p.schemas.Set(t, node(nil))
	obj := t.Obj()
	p.at(obj.Pos(), func(n ast.Node) bool {
		decl, ok := n.(*ast.GenDecl)
		if !ok {
			return false
		}
		for _, spec := range decl.Specs {
			s, ok := spec.(*ast.TypeSpec)
			if !ok || !p.same(s.Name, obj) {
				continue
			}
			doc := s.Doc
			if doc == nil && len(decl.Specs) == 1 {
				doc = decl.Doc
			}
			for _, d := range directives(doc) {
				if d.name == schemaDirective {
					p.schemas.Set(t, p.parseSchema(d))
				}
			}
			return true
		}
		return false
	})
	own, _ := p.schemas.At(t).(node)
	return own
}

// ownObject returns what //helve:schema says of a type that is an object, or nil.
func (p *program) ownObject(t types.Type) node {
	named, ok := t.(*types.Named)
	if !ok {
		return nil
	}
	own := p.ownSchema(named)
	if string(own.get("type")) != `"object"` {
		return nil
	}
	return own
}

func (p *program) parseSchema(d directive) node {
	s, err := schema.Compile([]byte(d.rest))
	if err != nil {
		p.problem(d.pos, "//helve:schema: %s", strings.TrimPrefix(err.Error(), "schema: "))
		return node{} // it is known, so that one mistake makes one error
	}
	n, err := parseNode(s.JSON())
	if err != nil {
		p.problem(d.pos, "//helve:schema: %v", err)
		return node{}
	}
	return n
}

// enum returns the values of the constants of a named string type, in the order of
// the source. One constant is a special value, and two are a list.
func (p *program) enum(t types.Type) []json.RawMessage {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Parent() != named.Obj().Pkg().Scope() {
		return nil
	}
	var constants []*types.Const
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if ok && types.Identical(c.Type(), named) && c.Val().Kind() == constant.String {
			constants = append(constants, c)
		}
	}
	slices.SortStableFunc(constants, func(a, b *types.Const) int {
		at, bt := p.fset.Position(a.Pos()), p.fset.Position(b.Pos())
		return cmp.Or(strings.Compare(at.Filename, bt.Filename), cmp.Compare(at.Line, bt.Line), cmp.Compare(at.Column, bt.Column))
	})
	var values []json.RawMessage
	for _, c := range constants {
		v := text(constant.StringVal(c.Val()))
		if !slices.ContainsFunc(values, func(have json.RawMessage) bool { return string(have) == string(v) }) {
			values = append(values, v)
		}
	}
	return values
}
