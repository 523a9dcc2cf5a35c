package catalog

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"helve/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// watched is a workspace that is watched, and what it told.
type watched struct {
	*Live
	dir  string
	next chan *Catalog
	log  *lines
}

type lines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func watch(t *testing.T, archive string, change func(*Options)) *watched {
	t.Helper()
	w := &watched{dir: write(t, archive), next: make(chan *Catalog, 100), log: &lines{}}
	o := options(w.dir)
	if change != nil {
		change(&o)
	}
	live, err := Watch(t.Context(), o, slog.New(slog.NewTextHandler(w.log, nil)), func(c *Catalog) { w.next <- c })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(live.Close)
	w.Live = live
	return w
}

// until waits for a catalog of which ok is true.
func (w *watched) until(t *testing.T, what string, ok func(*Catalog) bool) *Catalog {
	t.Helper()
	limit := time.After(20 * time.Second)
	for {
		select {
		case c := <-w.next:
			if ok(c) {
				return c
			}
		case <-limit:
			t.Fatalf("never: %s; log: %s", what, w.log)
		}
	}
}

func settings(c *Catalog) Settings {
	s, err := c.Settings()
	if err != nil {
		return Settings{}
	}
	return s
}

func answers(c *Catalog, name, want string) bool {
	t, ok := c.Tool(name)
	if !ok {
		return false
	}
	r, err := tool.Invoke(context.Background(), t, tool.Call{Name: name, Arguments: []byte("{}")})
	return err == nil && r.Text() == want
}

func TestWatchSeesEveryKindOfChange(t *testing.T) {
	t.Parallel()
	w := watch(t, good, nil)
	put(t, w.dir, "-- tools/plain/new.yaml --\nname: new\nanswer: one\n")
	w.until(t, "a new file", func(c *Catalog) bool { return answers(c, "new", "one") })
	put(t, w.dir, "-- tools/plain/new.yaml --\nname: new\nanswer: two\n")
	w.until(t, "a changed file", func(c *Catalog) bool { return answers(c, "new", "two") })

	// as editors save: a new file is put in the place of the old one
	put(t, w.dir, "-- tools/plain/.new.swp --\nname: new\nanswer: three\n")
	if err := os.Rename(filepath.Join(w.dir, "tools/plain/.new.swp"), filepath.Join(w.dir, "tools/plain/new.yaml")); err != nil {
		t.Fatal(err)
	}
	w.until(t, "a replaced file", func(c *Catalog) bool { return answers(c, "new", "three") })

	if err := os.Remove(filepath.Join(w.dir, "tools/plain/new.yaml")); err != nil {
		t.Fatal(err)
	}
	w.until(t, "a removed file", func(c *Catalog) bool { _, ok := c.Tool("new"); return !ok })

	put(t, w.dir, "-- configs/agents/a.yaml --\nname: a\ntools: [good]\n") // in folders that were not there
	w.until(t, "a file in a new folder", func(c *Catalog) bool { _, err := c.Agent("a"); return err == nil })
	put(t, w.dir, "-- helve.yaml --\nmodel: sim/offline\n")
	w.until(t, "the settings", func(c *Catalog) bool { return settings(c).Model == "sim/offline" })
}

// TestWatchKeepsTheLastGoodState breaks one file after the other.
func TestWatchKeepsTheLastGoodState(t *testing.T) {
	t.Parallel()
	w := watch(t, good+`
-- helve.yaml --
max_iterations: 3
-- tool_sets/s.yaml --
name: s
tools: [good]
-- agents/a.yaml --
name: a
tool_sets: [s]
instructions: first
`, nil)
	broken := func(c *Catalog) bool { return len(c.Problems()) > 0 }
	same := func(c *Catalog) {
		t.Helper()
		a, err := c.Agent("a")
		if err != nil || toolNames(a.Tools) != "good" || a.Instructions != "first" || !answers(c, "good", "fine") || settings(c).MaxIterations != 3 {
			t.Errorf("not as it was: %v, %v", err, problems(c))
		}
		if p := problems(c); !strings.Contains(strings.Join(p, "\n"), "until then") {
			t.Errorf("does not say that the last state is in use: %q", p)
		}
	}
	for file, text := range map[string]string{
		"tools/plain/good.yaml": "name: good\nanswr: worse\n",
		"tool_sets/s.yaml":      "name: s\ntools: [gone]\n",
		"agents/a.yaml":         "name: a\ntool_sets: [s]\ninstructions: second\nmodle: x\n",
		"helve.yaml":            "max_iterations: many\n",
	} {
		before, err := os.ReadFile(filepath.Join(w.dir, file))
		if err != nil {
			t.Fatal(err)
		}
		put(t, w.dir, "-- "+file+" --\n"+text)
		same(w.until(t, file+" is broken", broken))
		if !strings.Contains(w.log.String(), file) {
			t.Errorf("the log does not name %s: %s", file, w.log)
		}
		put(t, w.dir, "-- "+file+" --\n"+string(before))
		w.until(t, file+" is whole", func(c *Catalog) bool { return !broken(c) })
	}
}

// closing is a tool that must be closed when it is replaced.
type closing struct {
	tool.Tool
	closed chan struct{}
}

func (c *closing) Close() error { close(c.closed); return nil }

type closingSource struct{ plain }

func (s closingSource) Load(ctx context.Context, f *File) ([]Found, error) {
	found, err := s.plain.Load(ctx, f)
	for i := range found {
		found[i].Tool = &closing{found[i].Tool, make(chan struct{})}
	}
	return found, err
}

// TestWatchClosesWhatItReplaces, and keeps the tool of a file that did not change.
func TestWatchClosesWhatItReplaces(t *testing.T) {
	t.Parallel()
	w := watch(t, good+"-- tools/plain/old.yaml --\nname: old\nanswer: 1\n", func(o *Options) { o.Sources = []Source{closingSource{}} })
	tools := func(c *Catalog) (kept, old *closing) {
		a, _ := c.Tool("good")
		b, _ := c.Tool("old")
		kept, _ = a.(*closing)
		old, _ = b.(*closing)
		return kept, old
	}
	put(t, w.dir, "-- tools/plain/old.yaml --\nname: old\nanswer: 'no'\n")
	c := w.until(t, "a good start", func(c *Catalog) bool { return answers(c, "old", "no") })
	kept, old := tools(c)
	put(t, w.dir, "-- tools/plain/old.yaml --\nname: old\nanswr: 2\n")
	w.until(t, "a broken file", func(c *Catalog) bool { return len(c.Problems()) > 0 })
	select {
	case <-old.closed:
		t.Error("a tool that is still in use was closed")
	default:
	}
	put(t, w.dir, "-- tools/plain/old.yaml --\nname: old\nanswer: 'two'\n")
	c = w.until(t, "the change", func(c *Catalog) bool { return answers(c, "old", "two") })
	<-old.closed
	if same, _ := tools(c); same != kept {
		t.Error("a tool whose file did not change was made anew")
	}
	select {
	case <-kept.closed:
		t.Error("a tool that was kept was closed")
	default:
	}
}

func TestWatchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	live, err := Watch(ctx, options(write(t, good)), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-live.done
	live.Close()
	none, err := Watch(t.Context(), Options{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	none.Close()
}
