package wasm

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// notSupported is WASI's answer to what is not there.
const notSupported = 58

// compileHost compiles WASI's functions: wazero's, with two changes. Errors are said in
// WASI's words, see [answer]. And fd_renumber, which gives a descriptor another number, is
// not supported: wazero allocates a table up to any number that a guest asks for, and that
// is up to 16 GiB.
func compileHost(ctx context.Context, runtime wazero.Runtime) (wazero.CompiledModule, error) {
	builder := runtime.NewHostModuleBuilder(wasi)
	wasi_snapshot_preview1.NewFunctionExporter().ExportFunctions(builder)
	builder.NewFunctionBuilder().
		WithGoFunction(api.GoFunc(func(_ context.Context, stack []uint64) { stack[0] = notSupported }),
			[]api.ValueType{api.ValueTypeI32, api.ValueTypeI32}, []api.ValueType{api.ValueTypeI32}).
		WithName("fd_renumber").Export("fd_renumber")
	return builder.Compile(experimental.WithFunctionListenerFactory(ctx, answer{}))
}
