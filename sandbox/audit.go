package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"log/slog"
	"slices"
	"strings"

	"helve/internal/excerpt"
)

// audit leaves a record of a run. Its digest is of the program and of all that it was
// given; what was secret in that does not show.
func (s *Sandbox) audit(ctx context.Context, spec Spec, limits Limits, r *Result, err error) {
	if !s.log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	attrs := []slog.Attr{
		slog.String("level", string(s.level)),
		slog.String("digest", digest(spec)),
		slog.String("program", excerpt.Of(spec.Args[0], 200)),
		slog.String("args", excerpt.Of(s.redact(strings.Join(spec.Args[1:], " ")), 200)),
		slog.Int("files", len(spec.Files)),
		slog.Duration("time_limit", limits.Time),
		slog.Int64("memory_limit", limits.Memory),
		slog.Int("process_limit", limits.Processes),
	}
	if err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "sandbox refused a run", append(attrs, slog.Any("error", err))...)
		return
	}
	attrs = append(attrs, slog.Int("exit_code", r.ExitCode), slog.Duration("took", r.Usage.Time), slog.Int64("memory", r.Usage.Memory))
	if r.Signal != "" {
		attrs = append(attrs, slog.String("signal", r.Signal))
	}
	if r.Reason != "" {
		attrs = append(attrs, slog.String("reason", string(r.Reason)))
	}
	s.log.LogAttrs(ctx, slog.LevelInfo, "sandbox run", attrs...)
}

func (s *Sandbox) redact(text string) string {
	if s.options.Redact == nil {
		return text
	}
	return s.options.Redact(text)
}

// digest is one number for the same run of the same files.
func digest(spec Spec) string {
	h := sha256.New()
	put := func(parts ...string) {
		for _, p := range parts {
			var n [8]byte
			binary.BigEndian.PutUint64(n[:], uint64(len(p)))
			h.Write(n[:])
			h.Write([]byte(p))
		}
	}
	put(spec.Args...)
	files := slices.Clone(spec.Files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range files {
		sum := sha256.Sum256(f.Data)
		put(f.Name, f.Mode.String(), string(sum[:]))
	}
	put(string(spec.Stdin))
	return hex.EncodeToString(h.Sum(nil)[:16])
}
