package wasm

import (
	"context"
	"log/slog"
	"strings"

	"helve/internal/excerpt"
	"helve/sandbox"
)

// audit leaves a record of a run. The digest is the SHA-256 of the module.
func (r *Runtime) audit(ctx context.Context, spec sandbox.Spec, limits sandbox.Limits, digest string, result *sandbox.Result, err error) {
	if !r.log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	attrs := []slog.Attr{
		slog.String("level", string(sandbox.WASM)),
		slog.String("digest", digest),
		slog.String("program", excerpt.Of(spec.Args[0], 200)),
		slog.String("args", excerpt.Of(strings.Join(spec.Args[1:], " "), 200)),
		slog.Int("files", len(spec.Files)),
		slog.Duration("time_limit", limits.Time),
		slog.Int64("memory_limit", limits.Memory),
	}
	if err != nil {
		r.log.LogAttrs(ctx, slog.LevelWarn, "sandbox refused a run", append(attrs, slog.Any("error", err))...)
		return
	}
	attrs = append(attrs,
		slog.Int("exit_code", result.ExitCode),
		slog.Duration("took", result.Usage.Time),
		slog.Int64("memory", result.Usage.Memory))
	if result.Reason != "" {
		attrs = append(attrs, slog.String("reason", string(result.Reason)))
	}
	r.log.LogAttrs(ctx, slog.LevelInfo, "sandbox run", attrs...)
}
