package catalog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func isClosed(c *closing) bool {
	select {
	case <-c.closed:
		return true
	default:
		return false
	}
}

func closingTool(t *testing.T, c *Catalog, name string) *closing {
	t.Helper()
	x, ok := c.Tool(name)
	if !ok {
		t.Fatalf("%s is not there", name)
	}
	return x.(*closing)
}

// TestToolsLiveAsLongAsSomebodyUsesThem: a run goes on with the tools it began with.
func TestToolsLiveAsLongAsSomebodyUsesThem(t *testing.T) {
	t.Parallel()
	w := watch(t, good, func(o *Options) { o.Sources = []Source{closingSource{}} })
	used, done := w.Use()
	first := closingTool(t, used, "good")
	put(t, w.dir, "-- tools/plain/good.yaml --\nname: good\nanswer: 'two'\n")
	now := w.until(t, "the change", func(c *Catalog) bool { return answers(c, "good", "two") })
	if isClosed(first) {
		t.Error("a tool that is in use was closed")
	}
	done()
	<-first.closed
	done() // again does nothing
	second := closingTool(t, now, "good")
	if isClosed(second) {
		t.Error("the current tool was closed")
	}
	w.Close()
	<-second.closed
}

// TestAnAgentThatStaysHasItsTools: what stays as it was stays whole.
func TestAnAgentThatStaysHasItsTools(t *testing.T) {
	t.Parallel()
	w := watch(t, good+"-- agents/a.yaml --\nname: a\ntools: [good]\n", func(o *Options) { o.Sources = []Source{closingSource{}} })
	first := closingTool(t, w.Catalog(), "good")
	if err := os.Remove(filepath.Join(w.dir, "tools/plain/good.yaml")); err != nil {
		t.Fatal(err)
	}
	c := w.until(t, "the tool is gone", func(c *Catalog) bool { _, ok := c.Tool("good"); return !ok })
	a, err := c.Agent("a")
	if err != nil || len(a.Tools) != 1 || a.Tools[0] != first || isClosed(first) {
		t.Errorf("the agent that stays has lost its tool: %v, closed %v", err, isClosed(first))
	}
	put(t, w.dir, "-- agents/a.yaml --\nname: a\n")
	w.until(t, "the agent is whole", func(c *Catalog) bool { return len(c.Problems()) == 0 })
	<-first.closed
}

// slowSource changes the settings while the first load reads its own file.
type slowSource struct {
	plain
	change func()
}

func (slowSource) Patterns() []string { return []string{"tools/slow/*.yaml"} }
func (s slowSource) Load(context.Context, *File) ([]Found, error) {
	s.change()
	return nil, nil
}

func TestNoChangeFallsBetweenLoadAndWatch(t *testing.T) {
	t.Parallel()
	changed := false
	var w *watched
	archive := "-- helve.yaml --\nmodel: sim/offline\n-- tools/slow/a.yaml --\nx\n"
	w = watch(t, archive, func(o *Options) {
		dir := o.Dir
		o.Sources = []Source{slowSource{change: func() {
			if !changed {
				changed = true
				put(t, dir, "-- helve.yaml --\nmodel: sim/other\n")
			}
		}}}
	})
	w.until(t, "the change", func(c *Catalog) bool { return settings(c).Model == "sim/other" })
}

// TestALogBesideTheFilesIsNoNews, and does not hold a reload up.
func TestALogBesideTheFilesIsNoNews(t *testing.T) {
	t.Parallel()
	dir := write(t, good)
	w, err := newWatcher(options(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for path, want := range map[string]bool{
		"helve.yaml": true, "agents": true, "agents/a.yaml": true, "agents/a.yml": true, "configs": true, "configs/agents/a.yaml": true, "tools/plain/x.yaml": true, "tools": true,
		"run.log": false, "agents/.a.yaml.swp": false, "agents/a.yaml~": false, "output/x.png": false, "tools/other/x.yaml": false, "..": false, "../helve.yaml": false,
	} {
		if got := w.concerns(filepath.Join(dir, path)); got != want {
			t.Errorf("%s: got %v", path, got)
		}
	}
	if !leads([]string{"tools", "builtin", "a.go"}, []string{"tools", "builtin"}) {
		t.Error("what is inside a folder that a pattern matches is news")
	}
}

// TestPatience: changes without end are loaded all the same.
func TestPatience(t *testing.T) {
	t.Parallel()
	w := watch(t, "-- helve.yaml --\nmodel: sim/offline\n", nil)
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
				os.WriteFile(filepath.Join(w.dir, "new"), []byte("model: sim/other\n"), 0o644)
				os.Rename(filepath.Join(w.dir, "new"), filepath.Join(w.dir, "helve.yaml")) // whole, whenever it is read
			}
		}
	}()
	w.until(t, "a change among many", func(c *Catalog) bool { return settings(c).Model == "sim/other" })
	close(stop)
	<-ended
}

// TestFoldersThatAreWatched include those that hold none of the files yet.
func TestFoldersThatAreWatched(t *testing.T) {
	t.Parallel()
	dir := write(t, good+"-- configs/x --\n-- other/y --\n")
	w, err := newWatcher(options(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	got := w.WatchList()
	slices.Sort(got)
	want := []string{dir, filepath.Join(dir, "configs"), filepath.Join(dir, "tools"), filepath.Join(dir, "tools/plain")}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// folderSource reads folders as a whole.
type folderSource struct{ closingSource }

func (folderSource) Patterns() []string { return []string{"tools/whole/*"} }

// TestAFolderIsWatchedAsAWhole: with the folders in it, but hidden ones.
func TestAFolderIsWatchedAsAWhole(t *testing.T) {
	t.Parallel()
	dir := write(t, "-- tools/whole/a/lib/deep/x --\n-- tools/whole/a/.git/x --\n-- tools/whole/file --\n")
	w, err := newWatcher(Options{Dir: dir, Sources: []Source{folderSource{}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	got := w.WatchList()
	slices.Sort(got)
	want := []string{dir}
	for _, below := range []string{"tools", "tools/whole", "tools/whole/a", "tools/whole/a/lib", "tools/whole/a/lib/deep"} {
		want = append(want, filepath.Join(dir, below))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if !w.concerns(filepath.Join(dir, "tools/whole/a/lib/deep/x")) {
		t.Error("a file deep inside is no news")
	}
}

// TestCloseOfALoadedCatalog is for programs that load once.
func TestCloseOfALoadedCatalog(t *testing.T) {
	t.Parallel()
	o := options(write(t, good))
	o.Sources = []Source{closingSource{}}
	c := mustLoad(t, o)
	x := closingTool(t, c, "good")
	if err := c.Close(); err != nil || !isClosed(x) {
		t.Errorf("got %v, closed %v", err, isClosed(x))
	}
}

// TestAnAbandonedLoadLeavesNothingOpen: who is stopped while it loads closes what it
// made.
func TestAnAbandonedLoadLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var opened []*closing
	o := options(write(t, good))
	o.Sources = []Source{spySource{closingSource{}, func(c *closing) { opened = append(opened, c); cancel() }}}
	if _, err := Load(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if len(opened) != 1 || !isClosed(opened[0]) {
		t.Errorf("%d tools were made, and one is open", len(opened))
	}
}

type spySource struct {
	closingSource
	made func(*closing)
}

func (s spySource) Load(ctx context.Context, f *File) ([]Found, error) {
	found, err := s.closingSource.Load(ctx, f)
	for _, one := range found {
		s.made(one.Tool.(*closing))
	}
	return found, err
}

// TestACatalogKeepsNoOther: a file that stays would keep the catalog that read it first,
// that one the files of its time, and so on.
func TestACatalogKeepsNoOther(t *testing.T) {
	t.Parallel()
	c := mustLoad(t, options(write(t, good+"-- helve.yaml --\nmodel: sim/offline\n-- agents/a.yaml --\nname: a\n")))
	for path, m := range c.files {
		if m.file.Settings != nil || m.file.Data != nil {
			t.Errorf("%s keeps what it was read with", path)
		}
	}
}
