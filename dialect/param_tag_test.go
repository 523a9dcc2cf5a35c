package dialect

import (
	"strings"
	"testing"
)

func TestReadParamTag(t *testing.T) {
	t.Parallel()
	words := []string{"param", "parameter", "x:param"}
	for _, c := range []struct {
		in   string
		want paramTag // n is the length without "…"
	}{
		{`<param=a>…`, paramTag{name: "a"}},
		{`<parameter=a b/c>…`, paramTag{name: "a b/c"}},
		{`<parameter= a >…`, paramTag{name: "a"}},
		{`<parameter="a>b" >…`, paramTag{name: "a>b"}},
		{`<parameter = a>…`, paramTag{name: "a"}},
		{`<parameter= "a">…`, paramTag{name: "a"}},
		{`<parameter name="a">…`, paramTag{name: "a"}},
		{`<parameter name = ' a '	>…`, paramTag{name: "a"}},
		{`<parameter name=a>…`, paramTag{name: "a"}},
		{"<parameter\nname=\"a\"\n>…", paramTag{name: "a"}},
		{`<parametername="a">…`, paramTag{name: "a"}},
		{`<parameter name="a" string="false">…`, paramTag{name: "a", asString: "false"}},
		{`<parameter filename="x" name="a">…`, paramTag{name: "a", others: true}},
		{`<parameter name="a&quot;&lt;&amp;lt;<">…`, paramTag{name: `a"<&lt;<`}},
		{`<parameter name="a"/>…`, paramTag{name: "a", empty: true}},
		{`<parameter name="a" />…`, paramTag{name: "a", empty: true}},
		{`<parameter> a </parameter>…`, paramTag{name: "a", inside: true}},
		{`<x:param name="a">…`, paramTag{name: "a"}},
		{`<参=a>…`, paramTag{}},
		{`<parameters=a>…`, paramTag{}},
		{`<parameters>…`, paramTag{}},
		{`<parameter>a</param>…`, paramTag{}},
		{`<parameter></parameter>…`, paramTag{}},
		{`<parameter=>…`, paramTag{}},
		{`<parameter=a<b>…`, paramTag{}},
		{`<parameter name="">…`, paramTag{}},
		{`<parameter name>…`, paramTag{}},
		{`<parameter a="b">…`, paramTag{}},
		{`<parameter name="a"<b>…`, paramTag{}},
		{`<parameter name="a"/ >…`, paramTag{}},
		{`<parameter nom="a">…`, paramTag{}},
		{`</parameter>…`, paramTag{}},
		{`< parameter=a>…`, paramTag{}},
		{`<parameter=` + strings.Repeat("a", 2*maxHeader) + `>…`, paramTag{}},
	} {
		tag, v := readParamTag(c.in, words, false)
		if c.want.name == "" {
			if v != fail {
				t.Errorf("%q: %+v, verdict %d", c.in, tag, v)
			}
			continue
		}
		n := strings.Index(c.in, "…")
		c.want.n = n
		if v != done || tag != c.want {
			t.Errorf("%q:\n got  %+v, verdict %d\n want %+v", c.in, tag, v, c.want)
		}
		for i := range n {
			if _, v := readParamTag(c.in[:i], words, false); v != more && i > 0 {
				t.Errorf("%q: the first %d bytes: verdict %d", c.in, i, v)
			}
			if _, v := readParamTag(c.in[:i], words, true); v != fail {
				t.Errorf("%q: cut after %d bytes: verdict %d", c.in, i, v)
			}
		}
	}
}
