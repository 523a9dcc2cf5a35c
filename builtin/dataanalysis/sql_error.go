package dataanalysis

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sqlite "modernc.org/sqlite/lib"

	"helve/internal/excerpt"
	"helve/internal/nearest"
	"helve/tool"
)

// missingTable reads SQLite's error for a name that is no table.
func missingTable(err error) (name string, missing bool) {
	var e *engineError
	if !errors.As(err, &e) {
		return "", false
	}
	return strings.CutPrefix(e.message, "no such table: ")
}

// explain makes an error of the engine one that says what to do.
func (s *session) explain(sql string, err error) error {
	var e *engineError
	if !errors.As(err, &e) {
		if errors.Is(err, errWrites) || errors.Is(err, errSecond) {
			return denied("%v. The data can only be read.", err)
		}
		return err
	}
	if s.guard.denied != "" {
		return s.forbid()
	}
	if name, missing := missingTable(e); missing {
		return s.noTable(name)
	}
	if name, ok := strings.CutPrefix(e.message, "no such column: "); ok {
		return s.noColumn(name)
	}
	for _, sign := range []string{"because it is a view", "may not be altered", "no such view:"} {
		if strings.Contains(e.message, sign) { // each table is a view to the statement
			return denied("this statement would change something: the data can only be read. Write one SELECT.")
		}
	}
	switch e.code & 0xff {
	case sqlite.SQLITE_INTERRUPT:
		return s.ctx.Err()
	case sqlite.SQLITE_FULL:
		if s.temp.full {
			return fmt.Errorf("the statement needs more than %s for what it sorts, groups or joins: ask for less with WHERE, and give each join its ON", size(s.d.MaxBytes))
		}
	case sqlite.SQLITE_READONLY, sqlite.SQLITE_AUTH:
		return denied("this statement would change something: the data can only be read. Write one SELECT.")
	case sqlite.SQLITE_TOOBIG:
		most := s.engine.limit(sqlite.SQLITE_LIMIT_LENGTH, -1)
		if most < maxCell {
			return fmt.Errorf("a value or a row has more than %s, which is all there is room for in a statement of so many values and function calls: ask for fewer columns", size(int64(most)))
		}
		return fmt.Errorf("a value or a row has more than %s: cut it with substr, or ask for other columns", size(maxCell))
	case sqlite.SQLITE_CORRUPT, sqlite.SQLITE_NOTADB:
		return fmt.Errorf("a database is damaged, or was written while it was read (%s): %s", strings.Join(s.places(), ", "), e.message)
	}
	return fmt.Errorf("SQLite: %s", excerpt.Of(e.message, 500))
}

func (s *session) forbid() error {
	what := excerpt.Of(s.guard.denied, 200)
	hint := "The data can only be read: write one SELECT."
	if strings.HasPrefix(what, "run PRAGMA") || strings.HasPrefix(what, "read SQLite's own") {
		hint = "Call without sql to see the tables and their columns."
	}
	return denied("this SQL may not %s. %s", what, hint)
}

func (s *session) places() []string {
	var places []string
	for _, o := range s.opened {
		places = append(places, o.path)
	}
	return places
}

const maxNamed = 30 // names in an error

func (s *session) noTable(name string) error {
	if clash, ok := strings.CutPrefix(name, hidden); ok {
		name = clash
	}
	if bare, ok := strings.CutPrefix(name, "main."); ok {
		name = bare
	}
	name = excerpt.Of(name, 100)
	e := &tool.Error{Kind: tool.KindExecution, Message: "there is no table " + name}
	if group := s.cat.clashes[fold(name)]; group != nil {
		var names []string
		for _, g := range group[:min(len(group), maxNamed)] {
			names = append(names, plain(g.name))
		}
		e.Message = fmt.Sprintf("%s is in several files: write %s", name, strings.Join(names, " or "))
		return e
	}
	if s.cat.find(name) != nil {
		e.Message = fmt.Sprintf("%s can only be read: SELECT … FROM %[1]s, without a schema before the name", name)
	} else if near := nearest.Name(name, s.cat.names()); near != "" {
		e.Message += ": did you mean " + plain(near) + "?"
	}
	var tables []string
	for _, t := range s.cat.entries[:min(len(s.cat.entries), maxNamed)] {
		tables = append(tables, plain(t.name))
	}
	if len(s.cat.entries) == 0 {
		e.Message += ". The folder holds no tables at all"
	}
	e.Detail = map[string]any{"tables": tables}
	if more := len(s.cat.entries) - len(tables); more > 0 {
		e.Message += fmt.Sprintf(". Call without sql to see all %d tables", len(s.cat.entries))
	}
	return e
}

func (s *session) noColumn(name string) error {
	name, _, _ = strings.Cut(name, " - should this be") // SQLite's own hint, for "text"
	name = excerpt.Of(strings.Trim(name, `"`), 100)
	e := &tool.Error{Kind: tool.KindExecution, Message: "there is no column " + name}
	columns := map[string][]string{}
	var all []string
	for _, t := range s.used {
		names, err := s.columnsOf(t)
		if err != nil {
			continue
		}
		all = append(all, names...)
		columns[plain(t.name)] = names[:min(len(names), 3*maxNamed)]
	}
	bare := name[strings.LastIndexByte(name, '.')+1:]
	if near := nearest.Name(bare, all); near != "" {
		e.Message += ": did you mean " + near + "?"
	} else {
		e.Message += ". Text stands in single quotes: 'text'"
	}
	if len(columns) > 0 {
		e.Detail = map[string]any{"columns": columns}
	}
	return e
}

// columnsOf returns the names of a table's columns, as SQL takes them.
func (s *session) columnsOf(t *entry) ([]string, error) {
	defer s.guard.trust()()
	statement, _, err := s.engine.prepare("SELECT * FROM temp." + quote(t.name))
	if err != nil {
		return nil, err
	}
	defer statement.close()
	names := statement.columns()
	for i := range names {
		names[i] = plain(names[i])
	}
	return names, nil
}

// forModel gives any error of a call its kind.
func forModel(ctx context.Context, err error) *tool.Error {
	var ours *tool.Error
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &tool.Error{Kind: tool.KindTimeout, Err: err, Message: "the call took too long and was stopped: ask for less with WHERE, give each join its ON, and end each recursion"}
	case ctx.Err() != nil:
		return tool.AsError(ctx.Err())
	}
	return &tool.Error{Kind: tool.KindExecution, Message: err.Error(), Err: err}
}
