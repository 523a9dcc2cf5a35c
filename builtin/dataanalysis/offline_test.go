package dataanalysis

import (
	"strings"
	"testing"

	"helve/agent"
	"helve/model/sim"
	"helve/tool"
)

// The offline model hands the SQL of a prompt to the tool and tells the sums.
func TestTheOfflineModelAnswersWithTheSums(t *testing.T) {
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
	_, root := folder(t, map[string]string{"sales.csv": "region,amount\nNorth,120.5\nSouth,80.25\nNorth,19.5\n"})
	a, err := agent.New(agent.Config{Client: client, Tools: []tool.Tool{sqlOf(t, Config{Data: root})}})
	if err != nil {
		t.Fatal(err)
	}
	for prompt, want := range map[string]string{
		"SELECT region, SUM(amount) AS total FROM sales GROUP BY region ORDER BY total DESC": "region,total\nNorth,140.0\nSouth,80.25",
		"Which tables are there?": "sales (sales.csv, 3 rows): region TEXT, amount REAL",
	} {
		reply, err := a.Run(t.Context(), prompt)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(reply.Text, want) {
			t.Errorf("%s: %s", prompt, reply.Text)
		}
	}
}
