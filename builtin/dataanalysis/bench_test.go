package dataanalysis

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func manyRows(n int) string {
	var b strings.Builder
	b.WriteString("id,region,amount,day,note\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,region %d,%d.%02d,2026-%02d-%02d,some words about row %d\n", i, i%7, i%1000, i%100, i%12+1, i%28+1, i)
	}
	return b.String()
}

// A file of 100,000 rows for the first time, and a query over it afterwards.
func BenchmarkLoad100kRows(b *testing.B) {
	content := manyRows(100_000)
	dir, root := folder(b, map[string]string{"big.csv": content})
	one := sqlOf(b, Config{Data: root})
	b.SetBytes(int64(len(content)))
	for i := 0; b.Loop(); i++ {
		if err := os.Chtimes(filepath.Join(dir, "big.csv"), time.Time{}, time.Unix(int64(i), 0)); err != nil {
			b.Fatal(err)
		}
		mustAsk(b, one, "SELECT count(*) FROM big")
	}
}

func BenchmarkQuery100kRows(b *testing.B) {
	_, root := folder(b, map[string]string{"big.csv": manyRows(100_000)})
	one := sqlOf(b, Config{Data: root})
	mustAsk(b, one, "SELECT count(*) FROM big")
	for b.Loop() {
		mustAsk(b, one, "SELECT region, SUM(amount) AS total FROM big GROUP BY region ORDER BY total DESC")
	}
}

func BenchmarkSmallQuery(b *testing.B) {
	_, root := folder(b, map[string]string{"sales.csv": "region,amount\nNorth,1\n"})
	one := sqlOf(b, Config{Data: root})
	b.ReportAllocs()
	for b.Loop() {
		mustAsk(b, one, "SELECT region, SUM(amount) AS total FROM sales GROUP BY region")
	}
}
