package sandbox

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
)

// Options say how a Sandbox isolates. The zero value is the default.
type Options struct {
	// Level is what every run has. Without it that is Strict, or StrictNoProc where /proc
	// can't be mounted. Reduced is had only by its name.
	Level Level

	// Limits are those of a run that says nothing else; zero fields are as in
	// [DefaultLimits].
	Limits Limits

	// Warm is how many sandboxes are started in advance, so that a run begins in a
	// fraction of the time; 32 at most. Each takes some 3 MiB, and a process. They serve
	// runs without ReadOnly.
	Warm int

	// NoCgroup leaves cgroups alone, also where they could be written: memory is then
	// limited for each process, and watched for all.
	NoCgroup bool

	// Log gets a record of each run (what was run, how, and why it ended), at level
	// Info. Without it, [slog.Default] does.
	Log *slog.Logger
}

// Sandbox runs programs, each in an isolation of its own. It is safe for concurrent use.
type Sandbox struct {
	options Options
	level   Level
	log     *slog.Logger
	machine machine // what this system has for it

	closing sync.Once
}

// New returns a Sandbox with the level that was asked for, having tried it. The error is
// an [*UnavailableError] where this machine does not have it: there is no less that it
// falls back to.
func New(o Options) (*Sandbox, error) {
	o.Limits = o.Limits.Or(DefaultLimits())
	s := &Sandbox{options: o, log: cmp.Or(o.Log, slog.Default())}
	if o.Level != "" && o.Level.rank() == 0 {
		return nil, specError("there is no level %q for programs: there are %s, %s and %s", o.Level, Strict, StrictNoProc, Reduced)
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

// Level is the level of every run.
func (s *Sandbox) Level() Level { return s.level }

// Close ends what was started in advance. Runs that go on are not disturbed.
func (s *Sandbox) Close() error {
	s.closing.Do(s.shut)
	return nil
}

// Run makes Sandbox a [Runner].
func (s *Sandbox) Run(ctx context.Context, spec Spec) (*Result, error) {
	limits := spec.Limits.Or(s.options.Limits)
	if err := check(spec, limits, s.level); err != nil {
		Audit(ctx, s.log, s.level, spec, limits, nil, err)
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	result, err := s.run(ctx, spec, limits)
	Audit(ctx, s.log, s.level, spec, limits, result, err)
	return result, err
}
