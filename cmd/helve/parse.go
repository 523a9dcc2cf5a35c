package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"helve/dialect"
)

func (a *app) parseCommand() *cobra.Command {
	var (
		which     dialectFlags
		tools     string
		chunk     int
		reasoning string
		code      string
		anyName   bool
	)
	cmd := &cobra.Command{
		Use:   "parse",
		Short: "Find the tool calls in a model's answer",
		Long: `Parse reads a model's answer from standard input, as it arrives, and prints what
is in it as lines of JSON, each as soon as it is known:

  {"type":"text","text":"…"}
  {"type":"reasoning","text":"…"}
  {"type":"call","id":"…","name":"…","arguments":{…}}
  {"type":"invalid","name":"…","raw":"…","error":"…"}

Text may be cut anywhere between characters. Markup that looked like a call and is
none comes out as text, and then as invalid, with the reason. Bytes that are not
UTF-8 come out as U+FFFD.

Without --tools every name can be called, and values that the dialect writes
without a type are strings.`,
		Example: `  echo '<tool_call>{"name": "ping", "arguments": {}}</tool_call>' | helve parse --dialect hermes
  helve parse --model qwen3:8b --tools tools.json < answer.txt
  helve parse --dialect hermes --chunk 1 < answer.txt
  helve parse --dialect hermes < answer.txt | jq -r 'select(.type=="call").name'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("parse reads standard input: write < %s", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := a.withTimeout(cmd.Context())
			defer cancel()
			d, err := which.find()
			if err != nil {
				return err
			}
			o, err := parseOptions(reasoning, code)
			if err != nil {
				return err
			}
			o.AnyName = anyName
			switch {
			case a.json:
				return usage("parse prints a line of JSON for each event: leave --json out")
			case cmd.Flags().Changed("chunk") && chunk < 1:
				return usage("--chunk must be at least 1")
			case anyName && tools == "":
				return usage("--any-name goes with --tools: without definitions any name can be called")
			}
			if cmd.Flags().Changed("tools") {
				if o.Tools, err = toolFile(ctx, tools, a.std.err); err != nil {
					return err
				}
			}
			return a.parse(ctx, d.NewDecoder(o), chunk)
		},
	}
	which.add(cmd)
	hideFlags(cmd, "base-url", "sim-script", "sim-fault", "language", "ignore-text-calls", "no-tools", "files",
		"allow-host", "allow-private", "max-iterations", "json", "jsonl", "verbose")
	f := cmd.Flags()
	f.StringVar(&tools, "tools", "", "the tools' definitions, from a JSON `FILE`: [{\"name\", \"description\", \"parameters\"}]")
	f.IntVar(&chunk, "chunk", 0, "feed `N` bytes at a time (default as they arrive)")
	f.StringVar(&reasoning, "reasoning", "auto", "`MODE` of reasoning: auto, between its marks; open, from the beginning on; none, it is text")
	f.StringVar(&code, "code", "ignore", "`MODE` of calls in Markdown's code: ignore, they are text; or parse")
	f.BoolVar(&anyName, "any-name", false, "also calls of tools that are not in --tools")
	_ = cmd.RegisterFlagCompletionFunc("reasoning", cobra.FixedCompletions([]string{"auto", "open", "none"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("code", cobra.FixedCompletions([]string{"ignore", "parse"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func parseOptions(reasoning, code string) (dialect.Options, error) {
	var o dialect.Options
	switch reasoning {
	case "auto":
	case "open":
		o.Reasoning = dialect.ReasoningOpen
	case "none":
		o.Reasoning = dialect.ReasoningNone
	default:
		return o, usage("--reasoning %q: say auto, open or none", reasoning)
	}
	switch code {
	case "ignore":
	case "parse":
		o.CallsInCode = true
	default:
		return o, usage("--code %q: say ignore or parse", code)
	}
	return o, nil
}

// parse feeds standard input to d, in pieces of chunk bytes, or as it arrives
// where chunk is 0.
func (a *app) parse(ctx context.Context, d *dialect.Decoder, chunk int) error {
	out := newEventPrinter(a.std.out)
	var waiting bytes.Buffer
	for data, err := range arrivals(ctx, a.std.in) {
		if err != nil {
			return err
		}
		if chunk == 0 {
			out.events(d.Feed(string(data)))
		} else {
			waiting.Write(data)
			for waiting.Len() >= chunk {
				out.events(d.Feed(string(waiting.Next(chunk))))
			}
		}
		if err := out.flush(); err != nil {
			return err
		}
	}
	out.events(d.Feed(waiting.String()))
	out.events(d.End())
	return out.close()
}

// arrivals yields what r brings, when it comes. It reads in a goroutine, for the
// reason that [interruptible] has.
func arrivals(ctx context.Context, r io.Reader) iter.Seq2[[]byte, error] {
	type piece struct {
		data []byte
		err  error
	}
	return func(yield func([]byte, error) bool) {
		pieces, left := make(chan piece), make(chan struct{})
		defer close(left)
		go func() {
			for {
				buffer := make([]byte, 32<<10)
				n, err := r.Read(buffer)
				select {
				case pieces <- piece{buffer[:n], err}:
				case <-left:
					return
				}
				if err != nil {
					return
				}
			}
		}()
		for {
			select {
			case p := <-pieces:
				if len(p.data) > 0 && !yield(p.data, nil) || errors.Is(p.err, io.EOF) {
					return
				}
				if p.err != nil {
					yield(nil, p.err)
					return
				}
			case <-ctx.Done():
				yield(nil, context.Cause(ctx))
				return
			}
		}
	}
}
