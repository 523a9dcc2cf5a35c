package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"helve/httptool/openapi"
	"helve/netpolicy"
)

func (a *app) toolsImportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Make tools of what describes an API",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.importOpenAPICommand())
	return cmd
}

// importer is one run of tools import openapi.
type importer struct {
	openapi.Options
	out           string
	force, dryRun bool
}

func (a *app) importOpenAPICommand() *cobra.Command {
	var i importer
	cmd := &cobra.Command{
		Use:   "openapi FILE|URL",
		Short: "Make a tool of each operation of an OpenAPI document",
		Long: `Openapi reads an OpenAPI document, version 3.0 or 3.1, in YAML or JSON, and writes
a file for each operation that a tool can do. The files are a beginning: make the
descriptions short and say in response.select what a model needs of an answer.

Keys and passwords are not in the files: they name variables of the environment,
which are listed in the end with the servers that get them.

A file that is there already is never changed without --force.`,
		Example: `  helve tools import openapi openapi.yaml --dry-run
  helve tools import openapi https://api.example.com/openapi.json --tag issues
  helve tools import openapi openapi.yaml --operation getIssue --operation listIssues
  helve tools import openapi openapi.yaml --server http://localhost:8080/v1`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.importOpenAPI(cmd.Context(), args[0], i) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&i.Tags, "tag", nil, "only operations with this `TAG`; may be given again")
	f.StringArrayVar(&i.Operations, "operation", nil, "only the operation with this `ID`; may be given again")
	f.StringVar(&i.Server, "server", "", "the API's `URL`, in place of what the document says")
	f.BoolVar(&i.Deprecated, "deprecated", false, "also operations that are deprecated")
	f.StringVar(&i.out, "out", "", "write the files into `DIR` (default tools/native of the workspace)")
	f.BoolVar(&i.force, "force", false, "write over files that are there")
	f.BoolVar(&i.dryRun, "dry-run", false, "write nothing, only say what would be made")
	return cmd
}

func (a *app) importOpenAPI(ctx context.Context, source string, i importer) error {
	data, err := a.readDocument(ctx, source)
	if err != nil {
		return err
	}
	i.Source = filepath.Base(source)
	if isURL(source) {
		i.Source = withoutQuery(source)
	}
	imported, err := openapi.Read(data, i.Options)
	if err != nil {
		return usage("%s: %w", i.Source, err)
	}
	if i.out == "" {
		if i.out, err = a.nativeFolder(); err != nil {
			return err
		}
	}
	if !i.dryRun {
		if err := i.write(imported.Tools); err != nil {
			return err
		}
	}
	a.tellImport(imported, i)
	if len(imported.Tools) == 0 {
		return &failure{exitUnexpected, "nothing", errors.New("no tool could be made"), ""}
	}
	return nil
}

// nativeFolder is where the workspace has its HTTP tools, as a person here would name
// it.
func (a *app) nativeFolder() (string, error) {
	dir, _, err := a.folders()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(dir, "tools", "native")
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if near, err := filepath.Rel(here, folder); err == nil && filepath.IsLocal(near) {
		return near, nil
	}
	return folder, nil
}

func isURL(source string) bool {
	return strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://")
}

// withoutQuery is the URL as it may stand in a file: its query may be a key.
func withoutQuery(source string) string {
	u, err := url.Parse(source)
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// readDocument reads a file, standard input for -, or a URL.
func (a *app) readDocument(ctx context.Context, source string) ([]byte, error) {
	switch {
	case isURL(source):
		return fetch(ctx, source)
	case source == "-":
		return a.readStdin(ctx, openapi.MaxBytes)
	}
	data, err := readFile(ctx, source, openapi.MaxBytes)
	if err != nil {
		return nil, usage("%w", err)
	}
	return data, nil
}

// fetch reads the URL that a person typed, on whatever network it is. A redirect
// stays at its host.
func fetch(ctx context.Context, source string) ([]byte, error) {
	u, err := url.Parse(source)
	if err != nil {
		return nil, usage("%s is no URL", withoutQuery(source))
	}
	policy := netpolicy.Policy{Hosts: []string{u.Hostname()}, AllowPrivate: true}
	if err := policy.CheckURL(u); err != nil {
		return nil, usage("%w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, source, nil)
	if err != nil {
		return nil, usage("%w", err)
	}
	transport := policy.Transport()
	defer transport.CloseIdleConnections()
	response, err := policy.Client(transport, time.Minute).Do(request)
	if err != nil {
		return nil, unreachable(u, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, unreachable(u, errors.New("it answered "+response.Status))
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, openapi.MaxBytes+1))
	if err != nil {
		return nil, unreachable(u, err)
	}
	return data, nil
}

func unreachable(u *url.URL, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &failure{exitUnreachable, "unreachable", fmt.Errorf("%s: %w", netpolicy.Place(u), netpolicy.WithoutURL(err)), ""}
}

// write writes all files, or none if one of them is there.
func (i importer) write(tools []openapi.Tool) error {
	if err := os.MkdirAll(i.out, 0o755); err != nil {
		return usage("%w", err)
	}
	var there []string
	for _, t := range tools {
		if _, err := os.Lstat(filepath.Join(i.out, t.FileName())); err == nil {
			there = append(there, t.FileName())
		}
	}
	if len(there) > 0 && !i.force {
		return &failure{exitUsage, "exists", fmt.Errorf("in %s there is already %s", i.out, strings.Join(there, ", ")), "write over them with --force, or write elsewhere with --out DIR"}
	}
	for _, t := range tools {
		data, err := t.YAML()
		if err != nil {
			return err
		}
		if err := i.writeFile(t.FileName(), append(i.schemaLine(), data...)); err != nil {
			return usage("%w", err)
		}
	}
	return nil
}

// schemaLine tells an editor by which schema to check a file, where helve init has
// written it.
func (i importer) schemaLine() []byte {
	const schema = "../../.helve/schemas/native.json"
	if _, err := os.Stat(filepath.Join(i.out, filepath.FromSlash(schema))); err != nil {
		return nil
	}
	return []byte("# yaml-language-server: $schema=" + schema + "\n")
}

func (i importer) writeFile(name string, data []byte) error {
	path := filepath.Join(i.out, name)
	if !i.force {
		return writeNew(path, data)
	}
	return os.WriteFile(path, data, 0o644)
}

type importedTool struct {
	Name      string   `json:"name"`
	Operation string   `json:"operation"`
	File      string   `json:"file"`
	Notes     []string `json:"notes,omitempty"`
}

// tellImport lists what was made on standard output, and what a person must know
// besides on standard error.
func (a *app) tellImport(imported *openapi.Import, i importer) {
	tools := []importedTool{}
	for _, t := range imported.Tools {
		tools = append(tools, importedTool{t.Config.Name, t.Operation, filepath.Join(i.out, t.FileName()), t.Notes})
	}
	switch {
	case a.json:
		encode(a.std.out, map[string]any{
			"tools":     tools,
			"skipped":   append([]openapi.Skipped{}, imported.Skipped...), // [] and not null where it is empty
			"variables": append([]openapi.Variable{}, imported.Variables...),
			"warnings":  append([]string{}, imported.Warnings...),
		})
		return
	case a.jsonl:
		for _, t := range tools {
			encode(a.std.out, t)
		}
	default:
		w := tabwriter.NewWriter(a.std.out, 0, 0, 2, ' ', 0)
		for _, t := range tools {
			fmt.Fprintf(w, "%s\t%s\t%s\n", t.Name, printable(t.Operation), t.File)
		}
		_ = w.Flush()
	}
	a.tellRest(imported, i)
}

func (a *app) tellRest(imported *openapi.Import, i importer) {
	say := func(format string, args ...any) { fmt.Fprint(a.std.err, printable(fmt.Sprintf(format, args...))) }
	for _, w := range imported.Warnings {
		say("helve: warning: %s\n", w)
	}
	for _, t := range imported.Tools {
		for _, n := range t.Notes {
			say("helve: %s: %s\n", t.Config.Name, n)
		}
	}
	for _, s := range imported.Skipped {
		say("helve: no tool for %s: %s\n", s.Operation, s.Reason)
	}
	for _, v := range imported.Variables {
		say("helve: set %s (%s); it goes to %s\n", v.Name, v.Scheme, v.Host)
	}
	if i.dryRun {
		say("helve: nothing was written\n")
	}
}
