package sim_test

import (
	"context"
	"strings"
	"testing"

	"helve/agent"
	"helve/message"
	"helve/model/sim"
	"helve/tool"
)

// A picture that a tool returns reaches the model in a message of its own, behind
// the result. It is no question.
func TestAPictureIsNoQuestion(t *testing.T) {
	t.Parallel()
	server, err := sim.Start(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := server.Client()
	if err != nil {
		t.Fatal(err)
	}
	type input struct {
		SQL string `json:"sql"`
	}
	draw := tool.Must(tool.New("plot_tool", "Draw a chart.", func(context.Context, input) ([]message.Part, error) {
		return []message.Part{message.Text("Drew four bars."), message.Image{Data: []byte("png"), MediaType: "image/png"}}, nil
	}))
	a, err := agent.New(agent.Config{Client: client, Tools: []tool.Tool{draw}})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := a.Run(t.Context(), "Plot SELECT a, b FROM c")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(reply.Text, "Drew four bars.") || strings.Contains(reply.Text, "follows") {
		t.Errorf("the answer is %q", reply.Text)
	}
}
