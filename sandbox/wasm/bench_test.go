package wasm

import (
	"log/slog"
	"path/filepath"
	"testing"

	"helve/sandbox"
)

// BenchmarkRun is a Go program that ends at once: compiled for it, compiled before and kept
// on disk, and kept in memory.
func BenchmarkRun(b *testing.B) {
	spec := sandbox.Spec{Args: []string{"guest.wasm", "exit", "0"}, Files: []sandbox.File{{Name: "guest.wasm", Data: guest}}}
	start := func(b *testing.B, dir string) *Runtime {
		r, err := New(b.Context(), Options{CacheDir: dir, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	run := func(b *testing.B, r *Runtime) {
		if result, err := r.Run(b.Context(), spec); err != nil || result.ExitCode != 0 {
			b.Fatal(result, err)
		}
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			r := start(b, "")
			run(b, r)
			r.Close()
		}
	})
	b.Run("disk", func(b *testing.B) {
		dir := filepath.Join(b.TempDir(), "cache")
		r := start(b, dir)
		run(b, r)
		r.Close()
		for b.Loop() {
			r := start(b, dir)
			run(b, r)
			r.Close()
		}
	})
	b.Run("warm", func(b *testing.B) {
		r := start(b, "")
		defer r.Close()
		run(b, r)
		for b.Loop() {
			run(b, r)
		}
	})
}
