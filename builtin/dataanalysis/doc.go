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
package dataanalysis
