//go:build !unix

package catalog

import "io/fs"

func foreign(fs.FileInfo) string { return "" }
