package dataanalysis

import (
	"math"
	"strings"
	"unsafe"

	"modernc.org/libc"
	_ "modernc.org/sqlite" // mends the library on arm64 when it is imported
	sqlite "modernc.org/sqlite/lib"
)

// engine is one connection to SQLite, for one goroutine.
//
// It stands on SQLite's own interface and not on database/sql, which can't do
// what SQL from a model needs: stop a statement between two of its rows, tell
// that there is a second statement, and give a date as it is written.
type engine struct {
	tls     *libc.TLS
	db      uintptr
	scratch uintptr // room for what SQLite returns by pointer: two words
	guard   *guard
}

// openEngine opens a database. The name may be a URI. Every statement is under
// g's eyes.
func openEngine(name string, g *guard) (*engine, error) {
	e := &engine{tls: libc.NewTLS(), guard: g}
	e.scratch = libc.Xmalloc(e.tls, 16)
	path, err := libc.CString(name)
	if err != nil {
		e.close()
		return nil, err
	}
	defer libc.Xfree(e.tls, path)
	const flags = sqlite.SQLITE_OPEN_READWRITE | sqlite.SQLITE_OPEN_CREATE | sqlite.SQLITE_OPEN_URI | sqlite.SQLITE_OPEN_NOMUTEX
	rc := sqlite.Xsqlite3_open_v2(e.tls, path, e.scratch, flags, 0)
	e.db = e.word(0)
	if rc == sqlite.SQLITE_OK {
		rc = sqlite.Xsqlite3_extended_result_codes(e.tls, e.db, 1)
	}
	if rc == sqlite.SQLITE_OK {
		rc = g.watch(e)
	}
	if rc != sqlite.SQLITE_OK {
		err := e.error(rc)
		e.close()
		return nil, err
	}
	return e, nil
}

func (e *engine) close() {
	if e.db != 0 {
		guards.Delete(e.db)
		sqlite.Xsqlite3_close_v2(e.tls, e.db)
	}
	libc.Xfree(e.tls, e.scratch)
	e.tls.Close()
}

// word reads what SQLite wrote into the scratch.
func (e *engine) word(i int) uintptr {
	return *(*uintptr)(memory(e.scratch + uintptr(8*i)))
}

// memory makes a pointer of an address of SQLite's, which is none of Go's heap.
func memory(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// engineError is what SQLite says went wrong.
type engineError struct {
	code    int32
	message string
}

func (e *engineError) Error() string { return "sqlite: " + e.message }

func (e *engine) error(rc int32) error {
	message := "out of memory"
	if e.db != 0 {
		message = libc.GoString(sqlite.Xsqlite3_errmsg(e.tls, e.db))
	}
	return &engineError{rc, message}
}

// limit sets one of SQLite's limits and returns what it was; below 0 leaves it as
// it is.
func (e *engine) limit(id, value int32) int32 { return sqlite.Xsqlite3_limit(e.tls, e.db, id, value) }

// exec runs statements of our own, which need no leave.
func (e *engine) exec(sql string) error {
	defer e.guard.trust()()
	for sql != "" {
		s, rest, err := e.prepare(sql)
		if err != nil {
			return err
		}
		sql = rest
		for more := s.p != 0; more && err == nil; {
			more, err = s.step()
		}
		s.close()
		if err != nil {
			return err
		}
	}
	return nil
}

// selectAll returns the rows of a query of our own.
func (e *engine) selectAll(sql string) ([][]any, error) {
	defer e.guard.trust()()
	s, _, err := e.prepare(sql)
	if err != nil {
		return nil, err
	}
	defer s.close()
	var rows [][]any
	for {
		more, err := s.step()
		if err != nil || !more {
			return rows, err
		}
		rows = append(rows, s.row())
	}
}

// statement is one prepared statement. p is 0 where the text held none, but only
// space and comments.
type statement struct {
	e      *engine
	p      uintptr
	buffer uintptr // the texts that are bound
	room   int
}

// prepare compiles the first statement of sql and returns what follows it.
func (e *engine) prepare(sql string) (s *statement, rest string, err error) {
	text, err := libc.CString(sql)
	if err != nil {
		return nil, "", err
	}
	defer libc.Xfree(e.tls, text)
	rc := sqlite.Xsqlite3_prepare_v2(e.tls, e.db, text, int32(len(sql)), e.scratch, e.scratch+8)
	if rc != sqlite.SQLITE_OK {
		return nil, "", e.error(rc)
	}
	return &statement{e: e, p: e.word(0)}, sql[e.word(1)-text:], nil
}

func (s *statement) close() {
	sqlite.Xsqlite3_finalize(s.e.tls, s.p)
	libc.Xfree(s.e.tls, s.buffer)
	s.p, s.buffer = 0, 0
}

// readOnly reports whether the statement itself changes no database.
func (s *statement) readOnly() bool { return sqlite.Xsqlite3_stmt_readonly(s.e.tls, s.p) != 0 }

// step goes on to the next row and reports whether there is one.
func (s *statement) step() (bool, error) {
	switch rc := sqlite.Xsqlite3_step(s.e.tls, s.p); rc {
	case sqlite.SQLITE_ROW:
		return true, nil
	case sqlite.SQLITE_DONE:
		return false, nil
	default:
		return false, s.e.error(rc)
	}
}

func (s *statement) columns() []string {
	names := make([]string, sqlite.Xsqlite3_column_count(s.e.tls, s.p))
	for i := range names {
		names[i] = strings.ToValidUTF8(libc.GoString(sqlite.Xsqlite3_column_name(s.e.tls, s.p, int32(i))), "\uFFFD")
	}
	return names
}

// registers is how many values the statement holds at once, at the most.
func (s *statement) registers() int { return int((*sqlite.TVdbe)(memory(s.p)).FnMem) + 1 }

// size is what row will take: asked before, since a row can have 1000 values of
// a MiB.
func (s *statement) size() (bytes int) {
	for i := range sqlite.Xsqlite3_column_count(s.e.tls, s.p) {
		bytes += 24
		switch sqlite.Xsqlite3_column_type(s.e.tls, s.p, i) {
		case sqlite.SQLITE_TEXT, sqlite.SQLITE_BLOB:
			bytes += int(sqlite.Xsqlite3_column_bytes(s.e.tls, s.p, i))
		}
	}
	return bytes
}

// row returns the row that step reached.
func (s *statement) row() []any {
	row := make([]any, sqlite.Xsqlite3_column_count(s.e.tls, s.p))
	for i := range row {
		row[i] = s.cell(int32(i))
	}
	return row
}

func (s *statement) cell(i int32) any {
	tls := s.e.tls
	switch sqlite.Xsqlite3_column_type(tls, s.p, i) {
	case sqlite.SQLITE_INTEGER:
		return int64(sqlite.Xsqlite3_column_int64(tls, s.p, i))
	case sqlite.SQLITE_FLOAT:
		return sqlite.Xsqlite3_column_double(tls, s.p, i)
	case sqlite.SQLITE_TEXT:
		p := sqlite.Xsqlite3_column_text(tls, s.p, i)
		return string(s.bytes(p, i))
	case sqlite.SQLITE_BLOB:
		p := sqlite.Xsqlite3_column_blob(tls, s.p, i)
		return append([]byte{}, s.bytes(p, i)...)
	}
	return nil
}

// bytes views what SQLite holds at p, until the next step.
func (s *statement) bytes(p uintptr, column int32) []byte {
	n := sqlite.Xsqlite3_column_bytes(s.e.tls, s.p, column)
	if p == 0 || n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(memory(p)), n)
}

// insert binds a row to the statement's parameters, runs it and makes it ready
// for the next. A cell is nil, int64, float64 or string.
func (s *statement) insert(row []any) error {
	if err := s.hold(row); err != nil {
		return err
	}
	at := s.buffer
	for i, cell := range row {
		var rc int32
		switch v := cell.(type) {
		case int64:
			rc = sqlite.Xsqlite3_bind_int64(s.e.tls, s.p, int32(i+1), v)
		case float64:
			rc = sqlite.Xsqlite3_bind_double(s.e.tls, s.p, int32(i+1), v)
		case string:
			copy(unsafe.Slice((*byte)(memory(at)), len(v)), v)
			rc = sqlite.Xsqlite3_bind_text(s.e.tls, s.p, int32(i+1), at, int32(len(v)), 0)
			at += uintptr(len(v))
		default:
			rc = sqlite.Xsqlite3_bind_null(s.e.tls, s.p, int32(i+1))
		}
		if rc != sqlite.SQLITE_OK {
			return s.e.error(rc)
		}
	}
	_, err := s.step()
	sqlite.Xsqlite3_reset(s.e.tls, s.p)
	return err
}

// hold makes room for the texts of a row. SQLite reads them while it steps, from
// memory that Go does not move.
func (s *statement) hold(row []any) error {
	n := 1
	for _, cell := range row {
		if text, ok := cell.(string); ok {
			n += len(text)
		}
	}
	if n > math.MaxInt32 {
		return &engineError{sqlite.SQLITE_TOOBIG, "string or blob too big"}
	}
	if n > s.room {
		libc.Xfree(s.e.tls, s.buffer)
		s.room = 2 * n
		s.buffer = libc.Xmalloc(s.e.tls, libc.Tsize_t(s.room))
		if s.buffer == 0 {
			s.room = 0
			return &engineError{sqlite.SQLITE_NOMEM, "out of memory"}
		}
	}
	return nil
}
