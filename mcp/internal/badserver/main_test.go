package badserver_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"helve/mcp/internal/badserver"
)

func TestMain(m *testing.M) {
	badserver.Run()
	code := m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		code = 1
	}
	os.Exit(code)
}
