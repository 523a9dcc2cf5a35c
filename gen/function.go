package gen

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"

	"helve/internal/nearest"
	"helve/schema"
	"helve/tool"
)

// function is a marked function: what is written of it, and what the model is told.
type function struct {
	settings
	name        string // in Go
	tool        string
	description string
	schema      json.RawMessage
	compiled    *schema.Schema
	pos         token.Pos

	parameters []parameter
	whole      bool // its only argument is what the model gives, not a key of it
	own        node // the schema of that, where //helve:schema says it
	variadic   bool
	result     types.Type // nil where it returns none
	fails      bool       // it returns an error
}

// parameter is one of a function's, in order.
type parameter struct {
	name   string
	typ    types.Type
	inject string // the expression that the host gives, "" for an argument of the model's
}

// functions finds the marked functions, in the order of their tools' names.
func (p *program) functions() []*function {
	var list []*function
	for _, f := range p.files {
		read := map[token.Pos]bool{}
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				for _, d := range directives(decl.Doc) {
					if d.name == toolDirective {
						read[d.pos] = true
						if fn := p.function(decl, d); fn != nil {
							list = append(list, fn)
						}
					}
				}
			case *ast.GenDecl:
				markSchemas(decl, read)
			}
		}
		p.misplaced(f, read)
	}
	p.broken()
	slices.SortStableFunc(list, func(a, b *function) int { return strings.Compare(a.tool, b.tool) })
	for i, fn := range list[min(1, len(list)):] {
		if before := list[i]; before.tool == fn.tool {
			p.problem(fn.pos, "function %s makes the tool %s, as %s does (%s): give one of them name=…", fn.name, fn.tool, before.name, p.position(before.pos))
		}
	}
	return list
}

// definition is what the generated code will say of the tool.
func (fn *function) definition() tool.Definition {
	d := tool.Definition{Name: fn.tool, Description: fn.description, Parameters: fn.compiled}
	for _, o := range fn.options {
		o.apply(&d)
	}
	return d
}

// markSchemas notes the //helve:schema lines that a type reads.
func markSchemas(decl *ast.GenDecl, read map[token.Pos]bool) {
	mark := func(doc *ast.CommentGroup) {
		for _, d := range directives(doc) {
			read[d.pos] = read[d.pos] || d.name == schemaDirective
		}
	}
	if decl.Tok != token.TYPE {
		return
	}
	if len(decl.Specs) == 1 {
		mark(decl.Doc)
	}
	for _, spec := range decl.Specs {
		if s, ok := spec.(*ast.TypeSpec); ok {
			mark(s.Doc)
		}
	}
}

// broken reports the syntax errors in files that mark functions: what follows such
// an error was not read.
func (p *program) broken() {
	for _, e := range p.errs {
		name, rest, _ := strings.Cut(e.Pos, ":")
		f := p.source(name)
		marks := f != nil && slices.ContainsFunc(f.Comments, func(g *ast.CommentGroup) bool { return len(directives(g)) > 0 })
		if e.Kind != packages.ParseError || !marks {
			continue
		}
		line, column, _ := strings.Cut(rest, ":")
		pos := token.Position{Filename: name}
		pos.Line, _ = strconv.Atoi(line)
		pos.Column, _ = strconv.Atoi(column)
		p.problemAt(p.named(pos), "%s", e.Msg)
	}
}

// function reads a marked function. It is nil where it can't be a tool at all.
func (p *program) function(decl *ast.FuncDecl, d directive) *function {
	pos := decl.Name.Pos()
	obj, _ := p.info.Defs[decl.Name].(*types.Func)
	name := decl.Name.Name
	switch {
	case decl.Recv != nil:
		p.problem(pos, "%s is a method, and a tool has no receiver: write a function that calls it", name)
		return nil
	case decl.Type.TypeParams != nil:
		p.problem(pos, "%s is generic, and a model can't choose its types: write a function that calls it with types", name)
		return nil
	case name == "main" || name == "init" || name == "_":
		p.problem(pos, "%s can't be called: mark another function", name)
		return nil
	case obj == nil:
		p.problem(pos, "%s is declared twice: rename one", name)
		return nil
	}
	fn := &function{settings: p.settings(d), name: name, pos: pos}
	signature := obj.Signature()
	fn.variadic = signature.Variadic()
	fn.tool = fn.settings.name
	if fn.tool == "" {
		fn.tool = snake(name)
	}
	p.results(fn, signature)
	fields := p.parameters(fn, signature, decl)
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.name
	}
	doc := readDoc(decl.Doc, name, known)
	fn.description = doc.description
	p.checkName(fn)
	fields = p.root(fn, fields, doc)
	before := len(p.problems)
	if fn.own != nil {
		fn.schema = fn.own.json()
	} else {
		fn.schema = p.describe(fields)
	}
	if len(p.problems) == before {
		compiled, err := schema.Compile(fn.schema)
		if err != nil {
			p.problem(pos, "%s: %s", name, strings.TrimPrefix(err.Error(), "schema: "))
		}
		fn.compiled = compiled
	}
	return fn
}

func (p *program) checkName(fn *function) {
	def := tool.Definition{Name: fn.tool, Description: "x"}
	if err := def.Check(); err != nil {
		p.problem(fn.pos, "%v: choose one with //helve:tool name=…", err)
	}
	if fn.description == "" {
		p.problem(fn.pos, "%s has no description: write a doc comment above it, the model chooses tools by it", fn.name)
	}
}

// snake makes search_handbook of SearchHandbook, and http_get of HTTPGet.
func snake(name string) string {
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && runes[i-1] != '_' {
			ends := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if !unicode.IsUpper(runes[i-1]) || ends {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// parameters sorts a function's parameters into those that the host gives and those
// that the model does, and returns the latter.
func (p *program) parameters(fn *function, signature *types.Signature, decl *ast.FuncDecl) []field {
	var fields []field
	for i := range signature.Params().Len() {
		v := signature.Params().At(i)
		at := parameter{name: v.Name(), typ: v.Type(), inject: injects(v.Type())}
		pos := v.Pos()
		if !pos.IsValid() {
			pos = decl.Type.Params.Pos()
		}
		last := fn.variadic && i == signature.Params().Len()-1
		switch {
		case isNamed(v.Type(), "context", "Context"):
			at.inject = "ctx"
			if i > 0 {
				p.problem(pos, "%s: the context comes first", fn.name)
			}
		case last && injects(elem(v.Type())) != "":
			p.problem(pos, "%s: the host gives one %s, not many: leave out the dots", fn.name, short(elem(v.Type())))
			continue
		case isNamed(v.Type(), toolPath, "Runtime"):
			p.problem(pos, "%s: the host gives a *tool.Runtime: take it by its pointer", fn.name)
			continue
		case at.inject == "" && (v.Name() == "" || v.Name() == "_"):
			p.problem(pos, "%s: parameter %d has no name: give it the one that the model shall know", fn.name, i+1)
			continue
		}
		fn.parameters = append(fn.parameters, at)
		if at.inject != "" {
			continue
		}
		f := field{name: v.Name(), key: v.Name(), typ: v.Type(), pos: p.position(pos), what: "parameter " + v.Name()}
		if last {
			f.tag = `json:",omitempty"`
		}
		fields = append(fields, f)
	}
	return fields
}

// root makes the keys of the arguments: the parameters, or the fields of the only
// one if it is a struct, as with tool.New. Where the only one is of a type that says by
// itself which object it is, there are none to make.
func (p *program) root(fn *function, fields []field, doc docComment) []field {
	if len(fields) == 1 && !fn.variadic {
		t := types.Unalias(fields[0].typ)
		form, err := p.form(t)
		if err == nil && form == formPtr {
			form, err = p.form(elem(t))
			t = types.Unalias(elem(t))
		}
		switch {
		case err != nil:
		case form == formStruct:
			fn.whole = true
			d := &describer{program: p}
			fields = d.structFields(t)
		case form == formJSON:
			fn.own = p.ownObject(t)
			fn.whole = fn.own != nil
		}
	}
	if fn.own != nil {
		return nil
	}
	keys := make([]string, len(fields))
	for i := range fields {
		f := &fields[i]
		keys[i] = f.key
		if said, ok := doc.parameters[f.key]; ok {
			f.annotate(said.text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(doc.parameters)) {
		said := doc.parameters[name]
		if contains(keys, name) || fn.whole && fn.argument().name == name {
			continue
		}
		switch i := slices.IndexFunc(fn.parameters, func(a parameter) bool { return a.name == name }); {
		case i >= 0:
			continue // the host gives it: what is said of it is for people
		default:
			text := "the comment describes a parameter %s, which %s does not have"
			if near := nearest.Name(name, keys); near != "" {
				p.problem(said.pos, text+": did you mean %s?", name, fn.name, near)
			} else {
				p.problem(said.pos, text, name, fn.name)
			}
		}
	}
	return fields
}

// argument is the only parameter that the model fills.
func (fn *function) argument() parameter {
	i := slices.IndexFunc(fn.parameters, func(p parameter) bool { return p.inject == "" })
	return fn.parameters[i]
}

// results reads what a function returns: nothing, an error, a value, or both.
func (p *program) results(fn *function, signature *types.Signature) {
	results := signature.Results()
	n := results.Len()
	if n > 0 && types.Identical(results.At(n-1).Type(), types.Universe.Lookup("error").Type()) {
		fn.fails = true
		n--
	}
	if n > 1 || n == 1 && results.Len() == 2 && !fn.fails {
		p.problem(fn.pos, "%s returns %s: a tool returns a value, an error, or a value and an error", fn.name, results)
		return
	}
	if n == 0 {
		return
	}
	fn.result = results.At(0).Type()
	if why := unfitResult(fn.result, map[types.Type]bool{}); why != "" {
		p.problem(fn.pos, "%s: its result is of type %s: %s", fn.name, short(fn.result), why)
	}
}

// unfitResult says why no model can read a result of type t, as tool.New would.
func unfitResult(t types.Type, seen map[types.Type]bool) string {
	t = types.Unalias(t)
	if seen[t] || isNamed(t, toolPath, "Result") || has(t, "MarshalJSON") || has(t, "MarshalText") {
		return ""
	}
	seen[t] = true
	if ptr, ok := t.(*types.Pointer); ok {
		if named, ok := types.Unalias(ptr.Elem()).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == messagePath {
			return "return the part by value"
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return short(t) + " has no JSON form: return data, or a tool.Result"
	case *types.Basic:
		if u.Info()&types.IsComplex != 0 || u.Kind() == types.UnsafePointer {
			return short(t) + " has no JSON form: return data, or a tool.Result"
		}
		if u.Kind() == types.Invalid {
			return "it is not known: it may be misspelt, or its package may not build"
		}
	case *types.Map:
		key, ok := u.Key().Underlying().(*types.Basic)
		if (!ok || key.Info()&(types.IsString|types.IsInteger) == 0) && !has(u.Key(), "MarshalText") {
			return "the keys of " + short(t) + " have no JSON form: use strings or integers"
		}
		return unfitResult(u.Elem(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			v := u.Field(i)
			if !v.Exported() && !v.Embedded() || strings.Contains(u.Tag(i), `json:"-"`) {
				continue
			}
			if why := unfitResult(v.Type(), seen); why != "" {
				return "field " + v.Name() + ": " + why
			}
		}
	default:
		if inner := elem(t); inner != nil {
			return unfitResult(inner, seen)
		}
	}
	return ""
}
