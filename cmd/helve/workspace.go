package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"helve/builtin"
	"helve/catalog"
	"helve/netpolicy"
	"helve/tool"
)

// workspaceFlags say where the workspace is and who in it answers.
type workspaceFlags struct {
	dir   string
	agent string
}

// workspace loads the workspace and tells what is wrong in it, once.
func (a *app) workspace(ctx context.Context) (*catalog.Catalog, error) {
	if a.catalog != nil {
		return a.catalog, nil
	}
	c, err := a.loadWorkspace(ctx)
	if err == nil {
		a.tellProblems(c)
	}
	return c, err
}

func (a *app) loadWorkspace(ctx context.Context) (*catalog.Catalog, error) {
	options, err := a.workspaceOptions()
	if err != nil {
		return nil, err
	}
	c, err := catalog.Load(ctx, options)
	if err != nil {
		return nil, usage("%w", err)
	}
	a.catalog = c
	return c, nil
}

// liveWorkspace is the workspace of a command that runs for long: changed is told of
// each change. Of problems the command tells itself, when it does not disturb.
func (a *app) liveWorkspace(ctx context.Context, changed func(*catalog.Catalog)) (*catalog.Live, error) {
	options, err := a.workspaceOptions()
	if err != nil {
		return nil, err
	}
	live, err := catalog.Watch(ctx, options, slog.New(slog.DiscardHandler), changed)
	if err != nil {
		return nil, usage("%w", err)
	}
	a.tellProblems(live.Catalog())
	return live, nil
}

func (a *app) workspaceOptions() (catalog.Options, error) {
	dir, user, err := a.folders()
	return catalog.Options{Dir: dir, User: user, Sources: a.sources(), Builtin: a.builtinTools}, err
}

// folders finds the workspace: that of --workspace, else of HELVE_WORKSPACE, else the
// nearest folder with a helve.yaml, else the user's own. It may be none. What it is at
// first it stays.
func (a *app) folders() (dir, user string, err error) {
	a.placing.Do(func() { a.place.dir, a.place.user, a.place.err = a.findFolders() })
	return a.place.dir, a.place.user, a.place.err
}

func (a *app) findFolders() (dir, user string, err error) {
	user = userFolder()
	if dir = cmp.Or(a.workspaceFlags.dir, os.Getenv("HELVE_WORKSPACE")); dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return "", "", usage("--workspace: %s is not a folder", dir)
		}
		return dir, user, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return "", "", err
	}
	dir, found, err := catalog.Find(here)
	if err != nil {
		return "", user, usage("%w", err)
	}
	if found {
		return dir, user, nil
	}
	if info, err := os.Stat(user); err == nil && info.IsDir() {
		return user, user, nil
	}
	return "", user, nil
}

// userFolder is where the user's own settings are, by the XDG rules on every system.
func userFolder() string { return xdg("XDG_CONFIG_HOME", ".config") }

// dataFolder is where the user's sessions are kept.
func dataFolder() string { return xdg("XDG_DATA_HOME", ".local/share") }

func xdg(variable, otherwise string) string {
	if home := os.Getenv("HELVE_HOME"); home != "" {
		return home
	}
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "helve")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, filepath.FromSlash(otherwise), "helve")
}

// tellProblems shows what is wrong in a workspace on standard error.
func (a *app) tellProblems(c *catalog.Catalog) {
	for _, p := range c.Problems() {
		a.tellProblem(p)
	}
}

func (a *app) tellProblem(p catalog.Problem) {
	what := "error"
	if p.Warning {
		what = "warning"
	}
	fmt.Fprintf(a.std.err, "helve: %s: %s\n", what, printable(p.Error()))
}

// broken is the failure of a command that shows a workspace which has errors. They
// have been told.
func broken(c *catalog.Catalog) error {
	for _, p := range c.Problems() {
		if !p.Warning {
			return &failure{code: exitUsage, err: errReported}
		}
	}
	return nil
}

// builtinTools are the tools of this program, as flags and settings allow them.
func (a *app) builtinTools(s *catalog.Settings) ([]tool.Tool, error) {
	a.boxSettings.Store(s)
	var errs []error
	files, err := a.filesRoot(s)
	errs = append(errs, err)
	tools, err := builtin.All(files, a.policy(s))
	if err != nil {
		return nil, errors.Join(append(errs, err)...)
	}
	data, err := a.dataTools(s)
	return append(tools, data...), errors.Join(append(errs, err)...)
}

// policy is which servers tools may ask.
func (a *app) policy(s *catalog.Settings) netpolicy.Policy {
	p := netpolicy.Policy{Hosts: s.Network.AllowHosts, AllowPrivate: s.Network.AllowPrivate || a.allowPrivate}
	if len(a.allowHosts) > 0 {
		p.Hosts = a.allowHosts
	}
	return p
}

// filesRoot is the folder that tools may read; nil is none.
func (a *app) filesRoot(s *catalog.Settings) (*os.Root, error) {
	if a.files != "" {
		root, err := a.root(a.files)
		if err != nil {
			return nil, usage("--files: %w", err)
		}
		return root, nil
	}
	if s.Builtin.Files == "" {
		return nil, nil
	}
	root, err := a.workspaceRoot(s.Builtin.Files)
	if err != nil {
		return nil, &catalog.SettingError{Pointer: "/builtin/files", Err: err}
	}
	return root, nil
}

// workspaceRoot opens a folder that helve.yaml names.
func (a *app) workspaceRoot(path string) (*os.Root, error) {
	dir, _, err := a.folders()
	if err != nil {
		return nil, err
	}
	workspace, err := a.root(dir)
	if err != nil {
		return nil, err
	}
	return a.rootIn(workspace, path)
}

// rootIn opens a folder below another, once, and follows no link that leads out.
func (a *app) rootIn(workspace *os.Root, path string) (*os.Root, error) {
	a.rootsLock.Lock()
	defer a.rootsLock.Unlock()
	name := filepath.Join(workspace.Name(), filepath.FromSlash(path))
	if root, ok := a.roots[name]; ok {
		return root, nil
	}
	root, err := workspace.OpenRoot(filepath.FromSlash(path))
	if err != nil {
		var inner *fs.PathError
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return nil, fmt.Errorf("%s, below the workspace: %w", path, err)
	}
	a.roots[name] = root
	return root, nil
}

// root opens a folder for as long as the process lives, once.
func (a *app) root(dir string) (*os.Root, error) {
	a.rootsLock.Lock()
	defer a.rootsLock.Unlock()
	if root, ok := a.roots[dir]; ok {
		return root, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		var inner *fs.PathError
		if errors.As(err, &inner) {
			err = fmt.Errorf("%s: %w", dir, inner.Err)
		}
		return nil, err
	}
	if a.roots == nil {
		a.roots = map[string]*os.Root{}
	}
	a.roots[dir] = root
	return root, nil
}
