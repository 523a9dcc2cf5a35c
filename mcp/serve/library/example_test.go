package library_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
	"path/filepath"

	"helve/catalog"
	"helve/mcp/serve"
	"helve/mcp/serve/library"
)

// A workspace has a prompt, and the server of its tools serves that too.
func Example() {
	dir, err := os.MkdirTemp("", "library")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "prompts", "greet.yaml")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`
name: greet
arguments: [{name: who, required: true}]
messages: [{text: "Greet {who}, in one sentence."}]
`), 0o600); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	c, err := catalog.Load(ctx, catalog.Options{Dir: dir, Sources: library.Sources()})
	if err != nil {
		log.Fatal(err)
	}
	s := serve.New(serve.Options{Name: "greeter"})
	defer s.Close()
	w, err := library.Watch(s.ResourceUpdated, slog.Default())
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()

	var content serve.Content
	content.Prompts, content.Resources = library.Of(c)
	if err := s.Set(content); err != nil {
		log.Fatal(err)
	}
	w.Follow(c)

	messages, err := content.Prompts[0].Render(ctx, map[string]string{"who": "Ada"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(messages[0].Role+":", messages[0].Text())
	// Output: user: Greet Ada, in one sentence.
}
