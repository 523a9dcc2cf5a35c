package httptool

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pageText is the words of a web page: its title and what a reader would see, in
// one line.
func pageText(page string) string {
	z := html.NewTokenizer(strings.NewReader(page))
	z.SetMaxBuf(1 << 20)
	var words []string
	unseen := atom.Atom(0) // the element whose content nobody sees
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(words, " ")
		case html.TextToken:
			if unseen == 0 {
				words = append(words, strings.Fields(string(z.Text()))...)
			}
		case html.StartTagToken:
			if name, _ := z.TagName(); unseen == 0 && isUnseen(atom.Lookup(name)) {
				unseen = atom.Lookup(name)
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); atom.Lookup(name) == unseen {
				unseen = 0
			}
		}
	}
}

func isUnseen(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Template, atom.Svg, atom.Noscript, atom.Iframe:
		return true
	}
	return false
}
