package sandbox

import "context"

// machine is what macOS has for a Sandbox: nothing that stays.
type machine struct{}

// open tries the only level that there is.
func (s *Sandbox) open() error {
	s.level = Reduced
	if s.options.Level != Reduced {
		return &UnavailableError{
			Stage: "isolate a program on macOS as strictly as on Linux",
			Hint:  `Seatbelt is less: ask for it with the level "reduced" (Options.Level), or use WebAssembly modules, which need no isolation by the system`,
		}
	}
	return s.tryReduced()
}

func (s *Sandbox) run(ctx context.Context, spec Spec, limits Limits) (*Result, error) {
	return s.runReduced(ctx, spec, limits)
}

func (s *Sandbox) shut() {}
