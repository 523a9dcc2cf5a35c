package mcp_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"helve/mcp/internal/badserver"
)

func TestMain(m *testing.M) {
	badserver.Run()
	os.Setenv("HELVE_TEST_LEAK", "must reach no server")
	flag.Parse()
	_ = flag.Set("test.parallel", "16") // most of these tests wait: for a timeout, a process
	code := m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Println(err)
		code = 1
	}
	os.Exit(code)
}
