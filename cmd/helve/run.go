package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"helve/agent"
	"helve/executor"
)

func (a *app) runCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "run PROMPT",
		Short: "Answer a question, with tools",
		Long: `Run sends PROMPT to the model, runs the tools that the model calls, and prints
the answer. PROMPT - reads it from standard input.

The answer goes to standard output and everything else to standard error. Exit
codes: 0 answered, 2 wrong usage, 3 the key was refused, 4 the model can't be
reached, 7 a limit was reached, 130 interrupted.`,
		Example: `  helve run "What is 17 * 23, and what time is it in Asia/Shanghai?"
  echo "Summarise notes.txt" | helve run --files . -
  helve run --model openai/gpt-4.1-mini "What is 2^100?"
  helve run --jsonl "What is 2^100?" | jq -r 'select(.type=="tool_call").name'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			prompt, err := a.prompt(args)
			if err != nil {
				return err
			}
			return a.runOnce(cmd.Context(), prompt)
		},
	}
}

const maxPrompt = 4 << 20 // bytes from standard input

func (a *app) prompt(args []string) (string, error) {
	prompt := strings.Join(args, " ")
	if prompt == "-" {
		data, err := io.ReadAll(io.LimitReader(a.std.in, maxPrompt+1))
		if err != nil {
			return "", fmt.Errorf("read standard input: %w", err)
		}
		if len(data) > maxPrompt {
			return "", usage("the prompt on standard input is over %d bytes long", maxPrompt)
		}
		prompt = string(data)
	}
	if strings.TrimSpace(prompt) == "" {
		return "", usage("the prompt is empty")
	}
	return prompt, nil
}

func (a *app) runOnce(ctx context.Context, prompt string) error {
	if a.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, a.timeout)
		defer cancel()
	}
	ag, closeModel, err := a.agent()
	if err != nil {
		return err
	}
	defer closeModel()

	out := a.printer()
	defer out.close()
	var reply *agent.Reply
	for event, err := range ag.Stream(ctx, prompt) {
		if err != nil {
			out.failed(err)
			return err
		}
		if done, ok := event.(agent.Done); ok {
			reply = done.Reply
		}
		out.event(event)
	}
	if reply != nil && reply.Stop == agent.StopMaxIterations {
		return &failure{exitLimit, "max_iterations",
			fmt.Errorf("stopped after %d answers: the model still wanted to call tools", reply.Iterations),
			"allow more with --max-iterations"}
	}
	return nil
}

// agent makes an agent of what the flags say.
func (a *app) agent() (*agent.Agent, func(), error) {
	if a.maxIterations < 1 {
		return nil, nil, usage("--max-iterations must be at least 1")
	}
	registry, err := a.registry()
	if err != nil {
		return nil, nil, err
	}
	client, closeModel, err := a.client()
	if err != nil {
		return nil, nil, err
	}
	ag, err := agent.New(agent.Config{
		Client:        patient(client),
		MaxIterations: a.maxIterations,
		Executor:      executor.Config{Tools: registry, Logger: a.logger()},
	})
	if err != nil {
		closeModel()
		return nil, nil, err
	}
	return ag, closeModel, nil
}
