package dataanalysis

import (
	"context"
	"errors"

	"helve/tool"
)

type sqlInput struct {
	SQL string `json:"sql,omitempty" jsonschema_description:"One SELECT statement, in SQLite's dialect. Leave it out to list the tables."`
}

func sqlTool(d *data) (tool.Tool, error) {
	return tool.New("sql_tool", "Run a SELECT.", func(ctx context.Context, in sqlInput) (tool.Result, error) {
		_, err := d.query(ctx, in.SQL, d.MaxRows)
		return tool.Result{}, err
	}, tool.ReadOnly(), tool.Idempotent())
}

func (d *data) run(ctx context.Context, sql string, maxRows int) (*table, error) {
	return nil, errors.New("the engine follows")
}
