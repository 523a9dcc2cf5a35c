package dataanalysis

import (
	"context"
	"strings"
	"time"

	"helve/tool"
)

type sqlInput struct {
	SQL string `json:"sql,omitempty" jsonschema:"example=SELECT region\\, SUM(amount) AS total FROM sales GROUP BY region" jsonschema_description:"One SELECT statement in SQLite's dialect. Leave it out to list the tables with their columns."`
}

// Result is the artifact of a call of sql_tool: the result with its types, for
// the host: at most [Config].MaxRows rows, uncut even where a model was shown less.
// A cell is nil, int64, float64, string or []byte. More says that there are rows
// which are not in it.
type Result struct {
	Columns []string
	Rows    [][]any
	More    bool
}

// sqlTool makes the tool sql_tool: it answers one SELECT over the files of the
// folder, or lists their tables.
func sqlTool(d *data) (tool.Tool, error) {
	return tool.New("sql_tool",
		"Query data files with SQL (SQLite's dialect). Reads only: one SELECT a call. "+d.summary(),
		func(ctx context.Context, in sqlInput) (tool.Result, error) {
			if strings.TrimSpace(in.SQL) == "" {
				return d.list(ctx)
			}
			t, err := d.query(ctx, in.SQL, d.MaxRows)
			if err != nil {
				return tool.Result{}, err
			}
			result := tool.Text(t.text())
			result.Artifact = Result{t.columns, t.rows, t.cut}
			return result, nil
		}, tool.ReadOnly(), tool.Idempotent(), tool.Timeout(d.Timeout+time.Second))
}
