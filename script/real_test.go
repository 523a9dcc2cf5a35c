package script_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helve/catalog"
	"helve/sandbox"
	"helve/script"
	"helve/tool"
)

// TestInTheSandbox plays scripts as they are, good and bad.
func TestInTheSandbox(t *testing.T) {
	t.Parallel()
	box, err := sandbox.New(sandbox.Options{Log: slog.New(slog.DiscardHandler)})
	if errors.Is(err, sandbox.ErrUnavailable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	source := script.Source(script.Options{Sandbox: func() (sandbox.Runner, error) { return box, nil }, Log: slog.New(slog.DiscardHandler)})
	for name, test := range map[string]struct {
		file, program string // of tool.yaml behind the description; of ./run
		kind          tool.Kind
		want          string // in what the model reads
	}{
		"Python":             {"command: [python3, run]\n", "import json, sys\nprint(json.load(sys.stdin)['text'].upper())\n", "", "TEA\n"},
		"a shell":            {"command: [./run]\ninput: arguments\n", "#!/bin/sh\necho \"$1\"\n", "", "--text=tea\n"},
		"env":                {"command: [env]\nenv: {A_TOKEN: '${KEY}'}\n", "", "", "A_TOKEN=[secret]\n"},
		"no network":         {"command: [python3, -c, 'import socket; socket.socket()']\n", "", tool.KindExecution, "PermissionError"},
		"no file":            {"command: [cat, /etc/shadow]\n", "", tool.KindExecution, "No such file"},
		"time":               {"command: [sleep, '60']\ntimeout: 300ms\n", "", tool.KindTimeout, "stopped after 300ms"},
		"output":             {"command: ['yes']\n", "", tool.KindExecution, "printed far too much"},
		"memory":             {"command: [python3, -c, 'x = bytearray(1 << 30)']\nlimits: {memory: 64MiB}\n", "", tool.KindExecution, "emory"},
		"no program":         {"command: [pyton9]\n", "", tool.KindUnavailable, "pyton9 is not in the sandbox"},
		"no interpreter":     {"command: [./run]\n", "#!/usr/bin/nothing\n", tool.KindUnavailable, "/usr/bin/nothing is not in the sandbox"},
		"none behind env":    {"command: [./run]\n", "#!/usr/bin/env nothing9\n", tool.KindUnavailable, "nothing9 is not in the sandbox"},
		"a file in its room": {"command: [./run]\n", "#!/bin/sh\necho hello >out/a.txt\n", "", "ended well"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			folder := filepath.Join(dir, "tools", "script", "a")
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			head := "name: a\ndescription: A.\nparameters: {text: {type: string}}\n"
			for file, text := range map[string]string{"tool.yaml": head + test.file, "run": test.program} {
				if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			c, err := catalog.Load(t.Context(), catalog.Options{Dir: dir, Sources: []catalog.Source{source}, Env: func(string) (string, bool) { return "hunter2hunter2", true }})
			if err != nil || len(c.Tools()) != 1 {
				t.Fatal(err, c.Problems())
			}
			r, err := tool.Invoke(t.Context(), c.Tools()[0], tool.Call{Arguments: json.RawMessage(`{"text":"tea"}`)})
			got, kind := r.Text()+"\n", tool.Kind("")
			if err != nil {
				got, kind = tool.AsError(err).Message, tool.AsError(err).Kind
			}
			if kind != test.kind || !strings.Contains(got, test.want) || strings.Contains(got, "hunter2") {
				t.Errorf("got  %s: %s\nwant %s: %s", kind, got, test.kind, test.want)
			}
			if files, ok := r.Artifact.(script.Files); ok != (name == "a file in its room") || ok && string(files[0].Data) != "hello\n" {
				t.Errorf("it made %v", r.Artifact)
			}
		})
	}
}
