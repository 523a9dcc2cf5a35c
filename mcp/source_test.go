package mcp

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"helve/catalog"
	"helve/tool"
)

// put writes the files of a txtar archive.
func put(t *testing.T, dir, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// workspace is a folder of files, and the servers that they lead to.
type workspace struct {
	*town
	dir, cache string
	env        map[string]string
}

func newWorkspace(t *testing.T, archive string) *workspace {
	t.Helper()
	w := &workspace{town: newTown(), dir: t.TempDir(), cache: filepath.Join(t.TempDir(), "cache", "mcp"), env: map[string]string{}}
	put(t, w.dir, archive)
	return w
}

// source is that of a new process.
func (w *workspace) source() *Servers {
	s := Source(SourceOptions{Options: Options{Log: slog.New(slog.DiscardHandler)}, CacheDir: w.cache})
	s.newClient = w.newClient
	return s
}

func (w *workspace) options(s *Servers) catalog.Options {
	return catalog.Options{Dir: w.dir, Sources: []catalog.Source{s}, Env: func(name string) (string, bool) { v, ok := w.env[name]; return v, ok }}
}

func (w *workspace) load(t *testing.T, s *Servers) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Load(t.Context(), w.options(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// watched is a workspace that is loaded again when it changes.
type watched struct {
	*catalog.Live
	next chan *catalog.Catalog
}

func (w *workspace) watch(t *testing.T, s *Servers) *watched {
	t.Helper()
	seen := &watched{next: make(chan *catalog.Catalog, 100)}
	live, err := catalog.Watch(t.Context(), w.options(s), slog.New(slog.DiscardHandler), func(c *catalog.Catalog) { seen.next <- c })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(live.Close)
	seen.Live = live
	return seen
}

func (w *watched) until(t *testing.T, what string, ok func(*catalog.Catalog) bool) *catalog.Catalog {
	t.Helper()
	limit := time.After(20 * time.Second)
	for {
		select {
		case c := <-w.next:
			if ok(c) {
				return c
			}
		case <-limit:
			t.Fatalf("never: %s; there are %s and %s", what, names(w.Catalog()), problems(w.Catalog()))
		}
	}
}

func names(c *catalog.Catalog) string {
	var all []string
	for _, t := range c.Tools() {
		all = append(all, t.Definition().Name)
	}
	return strings.Join(all, " ")
}

func problems(c *catalog.Catalog) string {
	var all []string
	for _, p := range c.Problems() {
		line := p.Error()
		if p.Warning {
			line = "warning: " + line
		}
		all = append(all, line)
	}
	return strings.Join(all, "\n")
}

func call(t *testing.T, c *catalog.Catalog, name string) string {
	t.Helper()
	x, ok := c.Tool(name)
	if !ok {
		t.Fatalf("there is no %s, but %s", name, names(c))
	}
	r, err := x.Call(t.Context(), tool.Call{Name: name, Arguments: []byte("{}")})
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprint(r.Content[0])
}

const two = `
-- tools/mcp/one.yaml --
command: one
-- .mcp.json --
{
  "mcpServers": {
    "two": {"command": "two"},
    "broken": {"command": "broken", "args": ["--key=${KEY}"]},
  }
}
`

// TestOneBadServerLosesNoOther, and its error shows no secret.
func TestOneBadServerLosesNoOther(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, two)
	w.env["KEY"] = "sesame-open"
	w.server("one", "a", "b")
	w.server("two", "c")
	c := w.load(t, w.source())
	if got := names(c); got != "one__a one__b two__c" {
		t.Errorf("got %s", got)
	}
	want := ".mcp.json:4: mcp server broken: it ended with status 1: API_KEY is not set, [--key=${KEY}]"
	if got := problems(c); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := call(t, c, "two__c"); !strings.Contains(got, "said c") {
		t.Errorf("got %s", got)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, open, _ := w.count(""); open != 0 {
		t.Errorf("%d clients are open", open)
	}
}

// TestKnownToolsStartNothing: the list of the last process is good until a tool is called.
func TestKnownToolsStartNothing(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "-- tools/mcp/one.yaml --\ncommand: one\nenv: {KEY: '${KEY}'}\n")
	w.env["KEY"] = "sesame-open"
	w.server("one", "a")
	if err := w.load(t, w.source()).Close(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(w.cache, func(path string, d fs.DirEntry, err error) error {
		info, err2 := d.Info()
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		} else if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data), "sesame") {
			t.Errorf("%s: %v, or a secret in it", path, err)
		}
		if err != nil || err2 != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, want %v", path, info.Mode().Perm(), want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	w.env["KEY"] = "sesame-close" // of a program another key makes no other tools
	s := w.source()
	c := w.load(t, s)
	if _, _, started := w.count("one"); started != 1 || names(c) != "one__a" {
		t.Errorf("it was started %d times and gives %q", started, names(c))
	}
	if got := s.List()[0].Status(); got.State != Idle || got.Tools != 1 || got.Server != "one 1" {
		t.Errorf("got %+v", got)
	}
	if got := call(t, c, "one__a"); !strings.Contains(got, "said a") {
		t.Errorf("got %s", got)
	}
	if _, _, started := w.count("one"); started != 2 {
		t.Errorf("it was started %d times", started)
	}

	delete(w.servers, "one") // and now it is gone
	if c := w.load(t, w.source()); names(c) != "one__a" || problems(c) != "" {
		t.Errorf("got %q, %s", names(c), problems(c))
	}
}

// TestAnOldListIsReadAgain by the way: else arguments that only the new one allows would
// be refused without the server being asked, for as long as the list is kept.
func TestAnOldListIsReadAgain(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "-- tools/mcp/one.yaml --\ncommand: one\n")
	one := w.server("one", "a")
	if err := w.load(t, w.source()).Close(); err != nil {
		t.Fatal(err)
	}
	offer(one, "b", "Tells b.", `{"type":"object"}`)
	s := w.source()
	s.cache.now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	seen := w.watch(t, s)
	seen.until(t, "the new list", func(c *catalog.Catalog) bool { return names(c) == "one__a one__b" })
	offline := w.source()
	offline.cache.now = func() time.Time { return time.Now().Add(4 * time.Hour) }
	offline.options.Offline = true
	_, _, before := w.count("one")
	if err := w.load(t, offline).Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, after := w.count("one"); after != before {
		t.Error("a server was started, and none should be")
	}
}

// TestTheCacheHoldsNoSecret that a server repeats in what it lists.
func TestTheCacheHoldsNoSecret(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "-- tools/mcp/one.yaml --\ncommand: one\nenv: {KEY: '${KEY}', PAT: '\"open\\sesame\"'}\n")
	w.env["KEY"] = "sesame-open"
	offer(w.server("one", "a"), "b", `Tells b to sesame-open, "open\sesame".`, `{"type":"object"}`)
	for range 2 { // and it is not kept in other words: they would be another tool
		if got := names(w.load(t, w.source())); got != "one__a one__b" {
			t.Errorf("got %s", got)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(w.cache, "*")); len(files) != 0 {
		t.Errorf("there are %q", files)
	}
	if _, _, started := w.count("one"); started != 2 {
		t.Errorf("it was started %d times", started)
	}
}

// TestABadCacheIsAsGoodAsNone.
func TestABadCacheIsAsGoodAsNone(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, path string, k *cache){
		"half a file": func(t *testing.T, path string, _ *cache) { write(t, path, `{"version":1,"tools":[`) },
		"another's":   func(t *testing.T, path string, _ *cache) { write(t, path, `{"version":7,"tools":[]}`) },
		"too old": func(_ *testing.T, _ string, k *cache) {
			k.now = func() time.Time { return time.Now().Add(31 * 24 * time.Hour) }
		},
		"of tomorrow":   func(_ *testing.T, _ string, k *cache) { k.now = func() time.Time { return time.Now().Add(-time.Hour) } },
		"tools as text": func(t *testing.T, path string, _ *cache) { write(t, path, `{"version":1,"tools":"none"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, "-- tools/mcp/one.yaml --\ncommand: one\n")
			w.server("one", "a")
			w.load(t, w.source())
			files, _ := filepath.Glob(filepath.Join(w.cache, "*"))
			if len(files) != 1 {
				t.Fatalf("there are %q", files)
			}
			s := w.source()
			spoil(t, files[0], &s.cache)
			if c := w.load(t, s); names(c) != "one__a" || problems(c) != "" {
				t.Errorf("got %q, %s", names(c), problems(c))
			}
			if _, _, started := w.count("one"); started != 2 {
				t.Errorf("it was started %d times", started)
			}
			if _, at, ok := s.cache.load(&s.List()[0].lease.Config); !ok || s.cache.now().Sub(at) > time.Minute {
				t.Error("the file was not written again")
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAServerThatHangsIsWaitedForOnce, and no longer than the load's patience.
func TestAServerThatHangsIsWaitedForOnce(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "-- tools/mcp/h.yaml --\ncommand: hangs\nconnect_timeout: 10ms\nlist_timeout: 10ms\n-- tools/mcp/one.yaml --\ncommand: one\n")
	w.server("one", "a")
	s := w.source()
	seen := w.watch(t, s)
	want := "tools/mcp/h.yaml:1: mcp server h: it has not answered within 20ms, and is still being connected: it wrote: booting"
	if got := problems(seen.Catalog()); got != want || names(seen.Catalog()) != "one__a" {
		t.Errorf("got %s and %s\nwant %s", names(seen.Catalog()), got, want)
	}
	put(t, w.dir, "-- helve.yaml --\nmodel: sim/offline\n")
	c := seen.until(t, "settings", func(c *catalog.Catalog) bool { s, _ := c.Settings(); return s.Model != "" })
	if got, want := problems(c), "tools/mcp/h.yaml:1: mcp server h: it wrote: booting"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if _, _, started := w.count("hangs"); started != 1 {
		t.Errorf("it was waited for %d times", started)
	}
}

// TestAServerThatChangesIsLoadedAgain, and no other is started anew, whatever happens.
func TestAServerThatChangesIsLoadedAgain(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, two)
	w.env["KEY"] = "sesame-open"
	one := w.server("one", "a")
	w.server("two", "c")
	seen := w.watch(t, w.source())
	offer(one, "b", "Tells b.", `{"type":"object"}`)
	seen.until(t, "a tool more", func(c *catalog.Catalog) bool { return names(c) == "one__a one__b two__c" })

	put(t, w.dir, "-- .mcp.json --\n{\"mcpServers\": {\"two\": {\"command\": \"two\"}}}\n-- tools/mcp/three.yaml --\ncommand: one\n")
	c := seen.until(t, "a server more", func(c *catalog.Catalog) bool { return strings.Contains(names(c), "three__b") })
	if got := problems(c); got != "" {
		t.Errorf("got %s", got)
	}
	if _, _, started := w.count("two"); started != 1 {
		t.Errorf("a server that stayed was started %d times", started)
	}

	w.one(t, "two").dies("mcp server two: it was killed")
	c = seen.until(t, "the end of a server", func(c *catalog.Catalog) bool { return problems(c) != "" })
	want := "warning: .mcp.json:1: mcp server two: it was killed; its tools are those it had before"
	if got := problems(c); got != want || !strings.Contains(names(c), "two__c") {
		t.Errorf("got  %s, %s\nwant %s", names(c), got, want)
	}

	put(t, w.dir, "-- .mcp.json --\n{\"mcpServers\": {}, \"other\": 1}\n")
	seen.until(t, "a server less", func(c *catalog.Catalog) bool { return names(c) == "one__a one__b three__a three__b" })
	seen.Close()
	if _, open, _ := w.count(""); open != 0 {
		t.Errorf("%d clients are open", open)
	}
}

// TestOneNameIsOneServer: of two files the first counts, and a server that both describe
// alike is connected once.
func TestOneNameIsOneServer(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, `
-- .mcp.json --
{"mcpServers": {"s": {"command": "one"}}}
-- mcp.json --
{"mcpServers": {"s": {"command": "one"}}}
-- tools/mcp/s.yaml --
command: two
`)
	w.server("one", "a")
	w.server("two", "b")
	s := w.source()
	c := w.load(t, s)
	if got := names(c); got != "s__a" {
		t.Errorf("got %s", got)
	}
	want := "warning: mcp.json:1: the mcp server s is defined in .mcp.json already, which counts: rename one of them, or take one out\n" +
		"warning: tools/mcp/s.yaml:1: the mcp server s is defined in .mcp.json already, which counts: rename one of them, or take one out"
	if got := problems(c); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if made, _, started := w.count("one"); made != 2 || started != 1 {
		t.Errorf("%d clients were made, and %d processes", made, started)
	}
	var shadowed []string
	for _, server := range s.List() {
		shadowed = append(shadowed, server.File+"<"+server.ShadowedBy)
	}
	if got := strings.Join(shadowed, " "); got != ".mcp.json< mcp.json<.mcp.json tools/mcp/s.yaml<.mcp.json" {
		t.Errorf("got %s", got)
	}
}

func TestADisabledServerIsSeenAndNotUsed(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "-- tools/mcp/s.yaml --\ncommand: one\ndisabled: true\n")
	s := w.source()
	c := w.load(t, s)
	if made, _, _ := w.count(""); made != 0 || names(c) != "" || problems(c) != "" {
		t.Errorf("%d clients, tools %q, problems %q", made, names(c), problems(c))
	}
	server := s.List()[0]
	if got := server.Status(); got.State != Disabled || got.Type != Stdio {
		t.Errorf("got %+v", got)
	}
	if err := server.Connect(t.Context()); err == nil {
		t.Error("a disabled server was connected")
	}
}

// TestAWrongEntryIsSeen, with its name, its place and all that is wrong with it.
func TestAWrongEntryIsSeen(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, `
-- helve.yaml --
modle: x
-- .mcp.json --
{"mcpServers": {
  "good": {"command": "one", "gallery": true},
  "bad": {"command": ["a"],
    "timeout": "soon"},
  "worse": 7
}}
-- mcp.json --
{"servers":
-- tools/mcp/s.yaml --
url: https://example.com
-- tools/mcp/t.yaml --
name: tea
comand: a
-- tools/mcp/u.yaml --
timeout: 3s
`)
	w.server("one", "a")
	s := w.source()
	c := w.load(t, s)
	var got []string
	for _, wrong := range s.Wrong(c.Problems()) {
		status := wrong.Status()
		got = append(got, fmt.Sprintf("%s %s %s:%d %s", status.Name, status.State, wrong.File, wrong.Line, status.Err))
		if err := wrong.Connect(t.Context()); err == nil || !wrong.Listed().IsZero() || wrong.Held() != nil || wrong.Approval().Tools != nil {
			t.Errorf("%s is used", wrong.Name)
		}
	}
	want := `bad wrong .mcp.json:3 want text, not an array; want a time of at most 24 hours: write seconds, or milliseconds from 1000 on
worse wrong .mcp.json:5 want an object, not a number
mcp.json wrong mcp.json:2 this is not JSON: the file ends where the value of servers is due
s wrong tools/mcp/s.yaml:1 unknown key "url": did you mean mcp_server_url?
tea wrong tools/mcp/t.yaml:2 unknown key "comand": did you mean command?
u wrong tools/mcp/u.yaml:1 nothing says how the server is reached: write command for a program, or mcp_server_url for a server on the network`
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestWhatIsLeftOutIsTold of a server that nobody starts: it is known from before.
func TestWhatIsLeftOutIsTold(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, `
-- tools/mcp/s.yaml --
command: one
args: ["${KEY}"]
allow: [read_file, raed_fil*, big, tasks, ls]
deny: [denied]
-- tools/mcp/t.yaml --
command: two
-- tools/mcp/u.yaml --
command: three
allow: [x]
`)
	w.env["KEY"] = "sesame-open"
	s := Source(SourceOptions{Options: Options{Log: slog.New(slog.DiscardHandler)}, CacheDir: w.cache, Offline: true})
	big := `{"name":"big","inputSchema":{"type":"object","description":"` + strings.Repeat("x", 64<<10) + `"}}`
	for command, list := range map[string][]string{
		"one": {`{"name":"read_file"}`, big, `{"name":"tasks","execution":{"taskSupport":"required"}}`, `{"name":"denied","execution":{"taskSupport":"required"}}`},
		"two": {`{"name":"fine"}`, `7`, `{"name":""}`}, "three": {},
	} {
		c := Config{Name: map[string]string{"one": "s", "two": "t", "three": "u"}[command], Command: command, Dir: w.dir}
		if command == "one" {
			c.Args, c.Allow, c.Deny = []string{"sesame-open"}, []string{"read_file", "raed_fil*", "big", "tasks", "ls"}, []string{"denied"}
		} else if command == "three" {
			c.Allow = []string{"x"}
		}
		l := Listing{Server: command}
		for _, one := range list {
			l.Tools = append(l.Tools, []byte(one))
		}
		if err := s.cache.store(&c, l); err != nil {
			t.Fatal(err)
		}
	}
	c := w.load(t, s)
	want := `warning: tools/mcp/s.yaml:1: mcp server s: 2 tools are left out: tool "big": its inputSchema has 65570 bytes, and 65536 are allowed; tool "tasks": it needs the tasks extension, which helve does not have
warning: tools/mcp/s.yaml:1: mcp server s: "raed_fil*" allows none of its tools: did you mean read_file?
warning: tools/mcp/s.yaml:1: mcp server s: "ls" allows none of its tools: it has read_file, big, tasks, denied
warning: tools/mcp/t.yaml:1: mcp server t: 2 tools are left out: a tool is no JSON object: 7; a tool has no name: {"name":""}`
	if got := problems(c); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := s.List()[0].Status(); len(got.LeftOut) != 2 || fmt.Sprint(got.Unmatched) != "[raed_fil* ls]" {
		t.Errorf("got %+v", got)
	}
}

// TestOfflineStartsNothing, also where nothing is known.
func TestOfflineStartsNothing(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, two)
	w.env["KEY"] = "sesame-open"
	w.server("one", "a")
	s := w.source()
	s.options.Offline = true
	c := w.load(t, s)
	if _, _, started := w.count("one"); started != 0 || names(c) != "" || problems(c) != "" {
		t.Errorf("started %d, tools %q, problems %q", started, names(c), problems(c))
	}
	for _, server := range s.List() {
		if server.Name != "one" {
			continue
		}
		if err := server.Connect(t.Context()); err != nil || server.Status().Tools != 1 || server.Listed().IsZero() {
			t.Errorf("got %v, %+v", err, server.Status())
		}
	}
}

// TestAnAbandonedLoadClosesItsClients.
func TestAnAbandonedLoadClosesItsClients(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "-- tools/mcp/h.yaml --\ncommand: hangs\n-- tools/mcp/one.yaml --\ncommand: one\n")
	w.server("one", "a")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := catalog.Load(ctx, w.options(w.source())); err == nil {
		t.Fatal("it was not abandoned")
	}
	if _, open, _ := w.count(""); open != 0 {
		t.Errorf("%d clients are open", open)
	}
}

// TestTheServersOfAFileStartAtOnce: these start only together.
func TestTheServersOfAFileStartAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, `-- mcp.json --
{"servers": {"b": {"command": "one"}, "a": {"command": "two"}, "c": {"command": "three"}}}
-- tools/mcp/d.yaml --
command: four
`)
	w.meeting = &sync.WaitGroup{}
	for _, command := range []string{"one", "two", "three", "four"} {
		w.meeting.Add(1)
		w.server(command, "x")
	}
	if c := w.load(t, w.source()); names(c) != "a__x b__x c__x d__x" {
		t.Errorf("got %s; %s", names(c), problems(c))
	}
}

// TestAnotherKeyIsAnotherServer: one that runs has the old key.
func TestAnotherKeyIsAnotherServer(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"command: one\nenv: {KEY: %s}\n", "mcp_server_url: https://example.com\nmcp_api_key: %s\n",
		"mcp_server_url: https://example.com\nheaders: {A: %s}\n", "mcp_server_url: https://example.com\noauth: {client_secret: %s}\n",
	} {
		w := newWorkspace(t, "-- tools/mcp/s.yaml --\n"+fmt.Sprintf(file, "old-one"))
		w.server("one", "a")
		w.server("", "a")
		s := w.source()
		seen := w.watch(t, s)
		before := s.List()[0].lease.server
		put(t, w.dir, "-- tools/mcp/s.yaml --\n"+fmt.Sprintf(file, "new-one"))
		seen.until(t, "the change", func(*catalog.Catalog) bool { return true })
		seen.Close()
		if made, open, _ := w.count(""); made != 2 || open != 0 {
			t.Errorf("%q: %d clients were made, and %d are open", file, made, open)
		}
		if before.client.Status().State != Closed {
			t.Errorf("%q: the client with the old key is open", file)
		}
	}
}

// TestServersThatAreTakenOutAreGone, also where something else in the file is no good.
func TestServersThatAreTakenOutAreGone(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, two)
	w.env["KEY"] = "sesame-open"
	w.server("one", "a")
	w.server("two", "c")
	seen := w.watch(t, w.source())
	put(t, w.dir, "-- .mcp.json --\n{\"mcpServers\": {}, \"other\": 1}\n")
	c := seen.until(t, "the change", func(c *catalog.Catalog) bool { return strings.Contains(problems(c), "other") })
	if names(c) != "one__a" {
		t.Errorf("got %s", names(c))
	}
	put(t, w.dir, "-- tools/mcp/one.yaml --\ncomand: one\n") // but what is broken stays
	c = seen.until(t, "the mistake", func(c *catalog.Catalog) bool { return strings.Contains(problems(c), "comand") })
	if names(c) != "one__a" {
		t.Errorf("got %s", names(c))
	}
}

// TestAnotherKeyHasAnotherList: what a right key was shown is not shown to a wrong one.
func TestAnotherKeyHasAnotherList(t *testing.T) {
	t.Parallel()
	k := cache{dir: t.TempDir(), now: time.Now}
	right := Config{Name: "a", URL: "https://example.com/mcp", APIKey: "right"}
	if err := k.store(&right, Listing{Server: "s"}); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := k.load(&right); !ok {
		t.Error("nothing was kept")
	}
	wrong, header := right, right
	wrong.APIKey, header.Headers = "wrong", map[string]Secret{"X-Key": "other"}
	for _, c := range []Config{wrong, header} {
		if _, _, ok := k.load(&c); ok {
			t.Errorf("%+v has the list of another key", c)
		}
	}
}
