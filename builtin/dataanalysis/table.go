package dataanalysis

import "context"

// table is what a query returns. A cell is nil, int64, float64, string or
// []byte.
type table struct {
	columns []string
	rows    [][]any
	cut     bool     // there are more rows
	notes   []string // what the model must know of where the rows come from
}

// data is what the tools of one Config share. It is safe for concurrent use.
type data struct {
	Config
}

func newData(c Config) *data { return &data{Config: c} }

// query runs one SELECT over the files and returns its first maxRows rows. The
// error is a *tool.Error, in words for a model.
func (d *data) query(ctx context.Context, sql string, maxRows int) (*table, error) {
	return d.run(ctx, sql, maxRows)
}
