package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long a workspace must be left alone before it is loaded again: an
// editor saves in several steps, and a checkout changes many files.
const quiet = 100 * time.Millisecond

// Live is a workspace that is loaded again whenever its files change. It is safe for
// concurrent use.
type Live struct {
	current atomic.Pointer[Catalog]
	options Options
	log     *slog.Logger
	changed func(*Catalog)

	watcher *fsnotify.Watcher
	done    chan struct{}
	stop    context.CancelFunc
	once    sync.Once
	closing sync.WaitGroup // tools that were replaced and end their calls
}

// Watch loads a workspace and keeps it up to date until ctx ends or [Live.Close] is
// called. What is running keeps the tools it began with. A file that a change breaks
// keeps its last good version, and the log says so; changed, which may be nil, is told
// of each new catalog, one at a time.
//
// A tool that is replaced and is an io.Closer is closed: its Close must wait for the
// calls that still run.
func Watch(ctx context.Context, options Options, log *slog.Logger, changed func(*Catalog)) (*Live, error) {
	first, err := Load(ctx, options)
	if err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.Default()
	}
	ctx, stop := context.WithCancel(ctx)
	l := &Live{options: options, log: log, changed: changed, done: make(chan struct{}), stop: stop}
	l.current.Store(first)
	if first.dir == "" {
		close(l.done)
		return l, nil
	}
	if l.watcher, err = fsnotify.NewWatcher(); err != nil {
		stop()
		return nil, fmt.Errorf("watch the workspace: %w", err)
	}
	l.follow()
	go l.run(ctx)
	return l, nil
}

// Catalog returns the workspace as it was loaded last.
func (l *Live) Catalog() *Catalog { return l.current.Load() }

// Close ends the watching, and waits for tools that were replaced. The catalog and its
// tools stay.
func (l *Live) Close() {
	l.once.Do(func() {
		l.stop()
		<-l.done
		l.closing.Wait()
	})
}

func (l *Live) run(ctx context.Context) {
	defer close(l.done)
	defer l.watcher.Close()
	settle := time.NewTimer(time.Hour)
	defer settle.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case event, ok := <-l.watcher.Events:
			if !ok {
				return
			}
			if event.Op != fsnotify.Chmod {
				settle.Reset(quiet)
			}
		case err, ok := <-l.watcher.Errors:
			if !ok {
				return
			}
			l.log.Warn("watching the workspace", "error", err)
			settle.Reset(quiet) // events may be lost
		case <-settle.C:
			l.follow() // before the files are read, so that no change falls in between
			l.reload(ctx)
		}
	}
}

// reload puts the new state in the place of the old one.
func (l *Live) reload(ctx context.Context) {
	before := l.current.Load()
	now, err := load(ctx, l.options, before)
	if err != nil {
		if ctx.Err() == nil {
			l.log.Error("the workspace can't be loaded: it stays as it was", "error", err)
		}
		return
	}
	for _, p := range now.problems {
		if !slices.Contains(before.problems, p) {
			l.log.Warn("a problem in the workspace", "problem", p.Error())
		}
	}
	l.current.Store(now)
	if gone := replaced(before, now); len(gone) > 0 {
		l.closing.Go(func() { closeAll(gone, l.log) })
	}
	if l.changed != nil {
		l.changed(now)
	}
}

// replaced are the tools of before that now has not any more and that want closing.
func replaced(before, now *Catalog) []io.Closer {
	var gone []io.Closer
	for _, e := range before.entries {
		if c, ok := e.Tool.(io.Closer); ok && (e.of == nil || now.files[e.File] != e.of) {
			gone = append(gone, c)
		}
	}
	return gone
}

func closeAll(closers []io.Closer, log *slog.Logger) {
	for _, c := range closers {
		if err := c.Close(); err != nil {
			log.Warn("closing a tool", "error", err)
		}
	}
}

// follow watches the folders in which files of the workspace are, or may come to be.
// To watch one again does nothing.
func (l *Live) follow() {
	for _, dir := range l.folders() {
		if err := l.watcher.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			l.log.Warn("this folder can't be watched", "folder", dir, "error", err)
		}
	}
}

func (l *Live) folders() []string {
	dir := l.Catalog().dir
	patterns := slices.Concat(setPatterns, agentPatterns)
	for _, s := range l.options.Sources {
		patterns = append(patterns, s.Patterns()...)
	}
	folders := []string{dir}
	if l.options.User != "" {
		folders = append(folders, l.options.User)
	}
	root := os.DirFS(dir)
	for _, pattern := range patterns {
		steps := strings.Split(pattern, "/")
		for i := 1; i <= len(steps); i++ {
			found, _ := fs.Glob(root, path.Join(steps[:i]...))
			for _, f := range found {
				if info, err := fs.Stat(root, f); err == nil && info.IsDir() {
					folders = append(folders, filepath.Join(dir, filepath.FromSlash(f)))
				}
			}
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}
