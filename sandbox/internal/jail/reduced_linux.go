package jail

import "helve/sandbox/internal/wire"

// launchReduced runs a program without namespaces.
func launchReduced(base wire.Base) {
	fail("reduced", nil, "not yet")
}
