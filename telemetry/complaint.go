package telemetry

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"helve/executor"
)

// complaint says once that telemetry could not be sent. A collector that is down
// stays so for a while, and a line for every batch helps nobody.
type complaint struct {
	log    *slog.Logger
	hidden *strings.Replacer
	once   sync.Once
}

func newComplaint(log *slog.Logger, secrets []string) *complaint {
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // one may be in another
	var pairs []string
	for _, s := range secrets {
		if len(s) > 3 { // shorter ones are no secret, and would be found everywhere
			pairs = append(pairs, s, "[redacted]")
		}
	}
	return &complaint{log: log, hidden: strings.NewReplacer(pairs...)}
}

// errLate is what is said of an export whose time was over, or the program's.
var errLate = errors.New("the collector did not answer in time")

// mostComplaint is how many bytes of a collector's answer a log line holds.
const mostComplaint = 1 << 10

// about complains of err, if it is one. ctx bounded what failed.
func (c *complaint) about(ctx context.Context, err error) {
	if err == nil {
		return
	}
	if ctx.Err() != nil {
		err = errLate
	}
	c.once.Do(func() {
		text := clean(executor.RedactText(c.hidden.Replace(err.Error())), mostComplaint)
		c.log.Warn("telemetry could not be sent; this is said only once", "error", text)
	})
}
