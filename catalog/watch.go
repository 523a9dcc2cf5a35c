package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// quiet is how long a workspace must be left alone before it is loaded again: an
	// editor saves in several steps, and a checkout changes many files.
	quiet = 100 * time.Millisecond

	// patience is how long a change waits for that at most.
	patience = time.Second
)

// Watch loads a workspace and keeps it up to date until ctx ends or [Live.Close] is
// called. Who has the catalog by [Live.Use] keeps the tools it began with. A file that a
// change breaks keeps its last good version, and the log says so; changed, which may be
// nil, is told of each new catalog, one at a time.
//
// A tool that is an io.Closer is closed when nobody uses a catalog with it any more.
func Watch(ctx context.Context, options Options, log *slog.Logger, changed func(*Catalog)) (*Live, error) {
	if log == nil {
		log = slog.Default()
	}
	ctx, stop := context.WithCancel(ctx)
	l := &Live{
		options: options, log: log, changed: changed, done: make(chan struct{}), stop: stop,
		users: map[*Catalog]int{}, held: map[*made]int{},
	}
	w, err := newWatcher(options, log)
	if err != nil {
		stop()
		return nil, err
	}
	n := newNews(options.Sources)
	first, err := Load(ctx, options) // after the watching began, so that no change falls in between
	if err != nil {
		stop()
		w.Close()
		return nil, err
	}
	l.become(first)
	go l.run(ctx, w, n)
	return l, nil
}

func (l *Live) run(ctx context.Context, w *watcher, n *news) {
	defer close(l.done)
	defer w.Close()
	defer n.follow(ctx)()
	settle := time.NewTimer(time.Hour)
	defer settle.Stop()
	var latest time.Time // when a reload must come; zero while nothing has changed
	soon := func() {
		now := time.Now()
		if latest.IsZero() {
			latest = now.Add(patience)
		}
		if left := latest.Sub(now); left > 0 { // else it is about to fire, and a Reset would put it off
			settle.Reset(min(quiet, left))
		}
	}
	for {
		select {
		case <-ctx.Done():
			return
		case event, ok := <-w.Events:
			if !ok {
				return
			}
			if w.concerns(event.Name) && (event.Op != fsnotify.Chmod || w.isInWhole(event.Name)) { // a script may have become one that can run
				soon()
			}
		case err, ok := <-w.Errors:
			if !ok {
				return
			}
			l.log.Warn("watching the workspace", "error", err)
			soon() // events may be lost
		case <-n.came:
			soon()
		case <-settle.C:
			latest = time.Time{}
			w.follow() // before the files are read, so that no change falls in between
			l.reload(ctx)
		}
	}
}

// reload puts the new state in the place of the old one.
func (l *Live) reload(ctx context.Context) {
	before := l.Catalog()
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
	l.become(now)
	if l.changed != nil {
		l.changed(now)
	}
}

// watcher tells of changes in the folders of a workspace.
type watcher struct {
	*fsnotify.Watcher
	dir      string // empty without a workspace
	user     string // the folder of the user's own settings
	patterns []string
	wholes   []string // absolute folders, in which everything matters
	log      *slog.Logger
}

func newWatcher(options Options, log *slog.Logger) (*watcher, error) {
	inner, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch the workspace: %w", err)
	}
	w := &watcher{Watcher: inner, user: options.User, log: log}
	w.patterns = slices.Concat([]string{SettingsFile}, setPatterns, agentPatterns)
	for _, s := range options.Sources {
		w.patterns = append(w.patterns, s.Patterns()...)
	}
	if options.Dir != "" {
		if w.dir, err = filepath.Abs(options.Dir); err != nil {
			inner.Close()
			return nil, err
		}
	}
	for _, s := range options.Sources {
		if all, ok := s.(Watching); ok {
			w.whole(all.Watches())
		}
	}
	w.follow()
	return w, nil
}

// whole adds folders in which everything matters.
func (w *watcher) whole(folders []string) {
	for _, f := range folders {
		f = filepath.FromSlash(f)
		switch {
		case filepath.IsAbs(f):
			w.wholes = append(w.wholes, filepath.Clean(f))
		case w.dir != "":
			w.wholes = append(w.wholes, filepath.Join(w.dir, f))
		}
	}
}

// follow watches the folders in which files of the workspace are, or may come to be.
// To watch one again does nothing.
func (w *watcher) follow() {
	for _, dir := range w.folders() {
		if err := w.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.log.Warn("this folder can't be watched", "folder", dir, "error", err)
		}
	}
}

func (w *watcher) folders() []string {
	var folders []string
	if w.user != "" {
		folders = append(folders, w.user)
	}
	for _, whole := range w.wholes {
		folders = append(folders, w.around(whole)...)
	}
	if w.dir == "" {
		return folders
	}
	folders = append(folders, w.dir)
	root := os.DirFS(w.dir)
	for _, pattern := range w.patterns {
		steps := strings.Split(pattern, "/")
		for i := 1; i <= len(steps); i++ {
			found, _ := fs.Glob(root, path.Join(steps[:i]...))
			for _, f := range found {
				if info, err := fs.Stat(root, f); err == nil && info.IsDir() {
					folders = append(folders, filepath.Join(w.dir, filepath.FromSlash(f)))
					if i == len(steps) && f != "." { // a source that takes the workspace says what of it by Watches
						folders = append(folders, within(w.dir, root, f)...)
					}
				}
			}
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// mostWithin is how many folders of a folder that a pattern matches are watched: the
// system gives a number of them to all programs.
const mostWithin = 200

// within returns the folders in a folder that a pattern matches, and so is read as a
// whole.
func within(dir string, root fs.FS, folder string) []string {
	var all []string
	_ = fs.WalkDir(root, folder, func(p string, d fs.DirEntry, err error) error { // what can't be read is not watched
		switch {
		case err != nil || !d.IsDir() || p == folder:
			return nil
		case strings.HasPrefix(d.Name(), ".") || len(all) == mostWithin:
			return fs.SkipDir
		}
		all = append(all, filepath.Join(dir, filepath.FromSlash(p)))
		return nil
	})
	return all
}

// around are a folder and those in it, and those on the way to it from the workspace: it
// may come, or come again.
func (w *watcher) around(whole string) []string {
	var folders []string
	if info, err := os.Stat(whole); err == nil && info.IsDir() {
		folders = append(within(whole, os.DirFS(whole), "."), whole)
	}
	for above := filepath.Dir(whole); w.dir != "" && isBelow(above, w.dir); above = filepath.Dir(above) {
		if info, err := os.Stat(above); err == nil && info.IsDir() {
			folders = append(folders, above)
		}
	}
	return folders
}

// isBelow reports whether a path is that of a folder, or of something in it.
func isBelow(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// isInWhole reports whether something changed in a folder in which everything matters.
func (w *watcher) isInWhole(changed string) bool {
	return slices.ContainsFunc(w.wholes, func(whole string) bool { return isBelow(changed, whole) })
}

// concerns reports whether what changed may matter: a file that a pattern matches, a
// folder on the way to one, or something inside a folder that one matches. Others, such
// as a log that is written beside them, are no news.
func (w *watcher) concerns(changed string) bool {
	if w.user != "" && filepath.Dir(changed) == filepath.Clean(w.user) && filepath.Base(changed) == SettingsFile {
		return true
	}
	if w.isInWhole(changed) {
		return true
	}
	rel, err := filepath.Rel(w.dir, changed)
	if w.dir == "" || err != nil || !filepath.IsLocal(rel) {
		return false
	}
	steps := strings.Split(filepath.ToSlash(rel), "/")
	for _, whole := range w.wholes {
		if isBelow(whole, changed) { // a folder on the way to it
			return true
		}
	}
	for _, pattern := range w.patterns {
		if wanted := strings.Split(pattern, "/"); leads(steps, wanted) {
			return true
		}
	}
	return false
}

// leads reports whether the steps of a path and of a pattern agree as far as both go.
func leads(steps, wanted []string) bool {
	for i := range min(len(steps), len(wanted)) {
		if ok, _ := path.Match(wanted[i], steps[i]); !ok {
			return false
		}
	}
	return true
}
