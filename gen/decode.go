package gen

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

const argsPath = "helve/tool/args"

// decoder writes the code that reads arguments.
type decoder struct {
	*program
	*names
	readers typeutil.Map // names of functions that read a type
	written []string     // the functions, in the order of their names' making

	r, o, v string // the variables of the generated functions
}

func (d *decoder) args() string { return d.imported(argsPath, "args") }

// reader returns a function that reads a t: one of package args, one that was
// written for it, or a literal.
func (d *decoder) reader(t types.Type) string {
	t = types.Unalias(t)
	form, _ := d.form(t) // it has one: the schema was made
	switch form {
	case formBasic:
		return d.args() + "." + basicReader(t) + "[" + d.typ(t) + "]"
	case formText:
		return d.args() + ".Text[" + d.typ(t) + "]"
	case formBytes:
		return d.args() + ".Bytes[" + d.typ(t) + "]"
	case formRaw:
		return d.args() + ".Raw"
	case formAny, formJSON, formSet:
		return d.args() + ".JSON[" + d.typ(t) + "]"
	case formStruct:
		return d.function(t)
	}
	_, named := t.(*types.Named)
	if _, array := t.Underlying().(*types.Array); array || named {
		return d.function(t)
	}
	return fmt.Sprintf("func(%s *%s.Reader) %s { return %s }", d.r, d.args(), d.typ(t), d.value(t))
}

// value returns an expression that reads a t from r.
func (d *decoder) value(t types.Type) string {
	t = types.Unalias(t)
	form, _ := d.form(t)
	_, named := t.(*types.Named)
	if _, array := t.Underlying().(*types.Array); named || array {
		return d.reader(t) + "(" + d.r + ")"
	}
	switch form {
	case formSlice, formMap, formPtr:
		return d.compound(t)
	}
	return d.reader(t) + "(" + d.r + ")"
}

// compound returns an expression that reads a slice, a map or a pointer.
func (d *decoder) compound(t types.Type) string {
	inner := d.reader(elem(t))
	switch t.Underlying().(type) {
	case *types.Map:
		return fmt.Sprintf("%s.Map[%s](%s, %s)", d.args(), d.typ(t), d.r, inner)
	case *types.Pointer:
		return fmt.Sprintf("%s.Pointer(%s, %s)", d.args(), d.r, inner)
	}
	return fmt.Sprintf("%s.Slice[%s](%s, %s)", d.args(), d.typ(t), d.r, inner)
}

func basicReader(t types.Type) string {
	b, _ := t.Underlying().(*types.Basic)
	switch info := b.Info(); {
	case info&types.IsString != 0:
		return "String"
	case info&types.IsBoolean != 0:
		return "Bool"
	case info&types.IsFloat != 0:
		return "Float"
	case info&types.IsUnsigned != 0:
		return "Uint"
	}
	return "Int"
}

// function returns the name of the function that reads a t, and writes it once.
func (d *decoder) function(t types.Type) string {
	if name, ok := d.readers.At(t).(string); ok {
		return name
	}
	called := "Struct"
	if named, ok := t.(*types.Named); ok {
		called = camel(types.TypeString(named, d.qualify))
	} else if _, ok := t.Underlying().(*types.Array); ok {
		called = "Array"
	}
	name := d.free("helveRead" + called)
	d.readers.Set(t, name)
	place := len(d.written)
	d.written = append(d.written, "")
	var body string
	switch u := t.Underlying().(type) {
	case *types.Struct:
		describer := &describer{program: d.program}
		body = d.switchOver(describer.structFields(t), d.v+".") + "\treturn " + d.v + "\n"
	case *types.Array:
		body = fmt.Sprintf("\t%s.Array(%s, %s[:], %s)\n\treturn %s\n", d.args(), d.r, d.v, d.reader(u.Elem()), d.v)
	default:
		body = "\treturn " + d.compound(t) + "\n"
	}
	d.written[place] = fmt.Sprintf("func %s(%s *%s.Reader) (%s %s) {\n%s}\n", name, d.r, d.args(), d.v, d.typ(t), body)
	return name
}

// qualify names the packages of types but the own.
func (d *decoder) qualify(p *types.Package) string {
	if p.Path() == d.own.Path() {
		return ""
	}
	return p.Name()
}

// switchOver reads the keys of an object into the fields of a variable.
func (d *decoder) switchOver(fields []field, variable string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\tfor %[1]s := %[2]s.Object(); %[1]s.Next(); {\n\t\tswitch string(%[1]s.Key) {\n", d.o, d.r)
	for _, f := range fields {
		fmt.Fprintf(&b, "\t\tcase %s:\n", strconv.Quote(f.key))
		target := strings.TrimSuffix(variable, ".")
		for i, s := range f.path {
			target += "." + s.name
			if s.pointer != nil && i < len(f.path)-1 {
				fmt.Fprintf(&b, "\t\t\tif %s == nil {\n\t\t\t\t%s = new(%s)\n\t\t\t}\n", target, target, d.typ(s.pointer))
			}
		}
		if len(f.path) == 0 {
			target += "." + f.name
		}
		fmt.Fprintf(&b, "\t\t\t%s = %s\n", target, d.value(f.typ))
	}
	fmt.Fprintf(&b, "\t\tdefault:\n\t\t\t%s.Skip()\n\t\t}\n\t}\n", d.r)
	return b.String()
}
