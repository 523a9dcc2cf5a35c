package dataanalysis

import (
	"bytes"
	"encoding/xml"
	"fmt"
	stdimage "image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/plot"

	"helve/message"
	"helve/tool"
	"helve/tool/tooltest"
)

var (
	white = color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}
	kinds = []string{"line", "bar", "scatter", "histogram", "box"}
)

// draws calls plot_tool and returns the picture, which must be the same as the
// image part, as the artifact and as the file.
func (f *folders) draws(in plotInput) (stdimage.Image, string) {
	f.t.Helper()
	if in.Width == 0 {
		in.Width, in.Height = 300, 200
	}
	result, err := f.call("plot_tool", in)
	if err != nil {
		f.t.Fatalf("%+v: %v", in, err)
	}
	saved, ok := result.Artifact.(Saved)
	if !ok {
		f.t.Fatalf("artifact %T", result.Artifact)
	}
	part, ok := result.Content[len(result.Content)-1].(message.Image)
	if !ok || part.MediaType != "image/png" || !bytes.Equal(part.Data, saved.Data) {
		f.t.Fatalf("the image part is not the artifact: %T", result.Content[len(result.Content)-1])
	}
	file, err := os.ReadFile(filepath.Join(f.output, saved.Path))
	if err != nil || !bytes.Equal(file, saved.Data) || saved.Size != int64(len(file)) {
		f.t.Fatalf("the file is not the artifact: %v", err)
	}
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		f.t.Fatal(err)
	}
	return picture, result.Text()
}

// colours counts the pixels of each colour.
func colours(picture stdimage.Image) map[color.RGBA]int {
	flat := stdimage.NewRGBA(picture.Bounds())
	draw.Draw(flat, flat.Bounds(), picture, picture.Bounds().Min, draw.Src)
	count := map[color.RGBA]int{}
	for p := flat.Pix; len(p) > 0; {
		run := 4 // bytes alike
		for run < len(p) && [4]byte(p[run:]) == [4]byte(p) {
			run += 4
		}
		count[color.RGBA{p[0], p[1], p[2], p[3]}] += run / 4
		p = p[run:]
	}
	return count
}

func numbered(n int, f func(i int) []any) *given {
	g := &given{}
	for i := range n {
		g.Rows = append(g.Rows, f(i))
	}
	for i := range g.Rows[0] {
		g.Columns = append(g.Columns, fmt.Sprintf("c%d", i))
	}
	return g
}

func TestEveryKindIsDrawn(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	wave := func(i int) float64 { return 100 * math.Sin(float64(i)/5) }
	tests := []struct {
		name   string
		in     plotInput
		series int // whose colours must be there
		says   string
	}{
		{"line over dates", plotInput{Kind: "line", Data: numbered(60, func(i int) []any {
			return []any{fmt.Sprintf("2026-%02d-%02d", i/28+1, i%28+1), wave(i), wave(i + 9)}
		})}, 2, "120 points (c1, c2)"},
		{"line over numbers with gaps", plotInput{Kind: "line", Data: numbered(9, func(i int) []any {
			if i == 4 {
				return []any{2015 + i, nil}
			}
			return []any{2015 + i, i * i}
		})}, 1, "9 points"},
		{"line over categories", plotInput{Kind: "line", Data: numbered(5, func(i int) []any { return []any{fmt.Sprint("step ", i), i} })}, 1, "5 categories"},
		{"long form", plotInput{Kind: "line", Data: numbered(30, func(i int) []any { return []any{i / 3, string(rune('a' + i%3)), i} })}, 3, "(a, b, c)"},
		{"bars", plotInput{Kind: "bar", Data: numbered(4, func(i int) []any { return []any{fmt.Sprint("r", i), i + 1} })}, 1, "4 categories"},
		{"grouped bars", plotInput{Kind: "bar", Data: numbered(4, func(i int) []any { return []any{fmt.Sprint("r", i), i + 1, 3, -2} })}, 3, "(c1, c2, c3)"},
		{"stacked bars", plotInput{Kind: "bar", Stacked: true, Data: numbered(4, func(i int) []any { return []any{fmt.Sprint("r", i), i + 1, 3, -2} })}, 3, "a stacked bar chart"},
		{"bars of years", plotInput{Kind: "bar", Data: numbered(4, func(i int) []any { return []any{2020 + i, 7} })}, 1, "4 categories"},
		{"histogram", plotInput{Kind: "histogram", Data: numbered(500, func(i int) []any { return []any{wave(i)} })}, 1, "500 values, mean"},
		{"histogram of one value", plotInput{Kind: "histogram", Data: numbered(3, func(int) []any { return []any{5} })}, 1, "mean 5"},
		{"numbers as text", plotInput{Kind: "bar", Data: numbered(2, func(i int) []any { return []any{"x" + fmt.Sprint(i), "12.50"} })}, 1, "2 categories"},
		{"small and large numbers", plotInput{Kind: "line", Data: numbered(5, func(i int) []any { return []any{i, math.Pow(1000, float64(i)) / 1e9} })}, 1, "5 points"},
		{"all the same", plotInput{Kind: "line", Data: numbered(5, func(i int) []any { return []any{i, 0} })}, 1, "5 points"},
		{"one point", plotInput{Kind: "line", Data: numbered(1, func(i int) []any { return []any{"2026-01-01", 3} })}, 1, "1 point"},
		{"twelve series", plotInput{Kind: "bar", Data: numbered(3, func(i int) []any { return append([]any{fmt.Sprint(i)}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) })}, 12, "3 categories"},
		{"many long labels", plotInput{Kind: "bar", Data: numbered(100, func(i int) []any { return []any{fmt.Sprint(strings.Repeat("long ", 30), i), i + 1} })}, 1, "100 categories"},
		{"the smallest", plotInput{Kind: "bar", Width: 300, Height: 200, Title: strings.Repeat("title ", 50), XLabel: strings.Repeat("x", 200), YLabel: strings.Repeat("y", 200), Data: numbered(4, func(i int) []any { return []any{fmt.Sprint(i), i + 1} })}, 1, "600 × 400 pixels"},
	}
	for i, test := range tests {
		if underRace && i%10 != 0 {
			continue
		}
		picture, text := f.draws(test.in)
		found := colours(picture)
		if n := found[white]; n < 1000 || n == picture.Bounds().Dx()*picture.Bounds().Dy() {
			t.Errorf("%s: %d white pixels", test.name, n)
		}
		for i := range test.series {
			if found[colour(i)] < 20 {
				t.Errorf("%s: series %d has %d pixels of its colour", test.name, i, found[colour(i)])
			}
		}
		if !strings.Contains(text, test.says) {
			t.Errorf("%s: %q lacks %q", test.name, text, test.says)
		}
	}
	// Dots and boxes are mixed with the white below them.
	for _, kind := range []string{"scatter", "box"} {
		picture, _ := f.draws(plotInput{Kind: kind, Title: kind, Data: numbered(50, func(i int) []any { return []any{i, wave(i)} })})
		if found := colours(picture); len(found) < 10 {
			t.Errorf("%s: %d colours", kind, len(found))
		}
	}
}

// A bar of 4 is twice as high as one of 2, measured in the picture.
func TestBarsAreAsHighAsTheirNumbers(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	picture, _ := f.draws(plotInput{Kind: "bar", Data: &given{[]string{"x", "two", "four"}, []givenRow{{"a", 2, 4}}}})
	found := colours(picture)
	ratio := float64(found[colour(1)]) / float64(found[colour(0)])
	if ratio < 1.95 || ratio > 2.05 {
		t.Errorf("the areas are as 1 to %.3f", ratio)
	}
}

func TestPlotFromSQL(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	f.write("sales.csv", []byte("day,region,amount\n2026-01-01,North,10.50\n2026-01-02,South,7.25\n2026-01-03,North,4.00\n"))
	_, text := f.draws(plotInput{Kind: "bar", SQL: "SELECT region, SUM(amount) AS total FROM sales GROUP BY region"})
	if !strings.Contains(text, "“Total by region” with 2 categories") || !strings.Contains(text, "total-by-region.png") {
		t.Error(text)
	}
	_, text = f.draws(plotInput{Kind: "bar", SQL: "SELECT region, SUM(amount) AS total FROM sales GROUP BY region"})
	if !strings.Contains(text, "total-by-region-2.png") {
		t.Errorf("the second picture takes the place of the first: %s", text)
	}
	f.fails("plot_tool", plotInput{Kind: "bar", SQL: "SELECT region, amount FROM sales"}, "several rows", "GROUP BY region")
	f.fails("plot_tool", plotInput{Kind: "bar", SQL: "SELECT * FROM nothing"}, "nothing")
	f.fails("plot_tool", plotInput{Kind: "line", SQL: "SELECT day, region FROM sales"}, `"region" is not numeric`, `"North"`)
	f.fails("plot_tool", plotInput{Kind: "line", SQL: "SELECT * FROM sales WHERE amount > 100"}, "no rows")
}

func TestPlotSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	many := func(n, columns int) *given {
		return numbered(n, func(i int) []any {
			row := []any{fmt.Sprint("x", i)}
			for range columns {
				row = append(row, i)
			}
			return row
		})
	}
	tests := []struct {
		in    plotInput
		words []string
	}{
		{plotInput{Kind: "pie", Data: many(1, 1)}, []string{"/kind"}},
		{plotInput{Kind: "line"}, []string{"nothing to draw"}},
		{plotInput{Kind: "line", SQL: "SELECT 1", Data: many(1, 1)}, []string{"not both"}},
		{plotInput{Kind: "line", Data: &given{[]string{"x", "y"}, []givenRow{{1}}}}, []string{"/data/rows/0", "1 values", "2 names"}},
		{plotInput{Kind: "line", Data: &given{[]string{"x", "y"}, []givenRow{}}}, []string{"no rows"}},
		{plotInput{Kind: "line", Data: &given{[]string{"x"}, []givenRow{{1}}}}, []string{"two columns"}},
		{plotInput{Kind: "line", Data: &given{[]string{"x", "y"}, []givenRow{{1, nil}}}}, []string{"every value is empty"}},
		{plotInput{Kind: "line", Data: &given{[]string{"x", "y"}, []givenRow{{nil, 1}}}}, []string{`1`}},
		{plotInput{Kind: "line", Data: &given{[]string{"x", "y"}, []givenRow{{1, "Inf"}}}}, []string{"not numeric"}},
		{plotInput{Kind: "line", Data: &given{[]string{"x", "y"}, []givenRow{{1, []int{3}}}}}, []string{"/data/rows/0/1", "got an array"}},
		{plotInput{Kind: "line", Data: &given{[]string{"x", "y"}, []givenRow{{1, 1e200}}}}, []string{"too large"}},
		{plotInput{Kind: "histogram", Data: &given{[]string{"x"}, []givenRow{{1}, {1e200}}}}, []string{"too large"}},
		{plotInput{Kind: "scatter", Data: many(3, 1)}, []string{"scatter", `"x0"`}},
		{plotInput{Kind: "bar", Data: many(101, 1)}, []string{"101 categories", "LIMIT"}},
		{plotInput{Kind: "bar", Data: many(2, 13)}, []string{"13 series", "at most 12"}},
		{plotInput{Kind: "bar", Data: &given{[]string{"a b", "y"}, []givenRow{{"p", 1}, {"p", 2}}}}, []string{`"a b" = "p" stands in several rows: aggregate, as in SELECT "a b", SUM(y) … GROUP BY "a b"`}},
		{plotInput{Kind: "bar", Data: &given{[]string{"", ""}, []givenRow{{"", 1}, {"", 2}}}}, []string{`several rows have "(empty)" in the first column: aggregate, and give the columns names, as in SELECT a AS x, SUM(b) AS y … GROUP BY a`}},
		{plotInput{Kind: "histogram", Data: &given{[]string{"y"}, []givenRow{{1e16}, {1e16 + 2}, {1e16 + 4}}}}, []string{"too close to each other", "subtract 1e+16"}},
		{plotInput{Kind: "line", Data: &given{[]string{"x", "y"}, []givenRow{{1, 1e15}, {2, 1e15 + 1}}}}, []string{"too close to each other"}},
		{plotInput{Kind: "histogram", Data: many(2, 1)}, []string{"not numeric"}},
		{plotInput{Kind: "histogram", Data: numbered(2, func(int) []any { return []any{1, 2, 3, 4} })}, []string{"at most 3"}},
		{plotInput{Kind: "line", Data: numbered(20_000, func(i int) []any { return []any{i, 1, 2, 3, 4} })}, []string{"80000 points", "aggregate"}},
		{plotInput{Kind: "scatter", Format: "svg", Data: numbered(20_000, func(i int) []any { return []any{i, i * i % 977, i * i % 991} })}, []string{"picture has", "png"}},
	}
	for _, test := range tests {
		if underRace && test.in.Data != nil && len(test.in.Data.Rows) > 1000 {
			continue
		}
		if test.words[0] == "1" { // every x is empty: it is no number, no date, and so a category
			f.draws(test.in)
			continue
		}
		f.fails("plot_tool", test.in, test.words...)
	}
	if left, _ := os.ReadDir(f.output); len(left) != 1 {
		t.Errorf("calls that failed left %d files", len(left)-1)
	}
}

func TestPlotAsSVG(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	in := plotInput{Kind: "line", Format: "svg", Title: "A <b> & “title”\x01", XLabel: "days", YLabel: "€", Data: &given{[]string{"x", "first", "second"}, []givenRow{{1, 2, 3}, {2, 4, 1}}}}
	result, err := f.call("plot_tool", in)
	if err != nil {
		t.Fatal(err)
	}
	saved := result.Artifact.(Saved)
	if len(result.Content) != 1 || saved.MediaType != "image/svg+xml" || !strings.Contains(result.Text(), "can't see an SVG") {
		t.Errorf("%+v", result.Content)
	}
	file, err := os.ReadFile(filepath.Join(f.output, saved.Path))
	if err != nil || !bytes.Equal(file, saved.Data) {
		t.Fatal(err)
	}
	var texts []string
	d := xml.NewDecoder(bytes.NewReader(file))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the SVG is no XML: %v", err)
		}
		if text, ok := token.(xml.CharData); ok {
			texts = append(texts, string(text))
		}
	}
	all := strings.Join(texts, "|")
	for _, want := range []string{"A <b> & “title”", "days", "€", "first", "second"} {
		if !strings.Contains(all, "|"+want+"|") {
			t.Errorf("the SVG lacks %q: %s", want, all)
		}
	}
	for i := range 2 {
		c := colour(i)
		if hex := fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B); !bytes.Contains(file, []byte(hex)) {
			t.Errorf("the SVG lacks %s", hex)
		}
	}
}

func TestPlotWithoutAFolder(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	f.config.Output = nil
	result, err := f.call("plot_tool", plotInput{Kind: "bar", Width: 300, Height: 200, Data: &given{[]string{"x", "y"}, []givenRow{{"a", 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	if saved := result.Artifact.(Saved); saved.Path != "" || len(saved.Data) == 0 || !strings.Contains(result.Text(), "not saved") {
		t.Errorf("%+v %s", saved.Path, result.Text())
	}
}

// Pictures with one title that are made at once get names of their own.
func TestPlotsAtOnce(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	p, err := plotTool(newData(mustDefaults(t, f.config)))
	if err != nil {
		t.Fatal(err)
	}
	const n = 4
	var wait sync.WaitGroup
	for range n {
		wait.Go(func() {
			_, err := tool.Invoke(t.Context(), p, tool.Call{Name: "plot_tool", Arguments: []byte(`{"kind":"bar","title":"../Same: 图 / title","width":300,"height":200,"data":{"columns":["x","y"],"rows":[["a",1]]}}`)})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	entries, err := os.ReadDir(f.output)
	if err != nil || len(entries) != n {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "same-图-title") {
			t.Errorf("a file %q", e.Name())
		}
	}
}

func TestCharactersWithoutAFont(t *testing.T) {
	t.Parallel()
	none := newFonts([]string{t.TempDir()})
	if h, missing := none.forText([]string{"Größe Ω Я 1,5 €"}); missing != "" || len(h.others) > 0 {
		t.Errorf("missing %q", missing)
	}
	if _, missing := none.forText([]string{"区域 region 区"}); missing != "区域" {
		t.Errorf("missing %q", missing)
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "NotoSansCJK-Regular.ttc"), []byte("ttcf and no font"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, missing := newFonts([]string{broken}).forText([]string{"区"}); missing != "区" {
		t.Errorf("missing %q", missing)
	}
	f := newFolders(t)
	p := &artist{data: newData(mustDefaults(t, f.config)), fonts: none}
	for format, want := range map[string]string{"png": "fonts-noto-cjk", "svg": "font of their own"} {
		result, err := p.call(t.Context(), plotInput{Kind: "bar", Width: 300, Height: 200, Format: format, Title: "区域", Data: &given{[]string{"x", "y"}, []givenRow{{"a", 1}}}})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(result.Text(), "区域") || !strings.Contains(result.Text(), want) {
			t.Errorf("%s: %s", format, result.Text())
		}
	}
}

// A machine with a Chinese font draws Chinese.
func TestCharactersOfTheMachine(t *testing.T) {
	t.Parallel()
	h, missing := newFonts(systemFontFolders()).forText([]string{"销售额 2026"})
	if missing != "" {
		t.Skip("this machine has no Chinese font: install fonts-droid-fallback")
	}
	if len(h.others) == 0 || h.fontOf('2') != -1 || h.fontOf('销') < 0 {
		t.Errorf("2 is written in font %d, 销 in font %d", h.fontOf('2'), h.fontOf('销'))
	}
	width, _, _ := h.Box("销售额 2026", sans)
	latin, _, _ := h.Box("2026", sans)
	if width <= latin {
		t.Errorf("%v is not wider than %v", width, latin)
	}
}

func TestTicksAreRound(t *testing.T) {
	t.Parallel()
	tests := []struct {
		low, high float64
		whole     bool
		want      string
	}{
		{0, 100, false, "0 20 40 60 80 100"},
		{0, 24_120, false, "0 5,000 10,000 15,000 20,000 25,000"},
		{2019, 2023, true, "2019 2020 2021 2022 2023"},
		{0, 3.4e6, false, "0 1M 2M 3M 4M"},
		{-3, 7, false, "-4 -2 0 2 4 6 8"},
		{0.001, 0.0042, false, "0.001 0.002 0.003 0.004 0.005"},
		{5, 5, false, "2 3 4 5 6 7 8"},
		{1e15, 1e15 + 2000, false, "1e+15 1.0000000000005e+15 1.000000000001e+15 1.0000000000015e+15 1.000000000002e+15"},
	}
	for _, test := range tests {
		marks, first, last := ticks(test.low, test.high, 5, test.whole)
		var labels []string
		for _, m := range marks {
			labels = append(labels, m.Label)
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("%v to %v: %s, want %s", test.low, test.high, got, test.want)
		}
		if first > test.low || last < test.high {
			t.Errorf("%v to %v: the axis goes from %v to %v", test.low, test.high, first, last)
		}
	}
}

func TestTimeTicksFollowTheCalendar(t *testing.T) {
	t.Parallel()
	at := func(text string) float64 {
		when, ok := moment(text)
		if !ok {
			t.Fatalf("%q is no time", text)
		}
		return float64(when.UnixMilli()) / 1000
	}
	for _, test := range []struct{ low, high, want string }{
		{"2025-01-01", "2025-12-01", "Jan 2025|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"},
		{"2024-11-15", "2025-03-01", "25 Nov 2024|9 Dec|23 Dec|6 Jan 2025|20 Jan|3 Feb|17 Feb"},
		{"2025-05-05 08:00", "2025-05-05 12:30", "5 May 08:00|09:00|10:00|11:00|12:00"},
		{"1990-01-01", "2025-01-01", "1990|1995|2000|2005|2010|2015|2020|2025"},
		{"2025-01-01T00:00:00.1Z", "2025-01-01T00:00:00.2Z", "1 Jan 00:00:00.10|00:00:00.11|00:00:00.12|00:00:00.13|00:00:00.14|00:00:00.15|00:00:00.16|00:00:00.17|00:00:00.18|00:00:00.19|00:00:00.20"},
		{"2025-02-27", "2025-03-03", "27 Feb 2025|28 Feb|1 Mar|2 Mar|3 Mar"},
	} {
		var labels []string
		for _, m := range timeTicks(at(test.low), at(test.high), 12) {
			labels = append(labels, m.Label)
		}
		if got := strings.Join(labels, "|"); got != test.want {
			t.Errorf("%s to %s:\n%s, want\n%s", test.low, test.high, got, test.want)
		}
	}
}

func TestMarksDoNotOverlap(t *testing.T) {
	t.Parallel()
	var marks []plot.Tick
	for i := range 40 {
		marks = append(marks, plot.Tick{Value: float64(10 * i), Label: "1000"})
	}
	for _, test := range []struct {
		width float64
		want  int
	}{{9, 40}, {11, 20}, {45, 8}, {1000, 1}} {
		if got := apart(marks, func(string) float64 { return test.width }); len(got) != test.want {
			t.Errorf("labels as wide as %v: %d marks, want %d", test.width, len(got), test.want)
		}
	}
}

// noPlace is a path through a point that is nowhere.
var noPlace = regexp.MustCompile(`<path d="[^"]*(NaN|Inf)`)

// Whatever rows a model gives, there is a picture or an error, and no value is
// lost in a histogram.
func FuzzChart(f *testing.F) {
	own := newFonts(nil)
	f.Add("a", 1.0, "b", -2.5, uint8(0))
	f.Add("2026-01-01", 1e99, "2026-01-02", 0.0, uint8(3))
	f.Add("0001-01-01", 1e-300, "9999-12-31", 5e-324, uint8(0))
	f.Add("1", 3.0, "99999999999999999999", 3.0, uint8(2))
	f.Fuzz(func(t *testing.T, x0 string, y0 float64, x1 string, y1 float64, k uint8) {
		in := plotInput{Kind: kinds[int(k)%len(kinds)], Title: x0, Format: "svg", Width: 300, Height: 200}.withDefaults()
		tab := &table{columns: []string{x1, "y"}, rows: [][]any{{x0, y0}, {x1, y1}, {nil, nil}}}
		if in.Kind == "histogram" {
			tab = &table{columns: []string{x1}, rows: [][]any{{y0}, {y1}, {nil}}}
		}
		c, err := newChart(in, tab)
		if err != nil {
			return
		}
		if in.Kind == "histogram" {
			total := 0.0
			for _, n := range c.series[0].y {
				total += n
			}
			if total != 2 {
				t.Errorf("the bins hold %v of 2 values", total)
			}
		}
		p := &artist{fonts: own}
		picture, err := p.render(c, in)
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(picture, new(struct{})); err != nil {
			t.Errorf("the SVG is no XML: %v", err)
		}
		if noPlace.Match(picture) {
			t.Errorf("a place is no number: %s", picture)
		}
	})
}

func TestPlotAndExcelConform(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	f.write("shop.xlsx", shop(t))
	d := newData(mustDefaults(t, f.config))
	format := "png"
	if underRace {
		format = "svg"
	}
	for name, test := range map[string]struct {
		make     func(*data) (tool.Tool, error)
		examples []string
	}{
		"plot": {plotTool, []string{`{"kind":"bar","format":"` + format + `","width":300,"height":200,"data":{"columns":["x","y"],"rows":[["a",1]]}}`}},
		"excel": {excelTool, []string{
			`{"operation":"list"}`, `{"operation":"summarise","file":"shop.xlsx"}`, `{"operation":"read","file":"shop.xlsx"}`,
			`{"operation":"write","file":"new.xlsx","overwrite":true,"columns":["a"],"rows":[[1]]}`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tooltest.Run(t, func(t *testing.T) tool.Tool {
				made, err := test.make(d)
				if err != nil {
					t.Fatal(err)
				}
				return made
			}, test.examples...)
		})
	}
}
