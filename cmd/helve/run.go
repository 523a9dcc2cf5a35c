package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"helve/agent"
	"helve/model"
)

func (a *app) runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run PROMPT",
		Short: "Answer a question, with tools",
		Long: `Run sends PROMPT to the model, runs the tools that the model calls, and prints
the answer. PROMPT - reads it from standard input.

Where the server has no function calling, calls are text: the system prompt says
what the tools are and how to call them, and the calls are read from the answer.
--dialect says so at once, and in which form: that of the model, or one of helve's
own, such as tag. By default it happens when the server refuses tools. A call that
a model with function calling writes as text all the same is found, unless
--ignore-text-calls is given.

The answer goes to standard output and everything else to standard error. Exit
codes: 0 answered, 2 wrong usage, 3 the key was refused, 4 the model can't be
reached, 6 a call needed the approval of a person and did not get it, 7 a limit was
reached, 130 interrupted.`,
		Example: `  helve run "What is 17 * 23, and what time is it in Asia/Shanghai?"
  echo "Summarise notes.txt" | helve run --files . -
  helve run --model openai/gpt-4.1-mini "What is 2^100?"
  helve run --agent analyst "Which region sold most?"
  helve run --session trip "And in Tokyo?"
  helve run --dialect tag "What is 2^100?"
  helve run --model ollama/qwen2.5:7b --dialect auto --language zh "北京现在几点？"
  helve run --jsonl "What is 2^100?" | jq -r 'select(.type=="tool_call").name'`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case a.resume && a.session == "":
				return errors.New("--resume needs --session ID")
			case a.resume:
				return cobra.NoArgs(cmd, args)
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := a.withTimeout(cmd.Context())
			defer cancel()
			if a.resume {
				return a.runOnce(ctx, "")
			}
			prompt, err := a.prompt(ctx, args)
			if err != nil {
				return err
			}
			return a.runOnce(ctx, prompt)
		},
	}
	a.agentFlag(cmd)
	a.sessionFlag(cmd)
	cmd.Flags().BoolVar(&a.resume, "resume", false, "go on with the run of --session that was stopped")
	return cmd
}

// withTimeout bounds ctx by --timeout.
func (a *app) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if a.timeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, a.timeout, errTimeout)
}

const maxPrompt = 4 << 20 // bytes from standard input

func (a *app) prompt(ctx context.Context, args []string) (string, error) {
	prompt := strings.Join(args, " ")
	if prompt == "-" {
		data, err := a.readStdin(ctx, maxPrompt)
		if ctx.Err() != nil {
			return "", err
		}
		if err != nil {
			return "", usage("the prompt on standard input: %w", err)
		}
		prompt = string(data)
	}
	if strings.TrimSpace(prompt) == "" {
		return "", usage("the prompt is empty")
	}
	return prompt, nil
}

func (a *app) runOnce(ctx context.Context, prompt string) error {
	c, err := a.workspace(ctx)
	if err != nil {
		return err
	}
	conversation, err := a.conversation(ctx, c)
	if err != nil {
		return err
	}
	who, err := a.answerer(ctx, c)
	if err != nil {
		return err
	}
	defer who.close()

	release, err := a.claim(ctx)
	if err != nil {
		return err
	}
	defer release()
	out := a.printer()
	defer out.close()
	var reply *agent.Reply
	events := who.stream(ctx, func(ctx context.Context) iter.Seq2[agent.Event, error] {
		if a.resume {
			return who.agent.Resume(ctx, conversation)
		}
		return who.agent.Stream(ctx, prompt, agent.WithSession(conversation))
	})
	for event, err := range events {
		if err != nil {
			out.failed(err)
			return err
		}
		if done, ok := event.(agent.Done); ok {
			reply = done.Reply
		}
		out.event(event)
	}
	return cmp.Or(unfinished(reply), a.approvalMissing())
}

// unfinished is the failure of a run that ended before the model was done.
func unfinished(reply *agent.Reply) error {
	switch {
	case reply == nil:
		return nil
	case reply.Stop == agent.StopMaxIterations:
		return &failure{exitLimit, "max_iterations",
			fmt.Errorf("stopped at the limit of %d answers: the model still wanted to call tools", reply.Iterations),
			"allow more with --max-iterations"}
	case reply.Finish == model.FinishLength:
		return &failure{exitLimit, "length", errors.New("the answer was cut off at the model's limit of tokens"), "ask for less at a time"}
	case reply.Finish == model.FinishContentFilter:
		return &failure{exitUnexpected, "content_filter", errors.New("the provider's filter cut the answer off"), ""}
	}
	return nil
}
