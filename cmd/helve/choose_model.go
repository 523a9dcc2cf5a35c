package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"

	"helve/catalog"
	"helve/model"
	"helve/model/openai"
	"helve/model/sim"
)

// offlineModel is the name of the demonstration model, behind "sim/".
const offlineModel = "offline"

// defaultOpenAI is asked where there is a key and no name of a model.
const defaultOpenAI = "gpt-4.1-mini"

// client returns the model that the flags ask for, else the environment, else the
// agent, else helve.yaml. close ends what it holds.
//
// The key of the environment is never sent to a server that only helve.yaml names:
// that gets the key that is written beside it.
func (a *app) client(s catalog.Settings, who *catalog.Agent) (client model.Client, close func(), err error) {
	name := cmp.Or(a.model, os.Getenv("HELVE_MODEL"), who.Model, s.Model)
	key := strings.TrimSpace(os.Getenv("OPENAI_API_KEY"))
	baseURL := cmp.Or(a.baseURL, os.Getenv("OPENAI_BASE_URL"))
	if baseURL == "" && s.BaseURL != "" {
		baseURL, key = s.BaseURL, s.APIKey.Reveal()
	}

	provider, rest, _ := strings.Cut(name, "/")
	if name == "" && (a.simScript != "" || a.simFault != "") {
		provider, rest = "sim", offlineModel
	}
	switch {
	case provider == "sim" && rest == offlineModel:
		return a.offline(who)
	case provider == "sim":
		return nil, nil, usage("unknown model %q: the offline model is sim/%s", name, offlineModel)
	case a.simScript != "" || a.simFault != "":
		return nil, nil, usage("--sim-script and --sim-fault are for the offline model: leave out --model, or say sim/%s", offlineModel)
	case strings.HasSuffix(name, "/"):
		return nil, nil, usage("--model %s names no model: write %sNAME", name, name)
	case name == "" && baseURL == "" && key == "":
		fmt.Fprintln(a.std.err, `helve: no OPENAI_API_KEY, so this is the offline demonstration model, not a language model. For a real one: export OPENAI_API_KEY=… and run again with --model openai/NAME.`)
		return a.offline(who)
	case provider == "ollama" && a.baseURL == "":
		return a.remote(openai.Config{Provider: "ollama", BaseURL: ollamaURL(), Model: rest})
	case provider == "openai" || provider == "ollama":
		name = rest
	case name != "" && baseURL == "":
		return nil, nil, usage("unknown model %q: write it as openai/NAME, ollama/NAME or sim/offline, or name its server with --base-url", name)
	}
	if name == "" && baseURL == "" {
		name = defaultOpenAI
	}
	if name == "" {
		return nil, nil, usage("which model of %s? Name it with --model", baseURL)
	}
	return a.remote(openai.Config{APIKey: key, BaseURL: baseURL, Model: name})
}

func ollamaURL() string {
	host := os.Getenv("OLLAMA_HOST")
	if host == "" {
		host = "localhost:11434"
	}
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	return strings.TrimSuffix(host, "/") + "/v1"
}

// patient is how a server is used in a run: repeat what may work later, give up
// on silence.
func patient(client model.Client) model.Client {
	limited := model.Timeout(client, model.Timeouts{Request: 10 * time.Minute, Idle: time.Minute})
	return model.Retry(limited, model.RetryPolicy{MaxAttempts: 3})
}

func (a *app) remote(config openai.Config) (model.Client, func(), error) {
	client, err := openai.New(config)
	if err != nil {
		return nil, nil, usage("%v", err)
	}
	return client, func() {}, nil
}

// offline starts the demonstration model inside this process.
func (a *app) offline(who *catalog.Agent) (model.Client, func(), error) {
	var options sim.Options
	options.Dialect = a.callingFlags.offlineDialect(who.Output)
	if a.simFault != "" {
		var err error
		if options.Faults, err = sim.ParseFaults(a.simFault); err != nil {
			return nil, nil, usage("--sim-fault: %v", err)
		}
	}
	if a.simScript != "" {
		text, err := os.ReadFile(a.simScript)
		if err != nil {
			return nil, nil, usage("--sim-script: %w", err)
		}
		script, err := sim.ParseScript(text)
		if err != nil {
			return nil, nil, usage("--sim-script %s: %v", a.simScript, err)
		}
		options.Script = &script
	}
	server, err := sim.Start(options)
	if err != nil {
		return nil, nil, err
	}
	client, err := server.Client()
	if err != nil {
		server.Close()
		return nil, nil, err
	}
	return client, func() { server.Close() }, nil
}
