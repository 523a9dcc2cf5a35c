package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"helve/internal/excerpt"
	"helve/internal/keylike"
	"helve/internal/secret"
)

// Audit leaves a record of a run in a log: what was run, under which limits, and why it
// ended; at level Warn what was refused, at Info all else. It is for who writes a [Runner].
//
// The digest is of all that the program was given. An argument that looks like a key, or
// has the name of one, as in --password=x, is left out.
func Audit(ctx context.Context, log *slog.Logger, level Level, spec Spec, limits Limits, r *Result, err error) {
	if !log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	var program, args string
	if len(spec.Args) > 0 {
		program, args = spec.Args[0], readable(spec.Args[1:])
	}
	attrs := []slog.Attr{
		slog.String("level", string(level)),
		slog.String("digest", digest(spec)),
		slog.String("program", excerpt.Of(program, 200)),
		slog.String("args", excerpt.Of(args, 200)),
		slog.Int("files", len(spec.Files)),
		slog.Duration("time_limit", limits.Time),
		slog.Int64("memory_limit", limits.Memory),
		slog.Int("process_limit", limits.Processes),
	}
	if err != nil {
		log.LogAttrs(ctx, slog.LevelWarn, "sandbox refused a run", append(attrs, slog.Any("error", err))...)
		return
	}
	attrs = append(attrs, slog.Int("exit_code", r.ExitCode), slog.Duration("took", r.Usage.Time), slog.Int64("memory", r.Usage.Memory))
	if r.Signal != "" {
		attrs = append(attrs, slog.String("signal", r.Signal))
	}
	if r.Reason != "" {
		attrs = append(attrs, slog.String("reason", string(r.Reason)))
	}
	log.LogAttrs(ctx, slog.LevelInfo, "sandbox run", attrs...)
}

// readable are arguments for a log. One after another that has the name of a secret, as in
// --token x, is one, too.
func readable(args []string) string {
	shown := make([]string, len(args))
	named := false
	for i, a := range args {
		name, value, assigned := strings.Cut(a, "=")
		isName := secret.IsNamed(strings.TrimLeft(name, "-"))
		switch {
		case assigned && isName:
			shown[i] = name + "=[secret]"
		case named || keylike.Text(a) || assigned && keylike.Text(value):
			shown[i] = "[secret]"
		default:
			shown[i] = a
		}
		named = isName && !assigned && strings.HasPrefix(a, "-")
	}
	return strings.Join(shown, " ")
}

// digest is one number for the same run of the same files.
func digest(spec Spec) string {
	h := sha256.New()
	put := func(parts ...string) {
		for _, p := range append(parts, "") { // the end of a list is not a part of the next
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
	for _, name := range slices.Sorted(maps.Keys(spec.Env)) {
		put(name, spec.Env[name])
	}
	for _, m := range spec.ReadOnly {
		put(m.Source, m.At())
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
