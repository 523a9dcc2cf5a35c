package serve_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"helve/mcp/serve"
	"helve/tool"
)

// TestEraIsNegotiated has clients ask for versions that initialize does not give, and
// call a tool that asks. They are served in the version they were given.
func TestEraIsNegotiated(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2026-07-28", "2099-01-01", "DRAFT-2026-v1", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, serve.Options{}, serve.Content{}, simple("ask", func(ctx context.Context) (string, error) {
				answers, err := tool.RuntimeFrom(ctx).Ask(ctx, tool.Form{Message: "Sure?"})
				if err != nil {
					return "", err
				}
				return string(answers[0].Action), nil
			}))
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- s.ServeStdio(context.Background(), in, out) }()
			lines := json.NewDecoder(fromServer)
			read := func() string {
				var line json.RawMessage
				if err := lines.Decode(&line); err != nil {
					t.Fatal(err)
				}
				return string(line)
			}
			io.WriteString(toServer, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+version+`","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`+"\n")
			if got := read(); !strings.Contains(got, `"protocolVersion":"2025-11-25"`) {
				t.Error(got)
			}
			io.WriteString(toServer, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","arguments":{}}}`+"\n")
			if got := read(); !strings.Contains(got, "elicitation/create") || strings.Contains(got, "input_required") {
				t.Error(got)
			}
			s.Close()
			go io.Copy(io.Discard, fromServer)
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAnswerBeforeTheQuestion has a client accept what nobody has asked it: a tool asks
// all the same.
func TestAnswerBeforeTheQuestion(t *testing.T) {
	t.Parallel()
	s := newServer(t, serve.Options{}, serve.Content{}, simple("remove", func(ctx context.Context) (string, error) {
		answers, err := tool.RuntimeFrom(ctx).Ask(ctx, tool.Form{Name: "approve", Message: "May it run?"})
		if err != nil {
			return "", err
		}
		return "ran: " + string(answers[0].Action), nil
	}))
	url := listen(t, s, serve.HTTP{}).URL
	status, result, _ := wire(t, url, "", "tools/call", "remove", `"name":"remove","arguments":{},"inputResponses":{"approve":{"action":"accept"}}`)
	if status != http.StatusOK || !strings.Contains(string(result), "input_required") || strings.Contains(string(result), "ran") {
		t.Errorf("%d %s", status, result)
	}
}
