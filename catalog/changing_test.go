package catalog

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"helve/tool"
)

// fickle is a source whose tools answer with a number that the test turns up.
type fickle struct {
	plain
	closed func(number uint64)

	mu      sync.Mutex
	number  uint64
	changed chan struct{}
	loads   int
}

func newFickle(closed func(uint64)) *fickle {
	return &fickle{closed: closed, number: 1, changed: make(chan struct{})}
}

func (f *fickle) turn() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.number++
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fickle) Version(*File) uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.number
}

func (f *fickle) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

func (f *fickle) Load(context.Context, *File) ([]Found, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.loads++
	number := f.number
	t, err := tool.New("good", "Answers.", func(context.Context, struct{}) (string, error) { return fmt.Sprint(number), nil })
	return []Found{{Tool: t}, {Closer: closerFunc(func() { f.closed(number) })}}, err
}

type closerFunc func()

func (c closerFunc) Close() error { c(); return nil }

// TestAChangingSourceIsLoadedAgain: its files are as they were, its tools are not. What
// the old ones shared is closed when they are gone.
func TestAChangingSourceIsLoadedAgain(t *testing.T) {
	t.Parallel()
	closed := make(chan uint64, 10)
	source := newFickle(func(n uint64) { closed <- n })
	w := watch(t, good, func(o *Options) { o.Sources = []Source{source} })
	if !answers(w.Catalog(), "good", "1") {
		t.Fatal("the first load lacks its tool")
	}
	for i := uint64(2); i < 5; i++ {
		source.turn()
		w.until(t, "a turn", func(c *Catalog) bool { return answers(c, "good", fmt.Sprint(i)) })
		if n := <-closed; n != i-1 {
			t.Errorf("%d was closed, want %d", n, i-1)
		}
	}
	loads := source.loads
	put(t, w.dir, "-- agents/a.yaml --\nname: a\n")
	w.until(t, "an agent", func(c *Catalog) bool { return len(c.Agents()) == 1 })
	if source.loads != loads {
		t.Error("a file of the same version was loaded again")
	}
	w.Close()
	if n := <-closed; n != 4 {
		t.Errorf("%d was closed last", n)
	}
}

func TestCloseClosesWhatToolsShare(t *testing.T) {
	t.Parallel()
	closed := 0
	o := options(write(t, good))
	o.Sources = []Source{newFickle(func(uint64) { closed++ })}
	if err := mustLoad(t, o).Close(); err != nil || closed != 1 {
		t.Errorf("closed %d times: %v", closed, err)
	}
}

// waiting loads nothing until so many files are being loaded.
type waiting struct {
	plain
	all *sync.WaitGroup
}

func (s waiting) Load(ctx context.Context, f *File) ([]Found, error) {
	s.all.Done()
	s.all.Wait()
	return s.plain.Load(ctx, f)
}

// TestFilesAreLoadedAtOnce: the second does not wait for the first, and yet all is in
// the order of the files.
func TestFilesAreLoadedAtOnce(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	var all sync.WaitGroup
	all.Add(parallel)
	for i := range parallel {
		fmt.Fprintf(&archive, "-- tools/plain/%d.yaml --\nname: same\nanswer: '%d'\nwrong_%d: 1\n", i, i, i)
	}
	text := strings.Replace(archive.String(), "wrong_0: 1\n", "", 1)
	text = strings.Replace(text, "wrong_5: 1\n", "", 1)
	o := options(write(t, text))
	o.Sources = []Source{waiting{all: &all}}
	c := mustLoad(t, o)
	if !answers(c, "same", "0") {
		t.Error("the tool of the first file does not count")
	}
	var got []string
	for _, p := range c.Problems() {
		got = append(got, p.File)
	}
	if want := "1 2 3 4 5 6 7"; want != strings.NewReplacer("tools/plain/", "", ".yaml", "").Replace(strings.Join(got, " ")) {
		t.Errorf("problems in %v", got)
	}
}

// grouped gives each file two tools of one group.
type grouped struct{ plain }

func (s grouped) Load(ctx context.Context, f *File) ([]Found, error) {
	found, err := s.plain.Load(ctx, f)
	if err != nil {
		return nil, err
	}
	other, err := tool.New("second_of_"+found[0].Tool.Definition().Name, "Is one more.", func(context.Context, struct{}) (string, error) { return "", nil })
	found = append(found, Found{Tool: other, Line: found[0].Line})
	for i := range found {
		found[i].Group = "the server s"
	}
	return found, err
}

// TestOfAGroupTheFirstFileCounts as a whole: a mixture of both would be nobody's.
func TestOfAGroupTheFirstFileCounts(t *testing.T) {
	t.Parallel()
	o := options(write(t, "-- tools/plain/a.yaml --\nname: a\nanswer: '1'\n-- tools/plain/b.yaml --\nname: b\nanswer: '1'\n"))
	o.Sources = []Source{grouped{}}
	c := mustLoad(t, o)
	if got := toolNames(c.Tools()); got != "a calculate second_of_a" {
		t.Errorf("got %s", got)
	}
	want := "warning: tools/plain/b.yaml:1: the server s is defined in tools/plain/a.yaml already, which counts: rename one of them, or take one out"
	if got := problems(c); len(got) != 1 || got[0] != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestAHiddenFileIsReadWhenItIsNamed, and else not: editors keep things beside.
func TestAHiddenFileIsReadWhenItIsNamed(t *testing.T) {
	t.Parallel()
	o := options(write(t, "-- .named.yaml --\nname: a\nanswer: '1'\n-- .other.yaml --\nname: b\nanswer: '1'\n"))
	o.Sources = []Source{named{}}
	if got := toolNames(mustLoad(t, o).Tools()); got != "a calculate" {
		t.Errorf("got %s", got)
	}
}

type named struct{ plain }

func (named) Patterns() []string { return []string{"*.yaml", ".named.yaml"} }

// TestNewsIsToldOnce: a change is one piece of news, and many that nobody has heard of
// are one too.
func TestNewsIsToldOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		source := newFickle(nil)
		n := newNews([]Source{plain{}, source})
		source.turn() // before anybody follows
		wait := n.follow(ctx)
		for range 3 {
			synctest.Wait()
			source.turn()
		}
		synctest.Wait()
		<-n.came
		synctest.Wait()
		select {
		case <-n.came:
			t.Error("there is news of nothing")
		default:
		}
		cancel()
		wait()
	})
}
