package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"helve/catalog"
	"helve/mcp/serve/library"
	"helve/message"
	"helve/model"
	"helve/sandbox"
	"helve/schema"
)

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check that everything works, and say how to mend what does not",
		Long: `Doctor asks the model for a short answer, checks the workspace
and the tools, and tries one. It
exits 0 when all is well, and else with the code of the first problem: 2 for an
error in a file of the workspace, 3 for a key that was refused, 4 for a model that
can't be reached.`,
		Example: `  helve doctor
  helve doctor --model openai/gpt-4.1-mini
  helve doctor --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context()) },
	}
}

type check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`

	code int
}

func (a *app) doctor(ctx context.Context) error {
	checks := []check{a.checkKey()}
	isolation := a.checkSandbox()
	c, err := a.loadWorkspace(ctx)
	if err != nil {
		checks = append(checks, check{Name: "workspace"}.failed(err))
	} else {
		checks = append(checks, checkWorkspace(c, isolation), a.checkModel(ctx, c), a.checkAgents(c), a.checkTools(ctx))
		if settings, err := c.Settings(); err == nil && settings.Database != "" {
			checks = append(checks, a.checkDatabase(ctx, c))
		}
	}
	checks = append(checks, isolation, a.checkZones())
	code := exitOK
	for i, c := range checks {
		if c.Name != isolation.Name && !c.OK && strings.HasSuffix(isolation.Detail, c.Detail) {
			c.Detail = "not tried: helve.yaml has an error" // which is told there
			checks[i] = c
		}
		if !c.OK && code == exitOK {
			code = c.code
		}
		if a.json || a.jsonl {
			continue
		}
		mark := "ok  "
		if !c.OK {
			mark = "FAIL"
		}
		fmt.Fprintf(a.std.out, "%s  %-9s  %s\n", mark, c.Name, c.Detail)
		if c.Hint != "" {
			fmt.Fprintf(a.std.out, "                 %s\n", c.Hint)
		}
	}
	if a.json || a.jsonl {
		encode(a.std.out, checks)
	}
	if code != exitOK {
		return &failure{code: code, err: errReported}
	}
	return nil
}

func (a *app) checkKey() check {
	c := check{Name: "key", OK: true, Detail: "OPENAI_API_KEY is set"}
	if strings.TrimSpace(os.Getenv("OPENAI_API_KEY")) == "" {
		c.Detail = "OPENAI_API_KEY is not set: the offline model and many local servers want none"
	}
	return c
}

// checkModel asks for a real answer: only that shows that the address, the key
// and the model's name fit together.
func (a *app) checkModel(ctx context.Context, in *catalog.Catalog) check {
	c := check{Name: "model"}
	settings, err := in.Settings()
	if err != nil {
		return c.failed(usage("%w", err))
	}
	who, err := a.chosen(in)
	if err != nil {
		return c.failed(err)
	}
	client, closeModel, err := a.client(settings, who)
	if err != nil {
		return c.failed(err)
	}
	defer closeModel()
	ctx, cancel := context.WithTimeout(ctx, a.patience())
	defer cancel()
	start := time.Now()
	_, err = model.Generate(ctx, client, &model.Request{Messages: []message.Message{message.User("Say hello.")}, MaxTokens: 64})
	if err != nil {
		return c.failed(err)
	}
	info := client.Info()
	c.OK = true
	c.Detail = fmt.Sprintf("%s/%s answers, in %v", info.Provider, info.Model, time.Since(start).Round(time.Millisecond))
	return c
}

// checkAgents finds models that can't be: what is asked is the one that answers.
func (a *app) checkAgents(in *catalog.Catalog) check {
	c := check{Name: "agents", OK: true, Detail: counted(len(in.Agents()), "agent")}
	settings, err := in.Settings()
	if err != nil {
		c.OK = false
		return c.failed(err)
	}
	for _, agent := range in.Agents() {
		if agent.Model == "" || agent.Model == settings.Model {
			continue
		}
		_, closeModel, err := a.client(settings, agent)
		if err != nil {
			c.OK = false
			return c.failed(fmt.Errorf("%s: %w", agent.File, err))
		}
		closeModel()
	}
	return c
}

func (a *app) checkDatabase(ctx context.Context, in *catalog.Catalog) check {
	c := check{Name: "database"}
	ctx, cancel := context.WithTimeout(ctx, a.patience())
	defer cancel()
	db, err := a.database(ctx, in, true)
	if err != nil {
		return c.failed(err)
	}
	sessions, err := db.Sessions().List(ctx)
	if err != nil {
		return c.failed(err)
	}
	c.OK, c.Detail = true, "it answers, and holds "+counted(len(sessions), "session")
	return c
}

// patience is how long a check may take.
func (a *app) patience() time.Duration {
	if a.timeout > 0 {
		return a.timeout
	}
	return 30 * time.Second
}

func (a *app) checkTools(ctx context.Context) check {
	c := check{Name: "tools"}
	r, err := a.registry(ctx)
	if err != nil {
		return c.failed(err)
	}
	findings := 0
	for _, d := range r.Definitions() {
		_, found := d.FunctionTool(schema.OpenAI)
		findings += len(found)
	}
	c.OK = true
	c.Detail = fmt.Sprintf("%d tools", len(r.Tools()))
	if findings > 0 {
		c.Hint = "\"helve tools lint\" shows what some providers can't express"
	}
	return c
}

// checkWorkspace counts what is there, and tells what is wrong but for what other tells.
func checkWorkspace(in *catalog.Catalog, other check) check {
	c := check{Name: "workspace", OK: true, Detail: "none: \"helve init\" makes one"}
	if in.Dir() == "" {
		return c
	}
	c.Detail = fmt.Sprintf("%s: %s, %s, %s", in.Dir(), counted(len(in.Tools()), "tool"), counted(len(in.Sets()), "set"), counted(len(in.Agents()), "agent"))
	if prompts, resources := library.Of(in); len(prompts)+len(resources) > 0 {
		c.Detail += fmt.Sprintf(", %s, %s", counted(len(prompts), "prompt"), counted(len(resources), "resource"))
	}
	var told []string
	wrong := 0
	for _, p := range in.Problems() {
		if !p.Warning {
			wrong++
		}
		if !strings.HasSuffix(other.Detail, p.Error()) {
			told = append(told, p.Error())
		}
	}
	if wrong > 0 {
		c.OK, c.code = false, exitUsage
		c.Detail += ", " + counted(wrong, "error")
	}
	c.Hint = strings.Join(told, "\n                 ")
	return c
}

// checkSandbox is no failure where there is none: only what nobody vouches for needs it.
func (a *app) checkSandbox() check {
	c := check{Name: "sandbox", OK: true}
	set, err := a.configuredLevel()
	if err != nil {
		c.OK = false
		return c.failed(err)
	}
	level, err := a.tryLevel(set.level)
	switch {
	case err != nil:
		c.Detail, c.Hint = classify(err).Error()+". Scripts and skills don't run here, WebAssembly does", "\"helve sandbox doctor\" says what is missing"
		if set.by != "" {
			c.Detail = fmt.Sprintf("the level %s%s: %s", set.level, set.reason(), c.Detail)
		}
	case level == sandbox.Reduced:
		c.Detail = fmt.Sprintf("%s%s: %s", level, set.reason(), weaker)
	default:
		c.Detail = fmt.Sprintf("programs run isolated, at the level %s%s", level, set.reason())
	}
	return c
}

func (a *app) checkZones() check {
	c := check{Name: "zones"}
	if _, err := time.LoadLocation("Asia/Shanghai"); err != nil {
		return c.failed(err)
	}
	c.OK, c.Detail = true, "the time zone database is there"
	return c
}

func (c check) failed(err error) check {
	f := classify(err)
	c.Detail, c.Hint, c.code = f.Error(), strings.TrimSuffix(f.hint, hintDoctor), f.code
	return c
}
