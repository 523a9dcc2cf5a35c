package gen

import (
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// names gives the generated file names that nothing else in the package has.
type names struct {
	own     *types.Package
	taken   map[string]bool
	imports map[string]string // path to name
	used    []string          // paths
}

func newNames(p *program) *names {
	n := &names{own: p.pkg, taken: map[string]bool{}, imports: map[string]string{}}
	for _, name := range p.pkg.Scope().Names() {
		n.taken[name] = true
	}
	for _, name := range types.Universe.Names() {
		n.taken[name] = true
	}
	return n
}

// free returns name, or name with a number.
func (n *names) free(name string) string {
	free := name
	for i := 2; n.taken[free]; i++ {
		free = name + strconv.Itoa(i)
	}
	n.taken[free] = true
	return free
}

// imported returns the name under which the file imports a package.
func (n *names) imported(path, name string) string {
	if alias, ok := n.imports[path]; ok {
		return alias
	}
	n.imports[path] = n.free(name)
	n.used = append(n.used, path)
	return n.imports[path]
}

// typ writes a type.
func (n *names) typ(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == n.own || p.Path() == n.own.Path() {
			return ""
		}
		return n.imported(p.Path(), p.Name())
	})
}

// importLines writes the imports: Go's own first.
func (n *names) importLines() string {
	slices.Sort(n.used)
	var own, others []string
	for _, path := range n.used {
		line := "\t" + strconv.Quote(path) + "\n"
		if name := n.imports[path]; name != path[strings.LastIndexByte(path, '/')+1:] {
			line = "\t" + name + " " + strconv.Quote(path) + "\n"
		}
		first, _, _ := strings.Cut(path, "/")
		if strings.Contains(first, ".") || first == "helve" {
			others = append(others, line)
		} else {
			own = append(own, line)
		}
	}
	return "import (\n" + strings.Join(own, "") + "\n" + strings.Join(others, "") + ")\n"
}

// camel makes a part of an identifier of a type: PairIntItem of Pair[int, Item].
func camel(text string) string {
	var b strings.Builder
	up := true
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
