package dataanalysis

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"
)

// tempFiles is where the engine of one query puts what does not fit into its
// memory, such as the rows that it sorts. It is SQLite's own access to files with
// a bound on what is written in all: SQLite has none, and a join of a few
// thousand rows can fill a disk in a minute.
type tempFiles struct {
	tls     *libc.TLS
	name    string
	cName   uintptr
	vfs     uintptr             // our copy of SQLite's own, with our open
	inner   uintptr             // SQLite's own
	methods map[uintptr]uintptr // of a file: SQLite's own -> our copy, with our write
	left    int64
	full    bool
}

// tempOf finds the tempFiles of a vfs, and of our copy of a file's methods: what
// SQLite calls back with. Each adds and removes its own.
var (
	tempOf    sync.Map // address -> *tempFiles
	tempCount atomic.Int64
)

// newTempFiles registers a vfs that lets limit bytes be written.
func newTempFiles(limit int64) (*tempFiles, error) {
	t := &tempFiles{tls: libc.NewTLS(), name: fmt.Sprintf("helve%d", tempCount.Add(1)), methods: map[uintptr]uintptr{}, left: limit}
	t.inner = sqlite.Xsqlite3_vfs_find(t.tls, 0)
	if t.inner == 0 {
		t.tls.Close()
		return nil, fmt.Errorf("SQLite has no access to files on this system")
	}
	var err error
	if t.cName, err = libc.CString(t.name); err != nil {
		t.tls.Close()
		return nil, err
	}
	t.vfs = libc.Xmalloc(t.tls, libc.Tsize_t(unsafe.Sizeof(sqlite.Tsqlite3_vfs{})))
	inner := (*sqlite.Tsqlite3_vfs)(memory(t.inner))
	*(*sqlite.Tsqlite3_vfs)(memory(t.vfs)) = sqlite.Tsqlite3_vfs{ // all but FpNext, which another registration may be changing
		FiVersion: inner.FiVersion, FszOsFile: inner.FszOsFile, FmxPathname: inner.FmxPathname, FzName: t.cName, FpAppData: inner.FpAppData,
		FxOpen: callback(openTemp), FxDelete: inner.FxDelete, FxAccess: inner.FxAccess, FxFullPathname: inner.FxFullPathname,
		FxDlOpen: inner.FxDlOpen, FxDlError: inner.FxDlError, FxDlSym: inner.FxDlSym, FxDlClose: inner.FxDlClose,
		FxRandomness: inner.FxRandomness, FxSleep: inner.FxSleep, FxCurrentTime: inner.FxCurrentTime, FxGetLastError: inner.FxGetLastError,
		FxCurrentTimeInt64: inner.FxCurrentTimeInt64, FxSetSystemCall: inner.FxSetSystemCall, FxGetSystemCall: inner.FxGetSystemCall, FxNextSystemCall: inner.FxNextSystemCall,
	}
	tempOf.Store(t.vfs, t)
	if rc := sqlite.Xsqlite3_vfs_register(t.tls, t.vfs, 0); rc != sqlite.SQLITE_OK {
		t.close()
		return nil, fmt.Errorf("SQLite takes no temporary files: error %d", rc)
	}
	return t, nil
}

// close is for after the engine was closed.
func (t *tempFiles) close() {
	sqlite.Xsqlite3_vfs_unregister(t.tls, t.vfs)
	tempOf.Delete(t.vfs)
	for _, own := range t.methods {
		tempOf.Delete(own)
		libc.Xfree(t.tls, own)
	}
	libc.Xfree(t.tls, t.vfs)
	libc.Xfree(t.tls, t.cName)
	t.tls.Close()
}

func openTemp(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	v, ok := tempOf.Load(vfs)
	if !ok {
		return sqlite.SQLITE_CANTOPEN
	}
	t := v.(*tempFiles)
	if name != 0 {
		return sqlite.SQLITE_CANTOPEN // a temporary file has no name: no other is SQLite's to open
	}
	open := called[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32]((*sqlite.Tsqlite3_vfs)(memory(t.inner)).FxOpen)
	rc := open(tls, t.inner, name, file, flags, out)
	f := (*sqlite.Tsqlite3_file)(memory(file))
	if rc != sqlite.SQLITE_OK || f.FpMethods == 0 {
		return rc
	}
	own, known := t.methods[f.FpMethods]
	if !known {
		methods := *(*sqlite.Tsqlite3_io_methods)(memory(f.FpMethods))
		methods.FxWrite = callback(writeBounded)
		methods.FiVersion = 1 // no memory mapping: it would write past us
		own = libc.Xmalloc(t.tls, libc.Tsize_t(unsafe.Sizeof(methods)))
		*(*sqlite.Tsqlite3_io_methods)(memory(own)) = methods
		t.methods[f.FpMethods] = own
		tempOf.Store(own, t)
	}
	f.FpMethods = own
	return rc
}

func writeBounded(tls *libc.TLS, file, from uintptr, n int32, offset sqlite.Tsqlite3_int64) int32 {
	methods := (*sqlite.Tsqlite3_file)(memory(file)).FpMethods
	v, ok := tempOf.Load(methods)
	if !ok {
		return sqlite.SQLITE_IOERR_WRITE
	}
	t := v.(*tempFiles)
	if t.left -= int64(n); t.left < 0 {
		t.full = true
		return sqlite.SQLITE_FULL
	}
	for inner, own := range t.methods {
		if own == methods {
			write := called[func(*libc.TLS, uintptr, uintptr, int32, sqlite.Tsqlite3_int64) int32]((*sqlite.Tsqlite3_io_methods)(memory(inner)).FxWrite)
			return write(tls, file, from, n, offset)
		}
	}
	return sqlite.SQLITE_IOERR_WRITE
}

// called makes a Go function of what SQLite keeps as a function pointer: the
// opposite of callback.
func called[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&struct{ p uintptr }{p})) }
