package main

import (
	"cmp"
	"context"

	"helve/catalog"
	"helve/telemetry"
)

// watcher is what the OTEL_… variables and --metrics-addr ask for, started once; nil
// where they ask for nothing.
func (a *app) watcher(ctx context.Context, s catalog.Settings) (*telemetry.Telemetry, error) {
	if a.watching {
		return a.telemetry, nil
	}
	t, err := telemetry.Start(context.WithoutCancel(ctx), telemetry.Options{
		MetricsAddr: cmp.Or(a.metricsAddr, s.Telemetry.MetricsAddr),
		Version:     version(),
		Logger:      a.logger(),
		Console:     a.std.err,
	})
	if err != nil {
		return nil, usage("%w", err)
	}
	a.watching, a.telemetry = true, t
	return t, nil
}

// end gives back what the process holds: what was measured is sent, what programs run in
// ends, the database is closed.
func (a *app) end() {
	a.telemetry.Shutdown(context.Background())
	if a.catalog != nil {
		_ = a.catalog.Close() // the programs of Go functions end
	}
	a.box.close()
	a.wasm.close()
	if a.db != nil {
		_ = a.db.Close() // what was acknowledged is on the disk
	}
}
