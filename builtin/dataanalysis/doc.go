// Package dataanalysis lets a model work with the data in a folder:
//
//	excel_tool  reads, summarises and writes Excel workbooks
//	plot_tool   draws what a query returns
//	sql_tool    answers SQL over databases, CSV, JSON Lines, Parquet and Excel
//
// [Tools] makes them for a folder of data and, where something may be written,
// a folder for what they make:
//
//	data, err := os.OpenRoot("data")
//	…
//	output, err := os.OpenRoot("output")
//	…
//	tools, err := dataanalysis.Tools(dataanalysis.Config{Data: data, Output: output})
//
// The data is read and never changed: not by SQL that writes, and not by the
// side files that a database engine likes to leave beside a database. Nothing
// outside the two folders is in reach, whatever links lie in them.
//
// Every call is bounded in rows, bytes and time, and says so when a bound was
// hit. The tools are safe for concurrent use.
//
// # Tables
//
// Every file is a table, named after it:
//
//	sales.csv, old/sales.tsv     sales     a header, then rows; , ; tab or | between the values
//	log.jsonl, log.ndjson        log       an object a line; the keys are the columns
//	trips.parquet                trips     flat columns; a list is a JSON array
//	book.xlsx                    book_Q1   a table a sheet; the first row is the header
//	shop.db, .sqlite, .sqlite3   orders    the database's own tables and views
//
// Where two files would give the same name, both names get the file's path in
// front, and an error for the short name says so. A name has no character that
// SQL would want quoted; of two equal columns the second is name_2.
//
// All values of a column decide its type: INTEGER, REAL or TEXT. What a number
// would lose stays text: 007, +49 89 1234, more digits than a number holds. In a
// file with ; between its values, a column of 1.000 and 2.500 alone is text too:
// nothing says whether its point parts thousands. Where most values of a TEXT
// column are numbers, the listing and each result say which value is none.
// Dates are ISO 8601 text, which SQLite's date functions take. An empty value is
// NULL, and so is a blank one among numbers. An empty line is no row.
//
// A file is loaded when a statement first names it, row by row, into a
// temporary file without a name; that is kept until the file changes or others
// need the room. A database is read in place. If a program is writing it in WAL
// mode, it is read as of its last checkpoint, and the result says so; a database
// with a rollback journal beside it is refused until its writer is done.
//
// # SQL
//
// A statement is a SELECT, a VALUES, a WITH or an EXPLAIN. That is for SQLite to
// enforce: its authorizer allows reading alone, and it sees the files through a
// file system that can't write and knows no other file. A statement can read 10
// files and 1 MiB a value, less where it has hundreds of columns or function
// calls; what it sorts, groups or joins beyond its memory has the bound of
// [Config].MaxBytes.
package dataanalysis
