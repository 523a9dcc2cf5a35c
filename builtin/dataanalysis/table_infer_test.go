package dataanalysis

import (
	"strings"
	"testing"
)

// A column's type is that of its values, and what a model would not expect of it
// is said with the result and in the listing.
func TestColumnsAndWhatIsSaidOfThem(t *testing.T) {
	t.Parallel()
	const mostly = ", though most values are numbers: CAST(x AS REAL) compares them as such]\n"
	thousands := func(value, mark string) string {
		return "[x is TEXT because " + value + " in row 1 may be thousands or decimals: as thousands it is CAST(replace(x, '" + mark + "', '') AS INTEGER), as decimals CAST(replace(x, ',', '.') AS REAL)]\n"
	}
	for _, c := range []struct{ file, content, typ, want, note string }{
		{"t.jsonl", "{\"x\":1e5}\n{\"x\":20}\n{\"x\":3}\n", "REAL", "100000.0", ""},
		{"t.csv", "x,y\n1e5,1\n20,1\n3,1\n", "TEXT", "3", `[x is TEXT because of "1e5" in row 1` + mostly},
		{"t.csv", "x,y\n1.000000000000000056e-01,1\n5.000000000000000000e-01,1\n2.010000000000000142e+01,1\n", "REAL", "20.1", ""},
		{"t.csv", "x\n0.10000000000000001\n9\n10\n", "REAL", "10.0", ""},
		{"t.csv", "x\n0.1000000000000000055511151231257827021181583404541015625\n9\n", "REAL", "9.0", ""},
		{"t.csv", "x\n0.10000000000000002\n0.1234567890123456789\n7\n", "TEXT", "7", `[x is TEXT because of "0.1234567890123456789" in row 2` + mostly},
		{"t.csv", "x\n.5\n-.25\n", "REAL", "0.5", ""},
		{"t.csv", "x,y\n10,a\n  ,b\n9,c\n", "INTEGER", "10", ""},
		{"t.csv", "x,y\n   ,a\n,b\n", "TEXT", "   ", ""},
		{"t.csv", "x,y\n1,a\nN/A,b\n3,c\n", "TEXT", "N/A", `[x is TEXT because of "N/A" in row 2` + mostly},
		{"t.csv", "x\n9007199254740993\n1.5\n", "TEXT", "9007199254740993", `[x is TEXT because of "9007199254740993" in row 1` + mostly},
		{"t.csv", "x\n1.5\n9007199254740993\n", "TEXT", "9007199254740993", `[x is TEXT because of "9007199254740993" in row 2` + mostly},
		{"t.csv", "x\n9007199254740993\n2\n", "INTEGER", "9007199254740993", ""},
		{"t.csv", "art;x\nA;1.000\nB;2.500\nC;500\n", "TEXT", "500", thousands("1.000", ".")},
		{"t.csv", "art;x\nA;1,000\nB;2,500\nC;500\n", "TEXT", "500", thousands("1,000", ",")},
		{"t.csv", "art;x\nA;1,000\nB;2,50\nC;500\n", "REAL", "500.0", ""},
		{"t.csv", "art;x\nA;0,125\nB;2,500\n", "REAL", "2.5", ""},
		{"t.csv", "x\n1.000\n2.500\n", "REAL", "2.5", ""}, // no ; file
		{"t.csv", "x\n1\n\n2\n", "INTEGER", "2", ""},      // an empty line is no row
		{"t.csv", "x\nplain\n1\n", "TEXT", "plain", ""},
	} {
		_, root := folder(t, map[string]string{c.file: c.content})
		one := sqlOf(t, Config{Data: root})
		want := "m\n" + c.want + "\n" + c.note
		if got := mustAsk(t, one, "SELECT max(x) AS m FROM t"); got != want {
			t.Errorf("%q: got %s, want %s", c.content, got, want)
		}
		if got := mustAsk(t, one, ""); !strings.Contains(got, "x "+c.typ) || !strings.HasSuffix(got, c.note) {
			t.Errorf("%q: %s", c.content, got)
		}
	}
	_, root := folder(t, map[string]string{"t.csv": "a,b\r1,2\r3,4\r", "rows.csv": "x\n1\n\n  \n2\n"})
	one := sqlOf(t, Config{Data: root})
	if _, err := ask(t.Context(), one, "SELECT * FROM t"); err == nil || !strings.HasPrefix(err.Message, "t.csv: its lines end in CR alone") {
		t.Errorf("lone CRs: %v", err)
	}
	if got := mustAsk(t, one, "SELECT count(*) AS n, count(x) AS x FROM rows"); got != "n,x\n3,2\n" {
		t.Errorf("blanks: %s", got)
	}
}
