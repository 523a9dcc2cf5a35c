package dataanalysis

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"helve/message"
	"helve/tool"
)

// Bounds on one picture. They keep a call within a second or two, and a picture
// within what a provider takes.
const (
	maxPlotRows   = 20_000
	maxPoints     = 50_000 // rows × series
	maxSeries     = 12
	maxCategories = 100 // along the x axis
	maxLabel      = 500 // characters of a title, a label or a name
	maxPicture    = 4 << 20
)

type plotInput struct {
	Kind    string `json:"kind" jsonschema:"enum=line,enum=bar,enum=scatter,enum=histogram,enum=box" jsonschema_description:"line: values over time or in order. bar: a value for each category. scatter: two numbers against each other. histogram: how the numbers of a column are distributed. box: median, quartiles and outliers of each group."`
	SQL     string `json:"sql,omitempty" jsonschema:"example=SELECT region\\, SUM(amount) AS total FROM sales GROUP BY region" jsonschema_description:"A SELECT whose result is drawn; give this or data. The first column is x (category, number or ISO date) and each further column a series of numbers, named by its alias. Three columns with text in the second are x, name of the series, value. histogram: every column a distribution of raw values. box: group and raw value, or every column a box. Aggregate (SUM, GROUP BY, ORDER BY) in the statement, not for histogram and box."`
	Data    *given `json:"data,omitempty" jsonschema_description:"Instead of sql: the numbers themselves, in the same columns, such as {\"columns\": [\"month\", \"sales\"], \"rows\": [[\"Jan\", 120], [\"Feb\", 95.5]]}."`
	Title   string `json:"title,omitempty" jsonschema_description:"Stands above the picture and names its file."`
	XLabel  string `json:"x_label,omitempty" jsonschema_description:"Stands under the x axis, instead of the column's name."`
	YLabel  string `json:"y_label,omitempty" jsonschema_description:"Stands beside the y axis, instead of the column's name; say the unit here."`
	Stacked bool   `json:"stacked,omitempty" jsonschema_description:"bar with several series: pile them up instead of side by side."`
	Bins    int    `json:"bins,omitempty" jsonschema:"minimum=1,maximum=100" jsonschema_description:"histogram: about how many bars. Left out, it is chosen from the values."`
	Format  string `json:"format,omitempty" jsonschema:"enum=png,enum=svg,default=png" jsonschema_description:"png is also shown to you; svg is only saved."`
	Width   int    `json:"width,omitempty" jsonschema:"minimum=300,maximum=1600,default=800" jsonschema_description:"In points. A png has two pixels to the point."`
	Height  int    `json:"height,omitempty" jsonschema:"minimum=200,maximum=1200,default=500" jsonschema_description:"In points."`
}

// given is a table that the model writes itself.
type given struct {
	Columns []string   `json:"columns" jsonschema:"minItems=1" jsonschema_description:"The names of the columns, x first."`
	Rows    []givenRow `json:"rows" jsonschema_description:"The rows, a value for each column. null is a gap."`
}

// plotTool returns plot_tool: it draws the result of a query, or rows that the
// model gives, and saves the picture in the output folder under a name made of
// the title, beside what is there.
//
// The model gets a line of text and, of a PNG, the picture; no provider takes an
// SVG, so of that it gets the text alone. The artifact is a [Saved] that holds
// the picture in either form.
func plotTool(d *data) (tool.Tool, error) {
	p := &artist{data: d, fonts: newFonts(systemFontFolders())}
	return tool.New("plot_tool",
		"Draw a chart and save it as a picture: line, bar, scatter, histogram or box plot of a query's result or of given rows.",
		p.call, tool.Timeout(d.Timeout))
}

type artist struct {
	data  *data
	fonts *fonts
}

func (p *artist) call(ctx context.Context, in plotInput) (tool.Result, error) {
	in = in.withDefaults()
	t, err := p.table(ctx, in)
	if err != nil {
		return tool.Result{}, err
	}
	c, err := newChart(in, t)
	if err != nil {
		return tool.Result{}, fmt.Errorf("plot_tool: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	picture, err := p.render(c, in)
	if err != nil {
		return tool.Result{}, err
	}
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	saved, err := p.data.saveNew(slug(c.title, in.Kind)+"."+in.Format, picture)
	if err != nil {
		return tool.Result{}, err
	}
	return plotResult(c, in, saved), nil
}

// withDefaults is for hosts that call the tool without its schema.
func (in plotInput) withDefaults() plotInput {
	if in.Format == "" {
		in.Format = "png"
	}
	if in.Width == 0 {
		in.Width = 800
	}
	if in.Height == 0 {
		in.Height = 500
	}
	in.Title, in.XLabel, in.YLabel = oneLine(in.Title), oneLine(in.XLabel), oneLine(in.YLabel)
	return in
}

func (p *artist) table(ctx context.Context, in plotInput) (*table, error) {
	switch {
	case in.SQL != "" && in.Data != nil:
		return nil, invalid("give either sql or data, not both")
	case in.SQL != "":
		return p.data.query(ctx, in.SQL, maxPlotRows)
	case in.Data == nil:
		return nil, invalid("nothing to draw: give sql (a SELECT), or data with columns and rows")
	}
	for i, row := range in.Data.Rows {
		if len(row) != len(in.Data.Columns) {
			return nil, invalid("/data/rows/%d has %d values, and columns has %d names", i, len(row), len(in.Data.Columns))
		}
	}
	t := &table{columns: in.Data.Columns, cut: len(in.Data.Rows) > maxPlotRows}
	for _, row := range in.Data.Rows[:min(len(in.Data.Rows), maxPlotRows)] {
		t.rows = append(t.rows, row)
	}
	return t, nil
}

func plotResult(c *chart, in plotInput, saved Saved) tool.Result {
	text := fmt.Sprintf("Drew %s", c.describe())
	switch {
	case saved.Path == "":
		text += fmt.Sprintf(" (%s, %s). It was not saved: there is no output folder.", in.Format, kilobytes(saved.Size))
	case in.Format == "svg":
		text += fmt.Sprintf(" and saved it as %s (%s). You can't see an SVG; the person can open it.", saved.Path, kilobytes(saved.Size))
	default:
		text += fmt.Sprintf(" and saved it as %s (%d × %d pixels, %s).", saved.Path, 2*in.Width, 2*in.Height, kilobytes(saved.Size))
	}
	for _, n := range c.notes {
		text += "\nNote: " + n
	}
	content := []message.Part{message.Text(text)}
	if in.Format == "png" {
		content = append(content, message.Image{Data: saved.Data, MediaType: saved.MediaType})
	}
	return tool.Result{Content: content, Artifact: saved}
}

// kilobytes is a picture's size, rounded up: each font version has its own bytes.
func kilobytes(n int64) string { return fmt.Sprintf("%d KB", (n+1023)/1024) }

// oneLine is s as a label: no control characters, which XML can't hold, no line
// breaks, and not long.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), isBlank), " ")
	return shorten(s, maxLabel)
}

// shorten cuts s to n characters, the last of them an ellipsis where something
// was cut.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count, end := 0, 0
	for i := range s {
		if count == n-1 {
			end = i
		}
		if count++; count > n {
			return strings.TrimSpace(s[:end]) + "…"
		}
	}
	return s
}

var errNoRows = errors.New("the query gave no rows: there is nothing to draw; loosen its WHERE, or look at the table first")
