package dataanalysis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	sqlite "modernc.org/sqlite/lib"
	"modernc.org/sqlite/vfs"
)

// maxAttached is how many files one statement can read: SQLite attaches no more.
const maxAttached = 10

// session is one call: an empty database in memory, and beside it, read-only, the
// files that the statement names.
//
// Nothing of the folder is open to SQLite itself. It reads through fileSystem,
// which has no way to write, to lock or to make a -wal or a -shm, and which knows
// only the files that this package has opened.
type session struct {
	d      *data
	ctx    context.Context
	cat    *catalog
	guard  *guard
	engine *engine
	temp   *tempFiles
	files  fileSystem
	vfs    *vfs.FS
	vfsID  string
	used   []*entry          // the tables that the statement has named
	schema map[string]string // path and part -> where the file is attached
	opened []opened
	notes  []string
}

// opened is a database of the folder that stays open for the session.
type opened struct {
	path string
	file *os.File
	info fs.FileInfo
}

func (d *data) newSession(ctx context.Context) (*session, error) {
	s := &session{d: d, ctx: ctx, files: fileSystem{}, schema: map[string]string{}, guard: &guard{ctx: ctx}}
	var err error
	if s.vfsID, s.vfs, err = vfs.New(s.files); err != nil {
		return nil, err
	}
	if s.temp, err = newTempFiles(d.MaxBytes); err != nil {
		s.vfs.Close()
		return nil, err
	}
	if s.engine, err = openEngine("file::memory:?vfs="+s.temp.name, s.guard); err != nil {
		s.temp.close()
		s.vfs.Close()
		return nil, err
	}
	return s, nil
}

func (s *session) close() {
	s.engine.close()
	s.temp.close()
	s.vfs.Close()
	for _, o := range s.opened {
		o.file.Close()
	}
}

// run answers one statement.
func (d *data) run(ctx context.Context, sql string, maxRows int) (t *table, err error) {
	if err := checkText(sql); err != nil {
		return nil, err
	}
	s, err := d.newSession(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if s.cat, err = d.catalog(ctx); err != nil {
		return nil, err
	}
	statement, err := s.prepare(sql)
	if err != nil {
		return nil, s.explain(sql, err)
	}
	defer statement.close()
	if t, err = s.read(statement, maxRows); err != nil {
		return nil, s.explain(sql, err)
	}
	for _, o := range s.opened {
		if now, err := o.file.Stat(); err != nil || !same(o.info, now) {
			return nil, fmt.Errorf("%s: %w", o.path, errChanged)
		}
	}
	t.notes = s.notes
	return t, nil
}

func checkText(sql string) error {
	switch {
	case len(sql) > maxSQL:
		return fmt.Errorf("the SQL has %s: at most %s can be run", size(int64(len(sql))), size(maxSQL))
	case strings.ContainsRune(sql, 0):
		return errors.New("the SQL has a NUL character in it")
	}
	return nil
}

// prepare compiles the one statement of sql. Which tables it names is SQLite's
// own parser to say: each that it misses is loaded, and it is asked again.
func (s *session) prepare(sql string) (*statement, error) {
	for {
		s.guard.denied, s.guard.calls = "", 0
		statement, rest, err := s.engine.prepare(sql)
		if name, missing := missingTable(err); missing {
			if e := s.cat.find(name); e != nil && !s.has(e) {
				if err := s.add(e); err != nil {
					return nil, err
				}
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		err = s.alone(statement, rest)
		if err == nil {
			err = s.engine.exec("PRAGMA query_only=ON")
		}
		if err == nil {
			s.engine.limit(sqlite.SQLITE_LIMIT_LENGTH, s.longest(statement))
		}
		if err != nil {
			statement.close()
			return nil, err
		}
		return statement, nil
	}
}

// longest is how long a value may be while the statement runs. All values that
// it holds at once, in registers of SQLite's machine, have their room together,
// and so have those that its functions work on.
func (s *session) longest(statement *statement) int32 {
	return int32(min(maxCell, maxHeld/statement.registers(), maxWork/max(s.guard.calls, 1)))
}

var (
	errNoStatement = errors.New("the SQL is empty: write one SELECT statement")
	errSecond      = errors.New("the SQL has more than one statement: write one SELECT, and call again for the next")
	errWrites      = errors.New("this statement would change a database")
)

// alone checks that nothing but space and comments follows the statement, and
// once more that it only reads.
func (s *session) alone(first *statement, rest string) error {
	if first.p == 0 {
		return errNoStatement
	}
	for rest != "" {
		next, after, err := s.engine.prepare(rest)
		if err != nil {
			return errSecond
		}
		empty := next.p == 0
		next.close()
		if !empty {
			return errSecond
		}
		rest = after
	}
	if !first.readOnly() || len(first.columns()) == 0 {
		return errWrites
	}
	return nil
}

func (s *session) read(statement *statement, maxRows int) (*table, error) {
	t := &table{columns: statement.columns()}
	held := 0
	for {
		more, err := statement.step()
		if err == nil {
			err = s.ctx.Err() // one step can outlast the clock
		}
		if err != nil || !more {
			return t, err
		}
		if len(t.rows) == maxRows {
			t.cut = true
			return t, nil
		}
		if held += statement.size(); held > maxResult {
			return nil, fmt.Errorf("the result has more than %s in its first %d rows: ask for fewer columns or rows, or sum up", size(maxResult), len(t.rows)+1)
		}
		t.rows = append(t.rows, statement.row())
	}
}

const maxResult = 64 << 20 // bytes of a result that are held

func (s *session) has(e *entry) bool {
	for _, u := range s.used {
		if u == e {
			return true
		}
	}
	return false
}

// add makes a table of the catalog known to the engine, under its name.
func (s *session) add(e *entry) error {
	s.used = append(s.used, e)
	if e.format == "sqlite" {
		return s.addDatabase(e)
	}
	img, err := s.d.load(s.ctx, e)
	if err != nil {
		return err
	}
	s.notes = append(s.notes, img.notes...)
	schema, err := s.attach(e.path+"\x00"+e.part, img.file, img.size)
	if err != nil {
		return err
	}
	return s.view(e.name, schema, imageTable)
}

// addDatabase makes e known and hides the names of the database's other tables
// where they mean something else in the catalog: an attached database's tables
// would be found by their own names.
func (s *session) addDatabase(e *entry) error {
	if schema, ok := s.schema[e.path]; ok {
		return s.view(e.name, schema, e.part)
	}
	f, info, err := s.d.open(e.path)
	if err != nil {
		return fmt.Errorf("%s: %w", e.path, err)
	}
	s.opened = append(s.opened, opened{e.path, f, info})
	if err := s.checkSiblings(e.path); err != nil {
		return err
	}
	schema, err := s.attach(e.path, f, info.Size())
	if err != nil {
		return err
	}
	tables, err := tablesIn(s.engine, schema)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if other := s.cat.find(table); other == nil || other.path != e.path {
			if err := s.hide(table, other); err != nil {
				return err
			}
		}
	}
	return s.view(e.name, schema, e.part)
}

// hide makes name mean what the catalog says, or nothing.
func (s *session) hide(name string, other *entry) error {
	if other == nil {
		return s.engine.exec("CREATE TEMP VIEW " + quote(name) + " AS SELECT * FROM " + quote(hidden+name))
	}
	if s.has(other) {
		return nil
	}
	return s.add(other)
}

// hidden begins the name of a table that is not there, behind a name that is
// taken by several files.
const hidden = "helve clash "

// checkSiblings looks at what a program that writes the database leaves beside
// it.
func (s *session) checkSiblings(name string) error {
	if info, err := s.d.Data.Stat(name + "-journal"); err == nil && info.Size() > 0 {
		return fmt.Errorf("%s is being written, or its last change was broken off (there is a %s-journal): it can be read once the program that writes it is done, or after it was opened with sqlite3", name, path.Base(name))
	}
	if info, err := s.d.Data.Stat(name + "-wal"); err == nil && info.Size() > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%s was read as of its last checkpoint: newer changes wait in %s-wal and are not in this result", name, path.Base(name)))
	}
	return nil
}

// attach lets the engine read a file as a database and returns its schema's name.
func (s *session) attach(key string, f *os.File, size int64) (string, error) {
	if len(s.schema) == maxAttached {
		return "", fmt.Errorf("the SQL names tables of more than %d files: join fewer", maxAttached)
	}
	schema := fmt.Sprintf("helve_%d", len(s.schema))
	s.files[schema] = content{f, size}
	if err := s.engine.exec(fmt.Sprintf("ATTACH 'file:%s?vfs=%s&mode=ro&immutable=1' AS %s", schema, s.vfsID, schema)); err != nil {
		return "", s.damaged(key, err)
	}
	s.schema[key] = schema
	return schema, nil
}

func (s *session) damaged(key string, err error) error {
	var e *engineError
	if errors.As(err, &e) && (e.code&0xff == sqlite.SQLITE_NOTADB || e.code&0xff == sqlite.SQLITE_CORRUPT) {
		name, _, _ := strings.Cut(key, "\x00")
		return fmt.Errorf("%s is no SQLite database, or it is damaged or encrypted", name)
	}
	return err
}

func (s *session) view(name, schema, table string) error {
	return s.engine.exec(fmt.Sprintf("CREATE TEMP VIEW %s AS SELECT * FROM %s.%s", quote(name), schema, quote(table)))
}

// tablesIn lists the tables and views of an attached database.
func tablesIn(e *engine, schema string) ([]string, error) {
	rows, err := e.selectAll("SELECT name FROM pragma_table_list WHERE schema = '" + schema + "' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name LIMIT 1000")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, row := range rows {
		if name, ok := row[0].(string); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// databaseTables lists the tables of a database file.
func databaseTables(ctx context.Context, name string, f *os.File, info fs.FileInfo) ([]string, error) {
	d := &data{} // no room for temporary files: none are needed
	s, err := d.newSession(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	schema, err := s.attach(name, f, info.Size())
	if err == nil {
		var tables []string
		if tables, err = tablesIn(s.engine, schema); err == nil {
			return tables, nil
		}
	}
	if err := s.damaged(name, err); ctx.Err() == nil {
		return nil, err
	}
	return nil, ctx.Err()
}

// fileSystem is what SQLite sees: the opened files, by the names of their
// schemas.
type fileSystem map[string]content

type content struct {
	file *os.File
	size int64
}

// Open implements fs.FS.
func (f fileSystem) Open(name string) (fs.File, error) {
	c, ok := f[path.Base(name)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &reader{io.NewSectionReader(c.file, 0, c.size), c.file}, nil
}

// reader is one look at a file with a place of its own.
type reader struct {
	*io.SectionReader
	file *os.File
}

func (r *reader) Stat() (fs.FileInfo, error) { return r.file.Stat() }
func (r *reader) Close() error               { return nil } // the file belongs to the session or the cache
