package main

import (
	"slices"

	"github.com/spf13/cobra"
)

func (a *app) sandboxCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "Run a program that nobody vouches for, and see what isolates it",
		Long: `Sandbox runs programs as scripts and skills are run: whatever they do, they can't read
a secret, reach the network, leave a process behind or fill the disk. docs/sandbox.md
says what is defended against, and what is not.`,
		Example: `  helve sandbox doctor
  helve sandbox run -- sh -c 'echo hello; id'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.sandboxDoctorCommand(), a.sandboxRunCommand())
	return cmd
}

// sandboxHidden are the flags that say nothing to commands of the sandbox: of a workspace
// they read the level.
var sandboxHidden = slices.DeleteFunc(slices.Clone(modelFlags), func(name string) bool { return name == "workspace" })

// modelFlags are those of all commands that say how a model is asked. A command that asks
// none leaves them out of its help.
var modelFlags = []string{"model", "base-url", "sim-script", "sim-fault", "language", "ignore-text-calls", "dialect",
	"workspace", "tools", "no-tools", "files", "allow-host", "allow-private", "max-iterations", "approve", "metrics-addr"}
