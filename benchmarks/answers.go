package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// savedAnswer is an answer in a file, for a reader that is not in Go, with what
// helve took to read it.
type savedAnswer struct {
	Dialect string  `json:"dialect"`
	Title   string  `json:"title"`
	File    string  `json:"file"`
	Chunk   int     `json:"chunk"`
	Bytes   int     `json:"bytes"`
	Prose   int     `json:"prose"`
	Helve   float64 `json:"helve"` // ms
}

// saveAnswers writes the answers that ai-sdk-tool-parser/run.sh reads into dir, and
// a list of them.
func saveAnswers(dir string) error {
	testing.Init()
	if err := flag.Set("test.benchtime", "20ms"); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var saved []savedAnswer
	for _, name := range []string{"hermes", "qwen3-coder"} {
		r := helveReader(name)
		for _, w := range []workload{texts[proseIn4B], texts[markupIn4B], calls[callOf1K], callOf("8 KiB", 8<<10, false), calls[callOf32K], callOf("64 KiB", 64<<10, false), calls[callOf128K]} {
			a := w.answer(r.dialect)
			fastest := math.Inf(1)
			for range 10 {
				result := testing.Benchmark(func(b *testing.B) { r.measure(b, a) })
				if result.N == 0 {
					return fmt.Errorf("%s, %s failed; go test . says why", w.title, r.name)
				}
				fastest = min(fastest, float64(result.T.Nanoseconds())/float64(result.N))
			}
			s := savedAnswer{
				Dialect: name, Title: w.title, File: fmt.Sprintf("%d.txt", len(saved)),
				Chunk: len(a.chunks[0]), Bytes: a.bytes, Prose: a.prose,
				Helve: fastest / 1e6,
			}
			if a.prose == 0 {
				s.Title = "call of " + w.title
			}
			if err := os.WriteFile(filepath.Join(dir, s.File), []byte(a.text), 0o644); err != nil {
				return err
			}
			saved = append(saved, s)
		}
	}
	list, err := json.MarshalIndent(map[string]any{
		"tool": map[string]any{
			"name": writeTool.Name, "description": writeTool.Description, "inputSchema": writeTool.Parameters,
		},
		"answers": saved,
	}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "answers.json"), list, 0o644)
}
