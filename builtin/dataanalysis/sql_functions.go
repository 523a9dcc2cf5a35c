package dataanalysis

import (
	"bytes"
	"unsafe"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"
)

// functions replace those of SQLite's own whose time grows with the product of
// two lengths: on two values of a MiB they take minutes, in which nothing stops
// them. These take time in proportion to the lengths, and answer the same.
var functions = []struct {
	name      string
	arguments int32
	call      func(tls *libc.TLS, context uintptr, arguments int32, values uintptr)
}{
	{"instr", 2, sqlInstr},
	{"replace", 3, sqlReplace},
	{"trim", 1, sqlTrim}, {"trim", 2, sqlTrim},
	{"ltrim", 1, sqlTrimLeft}, {"ltrim", 2, sqlTrimLeft},
	{"rtrim", 1, sqlTrimRight}, {"rtrim", 2, sqlTrimRight},
}

// define puts functions in the place of SQLite's own.
func (e *engine) define() (rc int32) {
	const kind = sqlite.SQLITE_UTF8 | sqlite.SQLITE_DETERMINISTIC | sqlite.SQLITE_INNOCUOUS
	for _, f := range functions {
		name, err := libc.CString(f.name)
		if err != nil {
			return sqlite.SQLITE_NOMEM
		}
		rc := sqlite.Xsqlite3_create_function_v2(e.tls, e.db, name, f.arguments, kind, e.db, callback(f.call), 0, 0, 0)
		libc.Xfree(e.tls, name)
		if rc != sqlite.SQLITE_OK {
			return rc
		}
	}
	return sqlite.SQLITE_OK
}

// values are the arguments of one call. What is returned of them is SQLite's and
// holds until the call ends.
type values struct {
	tls     *libc.TLS
	context uintptr
	at      uintptr
}

func (v values) pointer(i int) uintptr {
	return *(*uintptr)(memory(v.at + uintptr(i)*unsafe.Sizeof(v.at)))
}

func (v values) kind(i int) int32 { return sqlite.Xsqlite3_value_type(v.tls, v.pointer(i)) }

// bytes is a value's text, or the bytes of a BLOB, which stays one.
func (v values) bytes(i int) []byte {
	read := sqlite.Xsqlite3_value_text
	if v.kind(i) == sqlite.SQLITE_BLOB {
		read = sqlite.Xsqlite3_value_blob
	}
	p := read(v.tls, v.pointer(i))
	n := sqlite.Xsqlite3_value_bytes(v.tls, v.pointer(i))
	if p == 0 || n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(memory(p)), n)
}

// returnText gives SQLite a copy of text.
func (v values) returnText(text []byte) {
	p := sqlite.Xsqlite3_malloc64(v.tls, uint64(len(text)+1))
	if p == 0 {
		sqlite.Xsqlite3_result_error_nomem(v.tls, v.context)
		return
	}
	copy(unsafe.Slice((*byte)(memory(p)), len(text)), text)
	sqlite.Xsqlite3_result_text64(v.tls, v.context, p, uint64(len(text)), callback(sqlite.Xsqlite3_free), sqlite.SQLITE_UTF8)
}

func sqlInstr(tls *libc.TLS, context uintptr, _ int32, at uintptr) {
	v := values{tls, context, at}
	if v.kind(0) == sqlite.SQLITE_NULL || v.kind(1) == sqlite.SQLITE_NULL {
		return
	}
	blobs := v.kind(0) == sqlite.SQLITE_BLOB && v.kind(1) == sqlite.SQLITE_BLOB
	sqlite.Xsqlite3_result_int64(tls, context, int64(find(v.bytes(0), v.bytes(1), !blobs)))
}

// find is where part begins in all, counted from 1 in characters or in bytes,
// or 0.
func find(all, part []byte, characters bool) int {
	if characters && len(part) > 0 && continues(part[0]) { // not UTF-8: no character begins so but the first
		if bytes.HasPrefix(all, part) {
			return 1
		}
		return 0
	}
	i := newSearch(part).in(all)
	if i <= 0 || !characters {
		return i + 1
	}
	n := 1
	for _, b := range all[1 : i+1] {
		if !continues(b) {
			n++
		}
	}
	return n
}

func sqlReplace(tls *libc.TLS, context uintptr, _ int32, at uintptr) {
	v := values{tls, context, at}
	if v.kind(0) == sqlite.SQLITE_NULL || v.kind(1) == sqlite.SQLITE_NULL {
		return
	}
	all, part := v.bytes(0), v.bytes(1)
	if len(part) == 0 || part[0] == 0 {
		v.returnText(all)
		return
	}
	if v.kind(2) == sqlite.SQLITE_NULL {
		return
	}
	most := int(sqlite.Xsqlite3_limit(tls, sqlite.Xsqlite3_user_data(tls, context), sqlite.SQLITE_LIMIT_LENGTH, -1))
	text, ok := replaced(all, part, v.bytes(2), most)
	if !ok {
		sqlite.Xsqlite3_result_error_toobig(tls, context)
		return
	}
	v.returnText(text)
}

// replaced is all with by for each part, if it has at most so many bytes.
func replaced(all, part, by []byte, most int) (text []byte, ok bool) {
	parts := newSearch(part)
	for {
		i := parts.in(all)
		if i < 0 {
			return append(text, all...), len(text)+len(all) <= most
		}
		text = append(append(text, all[:i]...), by...)
		if len(text) > most {
			return nil, false
		}
		all = all[i+len(part):]
	}
}

func sqlTrim(tls *libc.TLS, context uintptr, n int32, at uintptr) {
	trim(values{tls, context, at}, n, true, true)
}

func sqlTrimLeft(tls *libc.TLS, context uintptr, n int32, at uintptr) {
	trim(values{tls, context, at}, n, true, false)
}

func sqlTrimRight(tls *libc.TLS, context uintptr, n int32, at uintptr) {
	trim(values{tls, context, at}, n, false, true)
}

func trim(v values, n int32, left, right bool) {
	of := []byte(" ")
	if n == 2 {
		if v.kind(1) == sqlite.SQLITE_NULL {
			return
		}
		of, _, _ = bytes.Cut(v.bytes(1), []byte{0}) // SQLite's own reads no further
	}
	if v.kind(0) == sqlite.SQLITE_NULL {
		return
	}
	v.returnText(trimmed(v.bytes(0), of, left, right))
}

// trimmed is text without the characters of a set at its ends.
func trimmed(text, set []byte, left, right bool) []byte {
	in := map[string]bool{}
	for len(set) > 0 {
		n := character(set)
		in[string(set[:n])] = true
		set = set[n:]
	}
	for left && len(text) > 0 && in[string(text[:character(text)])] {
		text = text[character(text):]
	}
	for right && len(text) > 0 {
		i := len(text) - 1
		for i > 0 && continues(text[i]) {
			i--
		}
		if !in[string(text[i:])] {
			break
		}
		text = text[:i]
	}
	return text
}

// character is the length of the first character: a byte and those that continue
// it.
func character(text []byte) int {
	n := 1
	for n < len(text) && continues(text[n]) {
		n++
	}
	return n
}

// continues reports whether a byte of UTF-8 is not the first of its character.
func continues(b byte) bool { return b&0xC0 == 0x80 }

// search finds a text in others, by Knuth, Morris and Pratt where it is long:
// then no byte is looked at more than twice.
type search struct {
	part []byte
	back []int32 // of a beginning of part: the longest one that ends it
}

func newSearch(part []byte) search {
	const short = 64
	s := search{part: part}
	if len(part) <= short {
		return s
	}
	s.back = make([]int32, len(part)+1)
	for i, k := 1, int32(0); i < len(part); i++ {
		k = s.next(k, part[i])
		s.back[i+1] = k
	}
	return s
}

// next is how much of part has been seen after b, where it was k before.
func (s search) next(k int32, b byte) int32 {
	for k > 0 && s.part[k] != b {
		k = s.back[k]
	}
	if s.part[k] == b {
		k++
	}
	return k
}

func (s search) in(all []byte) int {
	if s.back == nil {
		return bytes.Index(all, s.part)
	}
	k := int32(0)
	for i, b := range all {
		if k = s.next(k, b); int(k) == len(s.part) {
			return i + 1 - len(s.part)
		}
	}
	return -1
}
