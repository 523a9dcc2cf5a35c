package wasm

import (
	"context"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// errno is an error of WASI preview 1 that wazero's sys.Errno has no word for. A file
// system can't say them: all that it does not know is an I/O error to a guest, and a
// program that is told "I/O error" is not told that its disk is full.
type errno uint64

const (
	tooBig      errno = 22
	ioError     errno = 29
	tooManyOpen errno = 33
	noSpace     errno = 51
	tooMany     errno = 61
	otherDevice errno = 75
)

// answer puts the right word into the answer of the functions that can be refused. It hears
// of each call from wazero, before and after, and has its results, which are where the guest
// reads them; a test sees to it that this stays so.
type answer struct{}

// refusable are the functions that it listens to.
var refusable = map[string]bool{
	"fd_allocate":           true,
	"fd_filestat_set_size":  true,
	"fd_pwrite":             true,
	"fd_readdir":            true,
	"fd_write":              true,
	"path_create_directory": true,
	"path_open":             true,
	"path_rename":           true,
}

// NewFunctionListener makes answer an [experimental.FunctionListenerFactory].
func (a answer) NewFunctionListener(f api.FunctionDefinition) experimental.FunctionListener {
	if refusable[f.Name()] {
		return a
	}
	return nil
}

// Before forgets what an earlier call was refused for.
func (answer) Before(ctx context.Context, _ api.Module, _ api.FunctionDefinition, _ []uint64, _ experimental.StackIterator) {
	if t := treeOf(ctx); t != nil {
		t.refused = 0
	}
}

// After puts what this call was refused for in the place of an I/O error.
func (answer) After(ctx context.Context, _ api.Module, _ api.FunctionDefinition, results []uint64) {
	if t := treeOf(ctx); t != nil && t.refused != 0 && len(results) > 0 && errno(results[0]) == ioError {
		results[0] = uint64(t.refused)
	}
}

// Abort has nothing to do.
func (answer) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}

type treeKey struct{}

func treeOf(ctx context.Context) *tree {
	t, _ := ctx.Value(treeKey{}).(*tree)
	return t
}
