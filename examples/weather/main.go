// Command weather is the example of README.md: a typed Go function that a model
// calls. It uses the offline model; give it OPENAI_API_KEY for a real one.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"helve/agent"
	"helve/model"
	"helve/model/openai"
	"helve/model/sim"
	"helve/tool"
)

// README.md shows what stands from here …

type Forecast struct {
	City string `json:"city" jsonschema_description:"Name of the city"`
	Days int    `json:"days,omitempty" jsonschema:"minimum=1,maximum=14,default=1"`
}

func forecast(ctx context.Context, in Forecast) (string, error) {
	return fmt.Sprintf("%d days of sun in %s, 22 °C.", in.Days, in.City), nil
}

func ask(ctx context.Context, client model.Client, question string) (string, error) {
	weather := tool.Must(tool.New("get_weather", "Get the weather forecast for a city.", forecast))
	a, err := agent.New(agent.Config{Client: client, Tools: []tool.Tool{weather}})
	if err != nil {
		return "", err
	}
	reply, err := a.Run(ctx, question)
	if err != nil {
		return "", err
	}
	return reply.Text, nil
}

// … to here.

func main() {
	client, err := chooseClient()
	if err != nil {
		log.Fatal(err)
	}
	answer, err := ask(context.Background(), client, "What is the weather in Beijing for 3 days?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}

func chooseClient() (model.Client, error) {
	if key := os.Getenv("OPENAI_API_KEY"); key != "" {
		return openai.New(openai.Config{APIKey: key, Model: "gpt-4.1-mini"})
	}
	server, err := sim.Start(sim.Options{})
	if err != nil {
		return nil, err
	}
	return server.Client()
}
