//go:build !linux

package sandbox

import (
	"context"
	"runtime"
)

func (p *prober) probe(ctx context.Context) {
	p.report.Err = tryLevel(ctx, Strict)
	p.add(Feature{
		Name:   "strict",
		Detail: "this is " + runtime.GOOS + ": what the level is made of is Linux's",
		Hint:   "run helve on Linux: in a virtual machine, or WSL 2 on Windows. WebAssembly modules run here too",
	})
	p.reduced(ctx)
}
