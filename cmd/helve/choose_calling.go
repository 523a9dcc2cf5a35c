package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"helve/catalog"
	"helve/dialect"
	"helve/model"
)

// How a model is to call tools, besides the names of dialects.
const (
	nativeCalls = "native" // by the server's function calling, else as text
	autoCalls   = "auto"   // as text, in the way of the model
)

// callingFlags say how the model calls tools.
type callingFlags struct {
	dialect    string
	language   string
	ignoreText bool
	given      bool // --dialect was
}

func (f *callingFlags) add(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVarP(&f.dialect, "dialect", "d", nativeCalls, "how the model calls tools: native, by its server's function calling; `NAME`, as text in a dialect of \"helve dialects\"; auto, in that of the model's name")
	flags.StringVar(&f.language, "language", "en", "the `LANGUAGE` of the prompt that teaches a dialect: en or zh")
	flags.BoolVar(&f.ignoreText, "ignore-text-calls", false, "with native: a call that the model writes as text is text")
	_ = root.RegisterFlagCompletionFunc("dialect", completeCalling)
	_ = root.RegisterFlagCompletionFunc("language", completeLanguages)
}

func (f *callingFlags) check() error {
	if f.dialect != nativeCalls && f.dialect != autoCalls {
		if _, err := dialect.Lookup(f.dialect); err != nil {
			return usage("--dialect: %w", err)
		}
	}
	if f.ignoreText && f.dialect != nativeCalls {
		return usage("--ignore-text-calls leaves no calls with --dialect %s, where they are all text", f.dialect)
	}
	_, err := languageOf(f.language)
	return err
}

// forModel is the dialect in which a model is to call, or nil for native function
// calling. known says whether it is the model's own, where that was asked.
func (f *callingFlags) forModel(name string) (d *dialect.Dialect, known bool) {
	choice := f.dialect
	if choice == autoCalls {
		if d = dialect.ForModel(name); d != nil {
			return d, true
		}
		choice = "tag"
	}
	if choice == nativeCalls {
		return nil, false
	}
	d, _ = dialect.Lookup(choice) // check has found it
	return d, false
}

// offlineDialect is the dialect of calls that the offline model must know, or nil.
func (f *callingFlags) offlineDialect(output catalog.OutputStrategy) *dialect.Dialect {
	if f.given {
		d, _ := f.forModel(offlineModel)
		return d
	}
	s := output.Strategy(offlineModel)
	if s.TextOnly && s.Dialect == nil {
		s.Dialect, _ = dialect.Lookup("structured")
	}
	if !s.TextOnly {
		return nil
	}
	return s.Dialect
}

// calling gives client the way of calling that the flags ask for, and else the agent.
func (a *app) calling(client model.Client, output catalog.OutputStrategy) (model.Client, dialect.Strategy) {
	language, _ := languageOf(a.callingFlags.language) // check has read it
	name := client.Info().Model
	var strategy dialect.Strategy
	if !a.callingFlags.given {
		strategy = output.Strategy(name)
	}
	strategy.IgnoreTextCalls = a.callingFlags.ignoreText
	strategy.Options = []dialect.Option{dialect.InLanguage(language)}
	d, known := a.callingFlags.forModel(name)
	if d == nil {
		return client, strategy
	}
	switch {
	case a.callingFlags.dialect != autoCalls || a.json || a.jsonl:
	case known:
		fmt.Fprintf(a.std.err, "helve: calls are text in the dialect %s, that of %s.\n", d.Name(), name)
	default:
		fmt.Fprintf(a.std.err, "helve: it is not known how %s writes calls, so it is taught the dialect %s.\n", name, d.Name())
	}
	return dialect.Wrap(client, d, strategy.Options...), strategy
}

func languageOf(name string) (dialect.Language, error) {
	switch name {
	case "en":
		return dialect.English, nil
	case "zh":
		return dialect.Chinese, nil
	}
	return "", usage("--language %q: say en or zh", name)
}

var completeLanguages = cobra.FixedCompletions([]string{"en", "zh"}, cobra.ShellCompDirectiveNoFileComp)

func completeCalling(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{autoCalls + "\tthe dialect of the model's name, else tag"}
	for _, d := range dialect.All() {
		if d.Name() != autoCalls {
			names = append(names, d.Name()+"\t"+d.Purpose())
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
