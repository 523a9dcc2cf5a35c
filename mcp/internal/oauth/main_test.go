package oauth_test

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if processMain() {
		return
	}
	goleak.VerifyTestMain(m)
}
