package library

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/yosida95/uritemplate/v3"

	"helve/catalog"
)

const (
	// together is how long changes are gathered: an editor saves in several steps.
	together = 100 * time.Millisecond

	// mostFolders is how many are watched.
	mostFolders = 1000
)

// Watcher tells of resources whose files change. It is safe for concurrent use.
type Watcher struct {
	watcher *fsnotify.Watcher
	updated func(uri string)
	log     *slog.Logger
	done    chan struct{}

	mu        sync.Mutex
	resources []*watched
	told      bool // that there are too many folders
}

// watched is a resource, and what finds its addresses by its files.
type watched struct {
	*resource
	files *regexp.Regexp // nil without a file; the paths, with a group for each variable
}

// Watch begins to watch. It calls updated with the address of each resource that may
// have changed, until [Watcher.Close]: from a goroutine of its own for a file, and from
// [Watcher.Follow] for what the workspace says of the resource.
func Watch(updated func(uri string), log *slog.Logger) (*Watcher, error) {
	inner, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &Watcher{watcher: inner, updated: updated, log: log, done: make(chan struct{})}
	go w.run()
	return w, nil
}

// Close ends the watching.
func (w *Watcher) Close() error {
	err := w.watcher.Close()
	<-w.done
	return err
}

// Follow watches the resources of c from now on, in the place of others. One whose own
// description has changed since the last time has changed.
func (w *Watcher) Follow(c *catalog.Catalog) {
	var now []*watched
	for _, r := range catalog.Values[*resource](c) {
		now = append(now, &watched{r, r.files()})
	}
	w.mu.Lock()
	before := map[string]ResourceFile{}
	for _, r := range w.resources {
		before[r.URI] = r.ResourceFile
	}
	w.resources = now
	w.mu.Unlock()
	w.follow()
	for _, r := range now {
		if was, there := before[r.URI]; there && r.template == nil && was != r.ResourceFile {
			w.updated(r.URI)
		}
	}
}

func (w *Watcher) run() {
	defer close(w.done)
	changed := map[string]bool{} // paths
	var soon <-chan time.Time
	for {
		select {
		case event, ok := <-w.watcher.Events:
			if !ok {
				return
			}
			if event.Op == fsnotify.Chmod {
				continue
			}
			changed[event.Name] = true
			if soon == nil {
				soon = time.After(together)
			}
		case err, ok := <-w.watcher.Errors:
			if !ok {
				return
			}
			w.log.Warn("watching the files of resources", "error", err)
		case <-soon:
			soon = nil
			w.tell(changed)
			clear(changed)
			w.follow() // there may be new folders
		}
	}
}

// tell tells of the resources in these files, each once.
func (w *Watcher) tell(changed map[string]bool) {
	uris := map[string]bool{}
	w.mu.Lock()
	for _, r := range w.resources {
		for path := range changed {
			if uri, ok := r.address(path); ok {
				uris[uri] = true
			}
		}
	}
	w.mu.Unlock()
	for uri := range uris {
		w.updated(uri)
	}
}

// files is a regular expression for the files of a resource, from the workspace on.
func (r *resource) files() *regexp.Regexp {
	if r.File == "" {
		return nil
	}
	var b strings.Builder
	b.WriteByte('^')
	rest := filepath.ToSlash(filepath.Clean(filepath.FromSlash(r.File)))
	seen := map[string]bool{}
	for r.template != nil {
		at := placeholder.FindStringIndex(rest)
		if at == nil {
			break
		}
		found := rest[at[0]:at[1]]
		b.WriteString(regexp.QuoteMeta(rest[:at[0]]))
		rest = rest[at[1]:]
		name := strings.Trim(found, "{}")
		switch {
		case strings.HasPrefix(found, "{{"):
			b.WriteString(regexp.QuoteMeta("{" + name + "}"))
		case seen[name] || strings.Contains(name, "-"):
			b.WriteString(`.+`)
		default:
			seen[name] = true
			b.WriteString(`(?P<` + name + `>.+)`)
		}
	}
	b.WriteString(regexp.QuoteMeta(rest) + "$")
	return regexp.MustCompile(b.String())
}

// address is that of the resource in a file, if it is in that.
func (w *watched) address(file string) (string, bool) {
	if w.files == nil {
		return "", false
	}
	rel, err := filepath.Rel(w.dir, file)
	if err != nil {
		return "", false
	}
	found := w.files.FindStringSubmatch(filepath.ToSlash(rel))
	if found == nil {
		return "", false
	}
	if w.template == nil {
		return w.URI, true
	}
	values := uritemplate.Values{}
	for i, name := range w.files.SubexpNames() {
		if name != "" {
			values[name] = uritemplate.String(found[i])
		}
	}
	uri, err := w.template.Expand(values)
	return uri, err == nil && w.answers(uri)
}

// follow watches the folders of all files. To watch one again does nothing.
func (w *Watcher) follow() {
	w.mu.Lock()
	defer w.mu.Unlock()
	folders := 0
	add := func(dir string) bool {
		if folders++; folders > mostFolders {
			if !w.told {
				w.log.Warn("the resources have too many folders: changes in some are not noticed", "most", mostFolders)
			}
			w.told = true
			return false
		}
		if err := w.watcher.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fsnotify.ErrClosed) {
			w.log.Warn("this folder can't be watched", "folder", dir, "error", err)
		}
		return true
	}
	for _, r := range w.resources {
		if r.files == nil {
			continue
		}
		head, more := r.File, false
		if r.template != nil {
			head, _, more = strings.Cut(r.File, "{")
		}
		top := filepath.Join(r.dir, filepath.FromSlash(head[:strings.LastIndex(head, "/")+1]))
		if !more {
			add(top)
			continue
		}
		_ = filepath.WalkDir(top, func(dir string, d os.DirEntry, err error) error {
			switch {
			case err != nil || !d.IsDir():
				return nil
			case dir != top && strings.HasPrefix(d.Name(), "."):
				return filepath.SkipDir
			case !add(dir):
				return filepath.SkipAll
			}
			return nil
		})
	}
}
