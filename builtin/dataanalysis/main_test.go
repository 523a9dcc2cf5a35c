package dataanalysis

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// underRace reports that the race detector is on: pixels cost ten times as much
// then, and memory is not what it is.
var underRace bool
