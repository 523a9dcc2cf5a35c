package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"helve/agent"
	"helve/catalog"
	"helve/database"
	"helve/mcp"
	"helve/telemetry"
)

// app is one run of the program: its flags and where it reads and writes.
type app struct {
	std stdio

	model     string
	baseURL   string
	simScript string
	simFault  string

	callingFlags
	workspaceFlags

	tools        []string
	toolsGiven   bool
	noTools      bool
	files        string
	allowHosts   []string
	allowPrivate bool

	maxIterations int
	approve       []string
	watch         bool
	session       string
	resume        bool
	metricsAddr   string
	timeout       time.Duration
	json, jsonl   bool
	verbose       bool

	answers   int          // that a model was asked for so far
	servers   *mcp.Servers // of the workspace
	startNone bool         // of the servers, before a call
	serving   bool         // MCP clients, who answer questions
	allTools  bool         // are served, and not those of an agent

	catalog *catalog.Catalog
	placing sync.Once
	place   struct {
		dir, user string
		err       error
	}
	db          *database.DB
	telemetry   *telemetry.Telemetry
	box, wasm   isolation                        // of programs, and of WebAssembly modules
	boxSettings atomic.Pointer[catalog.Settings] // of the workspace, as it was loaded last
	watching    bool                             // telemetry was started, or found to be off
	roots       map[string]*os.Root
	rootsLock   sync.Mutex
	screen      sync.Mutex  // held by who writes to the terminal
	question    atomic.Bool // somebody is being asked
	unapproved  atomic.Bool // a call did not get the approval it needs
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "helve",
		Short: "Let any language model use tools",
		Long: `helve lets a language model call tools: it sends the model your question and
what the tools are, runs the calls the model makes, and gives the results back
until the model answers.

Without a key it uses an offline demonstration model, so everything here works
on a machine with no network. For a real model set OPENAI_API_KEY, and
OPENAI_BASE_URL for a server other than OpenAI's. A model without function
calling can be taught to write its calls as text: see --dialect.`,
		Example: `  helve run "What is 17 * 23, and what time is it in Asia/Shanghai?"
  helve chat
  helve tools call calculate expression='2^10'
  helve doctor`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			flags := cmd.Root().PersistentFlags() // parse and prompt have a --tools of their own
			if err := cmp.Or(notBoth(flags, "json", "jsonl"), notBoth(flags, "tools", "no-tools")); err != nil {
				return err
			}
			if a.timeout < 0 {
				return usage("--timeout must not be negative")
			}
			if err := a.callingFlags.check(); err != nil {
				return err
			}
			a.toolsGiven = flags.Changed("tools")
			if flags.Changed("max-iterations") && a.maxIterations < 1 {
				return usage("--max-iterations must be at least 1")
			}
			if f := cmd.Flags().Lookup("session"); f != nil && f.Changed && a.session == "" {
				return usage("--session is empty: give the conversation an ID")
			}
			a.callingFlags.given = flags.Changed("dialect")
			return a.checkApprove()
		},
	}
	root.SetIn(a.std.in)
	root.SetOut(a.std.out)
	root.SetErr(a.std.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &failure{exitUsage, "usage", flagError(err), "see \"" + cmd.CommandPath() + " --help\""}
	})

	f := root.PersistentFlags()
	f.StringVarP(&a.model, "model", "m", "", "the model, as `PROVIDER/NAME`: openai/…, ollama/… or sim/offline (HELVE_MODEL)")
	f.StringVar(&a.baseURL, "base-url", "", "an OpenAI-compatible server's `URL`, such as http://localhost:8000/v1 (OPENAI_BASE_URL)")
	f.StringVar(&a.simScript, "sim-script", "", "let the offline model play the turns in `FILE` (YAML; see go doc helve/model/sim Script)")
	f.StringVar(&a.simFault, "sim-fault", "", "let the offline model misbehave: `FAULTS` such as 429*2,cut (see go doc helve/model/sim Fault)")
	a.callingFlags.add(root)
	f.StringVarP(&a.workspaceFlags.dir, "workspace", "w", "", "the workspace's `DIR` (HELVE_WORKSPACE; default the nearest folder with a helve.yaml)")
	f.StringSliceVarP(&a.tools, "tools", "T", nil, "only these tools, as `NAME,…`; * stands for any letters")
	f.BoolVar(&a.noTools, "no-tools", false, "no tools at all")
	f.StringVar(&a.files, "files", "", "let tools read the files in `DIR`, and nothing outside it")
	f.StringSliceVar(&a.allowHosts, "allow-host", nil, "let tools fetch from `HOST` (*.example.org for its subdomains)")
	f.BoolVar(&a.allowPrivate, "allow-private", false, "with --allow-host: also addresses of this machine and its network")
	f.IntVar(&a.maxIterations, "max-iterations", 0, fmt.Sprintf("stop after `N` answers of the model (default %d, or what the workspace says)", agent.DefaultMaxIterations))
	f.DurationVar(&a.timeout, "timeout", 0, "stop after this `TIME`, such as 90s (default no limit)")
	f.StringSliceVar(&a.approve, "approve", nil, "run these tools without asking, as `NAME,…` or * for all")
	f.BoolVar(&a.json, "json", false, "print one JSON value")
	f.BoolVar(&a.jsonl, "jsonl", false, "print each event as a line of JSON")
	f.StringVar(&a.metricsAddr, "metrics-addr", "", "serve /metrics for Prometheus at `HOST:PORT` while the command runs")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "log every call to standard error")
	root.MarkFlagsMutuallyExclusive("json", "jsonl")
	root.MarkFlagsMutuallyExclusive("tools", "no-tools")
	_ = root.RegisterFlagCompletionFunc("tools", a.completeTools)

	root.AddCommand(a.runCommand(), a.chatCommand(), a.toolsCommand(), a.setsCommand(), a.agentsCommand(),
		a.mcpCommand(), a.sandboxCommand(), a.skillsCommand(), a.sessionsCommand(), a.schemaCommand(), a.initCommand(), a.genCommand(),
		a.parseCommand(), a.promptCommand(), a.dialectsCommand(), a.doctorCommand(), a.versionCommand())
	usageErrors(root)
	return root
}

// usageErrors makes wrong arguments exit with the code for usage.
func usageErrors(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		usageErrors(c)
	}
	check := cmd.Args
	if check == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &failure{exitUsage, "usage", err, "see \"" + cmd.CommandPath() + " --help\""}
		}
		return nil
	}
}

// logger shows calls where the user asked for it, and warnings always.
func (a *app) logger() *slog.Logger { return a.loggerFrom(slog.LevelWarn) }

// loggerFrom shows what is as grave as level, or all of a user who asked for it.
func (a *app) loggerFrom(level slog.Level) *slog.Logger {
	if a.verbose {
		level = slog.LevelInfo
	}
	return slog.New(a.telemetry.LogHandler(slog.NewTextHandler(a.std.err, &slog.HandlerOptions{Level: level})))
}
