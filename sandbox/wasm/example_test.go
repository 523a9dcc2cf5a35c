package wasm_test

import (
	"context"
	"fmt"
	"log/slog"

	"helve/sandbox"
	"helve/sandbox/wasm"
)

func Example() {
	ctx := context.Background()
	runtime, err := wasm.New(ctx, wasm.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer runtime.Close()

	// (module (func (export "_start") unreachable)): a compiler makes larger ones.
	module := []byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00" +
		"\x07\x0a\x01\x06_start\x00\x00\x0a\x05\x01\x03\x00\x00\x0b")
	result, err := runtime.Run(ctx, sandbox.Spec{
		Args:  []string{"trap.wasm"},
		Files: []sandbox.File{{Name: "trap.wasm", Data: module}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.ExitCode)
	fmt.Printf("%.23s\n", result.Stderr)
	// Output:
	// 134
	// wasm error: unreachable
}
