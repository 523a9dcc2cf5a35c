package e2e

import "crypto/rand"

// mark is in the environment of the processes of one test, and in that of all they start.
type mark string

const markName = "HELVE_E2E_MARK"

func newMark() mark { return mark(rand.Text()) }
