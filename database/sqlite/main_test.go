package sqlite

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if job, ok := os.LookupEnv(jobVariable); ok {
		runJob(job)
		return
	}
	goleak.VerifyTestMain(m)
}
