package main

import (
	"strings"
	"testing"

	"helve/model/sim"
)

func TestAsk(t *testing.T) {
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
	answer, err := ask(t.Context(), client, "What is the weather in Beijing for 3 days?")
	if err != nil {
		t.Fatal(err)
	}
	if want := "3 days of sun in Beijing, 22 °C."; !strings.Contains(answer, want) {
		t.Errorf("the answer %q does not hold %q", answer, want)
	}
}
