package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
)

// scrapes serves metrics to Prometheus.
type scrapes struct {
	addr   string
	server *http.Server
	served chan struct{} // closed when the server's goroutine has ended
}

// listenForScrapes takes the address.
func listenForScrapes(ctx context.Context, addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, fmt.Errorf("%w: write it as HOST:PORT, such as 127.0.0.1:9464, or :9464 for every address of this machine", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		err = fmt.Errorf("%w: another program listens there, perhaps a second helve: choose another port", err)
	}
	return listener, err
}

// newScrapeReader returns a reader that is scraped through registry, and adds the
// state of the process to it.
func newScrapeReader(registry *prometheus.Registry) (sdkmetric.Reader, error) {
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return otelprometheus.New(otelprometheus.WithRegisterer(registry), otelprometheus.WithoutScopeInfo())
}

// serveScrapes serves registry until it is closed.
func serveScrapes(listener net.Listener, registry *prometheus.Registry, log *slog.Logger) *scrapes {
	errorLog := slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorLog: errorLog, MaxRequestsInFlight: 4, Timeout: 10 * time.Second}))
	s := &scrapes{
		addr: listener.Addr().String(),
		server: &http.Server{
			Handler:        mux,
			ReadTimeout:    5 * time.Second,
			WriteTimeout:   15 * time.Second,
			IdleTimeout:    2 * time.Minute,
			MaxHeaderBytes: 16 << 10,
			ErrorLog:       errorLog,
		},
		served: make(chan struct{}),
	}
	go func() {
		defer close(s.served)
		if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Warn("metrics are served no more", "addr", s.addr, "error", err)
		}
	}()
	log.Info("metrics are served", "url", "http://"+s.addr+"/metrics")
	return s
}

// close waits for scrapes that are on their way, as long as ctx allows.
func (s *scrapes) close(ctx context.Context) error {
	if s.server.Shutdown(ctx) != nil {
		s.server.Close() // whoever scrapes will come again
	}
	<-s.served
	return nil
}
