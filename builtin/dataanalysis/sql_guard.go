package dataanalysis

import (
	"context"
	"strings"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"
)

// What one statement may be and use. Each is enforced by SQLite itself.
const (
	maxSQL      = 16 << 10  // bytes of SQL from a model
	maxCell     = 1 << 20   // bytes of a value, and of a row of a database
	maxHeld     = 128 << 20 // bytes of all values that a statement holds at once
	maxWork     = 16 << 20  // bytes of the values of all function calls in a statement: between them it can't be stopped
	maxColumns  = 1000      // of a table or a result
	maxPattern  = 200       // bytes of a LIKE or GLOB pattern: matching is exponential in its wildcards
	maxCompound = 50        // SELECTs between UNIONs
	watchEvery  = 100       // steps of SQLite's machine between two looks at the guard
)

// guard decides what the statements of one engine may do. SQLite asks it when
// it compiles a statement, and while it runs one.
type guard struct {
	ctx     context.Context
	trusted bool   // the statement is our own
	denied  string // what the model's statement would have done
	calls   int    // of functions in the model's statement
}

// guards finds the guard of a connection. It is global because SQLite calls back
// with a number; an engine adds its own and takes it away when it closes.
var guards sync.Map // address of the connection -> *guard

// trust lets what is run until the returned function is called pass.
func (g *guard) trust() (end func()) {
	before := g.trusted
	g.trusted = true
	return func() { g.trusted = before }
}

// watch puts e under the guard and sets its bounds.
func (g *guard) watch(e *engine) (rc int32) {
	guards.Store(e.db, g)
	for id, value := range map[int32]int32{
		sqlite.SQLITE_LIMIT_SQL_LENGTH:          1 << 20, // a table of 1000 columns needs more than a model may write
		sqlite.SQLITE_LIMIT_LENGTH:              maxCell,
		sqlite.SQLITE_LIMIT_COLUMN:              maxColumns,
		sqlite.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: maxPattern,
		sqlite.SQLITE_LIMIT_COMPOUND_SELECT:     maxCompound,
		sqlite.SQLITE_LIMIT_WORKER_THREADS:      0,
	} {
		e.limit(id, value)
	}
	arguments := libc.Xmalloc(e.tls, 16)
	defer libc.Xfree(e.tls, arguments)
	for op, on := range map[int32]int32{
		sqlite.SQLITE_DBCONFIG_DEFENSIVE:             1,
		sqlite.SQLITE_DBCONFIG_TRUSTED_SCHEMA:        0, // a database's own views may be hostile
		sqlite.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION: 0,
		sqlite.SQLITE_DBCONFIG_DQS_DML:               0, // a misspelt "column" is an error and no text
	} {
		if rc := sqlite.Xsqlite3_db_config(e.tls, e.db, op, libc.VaList(arguments, on, uintptr(0))); rc != sqlite.SQLITE_OK {
			return rc
		}
	}
	sqlite.Xsqlite3_progress_handler(e.tls, e.db, watchEvery, callback(interrupted), e.db)
	if rc := e.define(); rc != sqlite.SQLITE_OK {
		return rc
	}
	return sqlite.Xsqlite3_set_authorizer(e.tls, e.db, callback(authorize), e.db)
}

// callback is the address of a function for SQLite to call. A Go function value
// is a pointer to a struct whose first word is its code; that pointer, to
// read-only data, is what modernc's SQLite takes for C's function pointer.
func callback[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&struct{ f F }{f})) }

// interrupted tells SQLite, by 1, to stop the statement that runs.
func interrupted(_ *libc.TLS, db uintptr) int32 {
	v, ok := guards.Load(db)
	if !ok {
		return 1
	}
	if v.(*guard).ctx.Err() != nil {
		return 1
	}
	return 0
}

// authorize tells SQLite whether a statement may do what it is about to.
func authorize(_ *libc.TLS, db uintptr, action int32, a, b, _, _ uintptr) int32 {
	v, ok := guards.Load(db)
	if !ok {
		return sqlite.SQLITE_DENY
	}
	g := v.(*guard)
	if g.trusted {
		return sqlite.SQLITE_OK
	}
	if action == sqlite.SQLITE_FUNCTION {
		g.calls++
	}
	if what := forbidden(action, cText(a), cText(b)); what != "" {
		if g.denied == "" {
			g.denied = what
		}
		return sqlite.SQLITE_DENY
	}
	return sqlite.SQLITE_OK
}

func cText(p uintptr) string {
	if p == 0 {
		return ""
	}
	return strings.ToValidUTF8(libc.GoString(p), "\uFFFD")
}

// forbidden says what of an action is not allowed; "" allows it. What is not
// known to read is forbidden.
func forbidden(action int32, a, b string) string {
	switch action {
	case sqlite.SQLITE_SELECT, sqlite.SQLITE_RECURSIVE:
		return ""
	case sqlite.SQLITE_READ:
		if name := strings.ToLower(a); strings.HasPrefix(name, "sqlite_") || strings.HasPrefix(name, "pragma_") || name == "dbstat" {
			return "read SQLite's own table " + a
		}
		return ""
	case sqlite.SQLITE_FUNCTION:
		switch strings.ToLower(b) {
		case "load_extension":
			return "load an extension"
		case "json_pretty", "json_patch", "jsonb_patch": // one call can take GiBs, or hours
			return "call " + b + ", whose cost has no bound"
		}
		return ""
	case sqlite.SQLITE_INSERT, sqlite.SQLITE_UPDATE, sqlite.SQLITE_DELETE:
		if strings.HasPrefix(strings.ToLower(a), "sqlite_") {
			return "create, alter or drop something"
		}
		return "change the rows of " + a
	case sqlite.SQLITE_PRAGMA:
		return "run PRAGMA " + a
	case sqlite.SQLITE_ATTACH, sqlite.SQLITE_DETACH:
		return "attach or detach a database"
	case sqlite.SQLITE_TRANSACTION, sqlite.SQLITE_SAVEPOINT:
		return "begin or end a transaction"
	case sqlite.SQLITE_ALTER_TABLE:
		return "alter table " + b
	case sqlite.SQLITE_DROP_TABLE, sqlite.SQLITE_DROP_VIEW, sqlite.SQLITE_DROP_INDEX, sqlite.SQLITE_DROP_TRIGGER,
		sqlite.SQLITE_DROP_TEMP_TABLE, sqlite.SQLITE_DROP_TEMP_VIEW, sqlite.SQLITE_DROP_TEMP_INDEX, sqlite.SQLITE_DROP_TEMP_TRIGGER, sqlite.SQLITE_DROP_VTABLE:
		return "drop " + a
	case sqlite.SQLITE_CREATE_TABLE, sqlite.SQLITE_CREATE_VIEW, sqlite.SQLITE_CREATE_INDEX, sqlite.SQLITE_CREATE_TRIGGER,
		sqlite.SQLITE_CREATE_TEMP_TABLE, sqlite.SQLITE_CREATE_TEMP_VIEW, sqlite.SQLITE_CREATE_TEMP_INDEX, sqlite.SQLITE_CREATE_TEMP_TRIGGER, sqlite.SQLITE_CREATE_VTABLE:
		return "create " + a
	}
	return "change the database"
}
