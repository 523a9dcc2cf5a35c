//lint:file-ignore SA1019 Servers of the older protocols still ask for completions and still log.

package mend

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client of the SDK lives through whatever a server asks, if the message is mended.
// Without that, the process of this test ends: in go-sdk v1.8.0 at messages that are
// null, at no parameters, at nulls in a form, and, past recovery, at a form whose schema
// is {"$ref":"#"}.
func TestTheSDKSurvivesWhatAServerAsks(t *testing.T) {
	t.Parallel()
	forms := []string{
		`null`, `5`, `{"$ref":"#"}`, `{"allOf":[{"$ref":"#"}]}`, `{"type":"object","properties":null}`, `{"type":"object","properties":{"a":null}}`,
		`{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`, `{"type":"object","properties":{"a":true,"b":{"type":"string","default":{}}}}`,
		`{"type":"object","properties":{"a":{"type":"string","enum":null,"oneOf":[null]}}}`,
		`{"type":"object","properties":{"a":{"type":"array","items":null}}}`, `{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[null]}}}}`,
	}
	params := []string{
		``, `null`, `{}`, `[]`, `5`, `"x"`, `{"messages":null}`, `{"messages":[null],"maxTokens":1}`, `{"messages":[{"role":"user","content":null}]}`,
		`{"messages":[{"role":"user","content":[null]}]}`, `{"messages":[],"tools":[null],"modelPreferences":{"hints":[null]}}`,
		`{"mode":"url","url":null,"elicitationId":null}`, `{"progressToken":{},"progress":"x"}`, `{"requestId":{}}`, `{"uri":null}`, `{"level":null,"data":null}`, `{"_meta":{"progressToken":{}}}`,
	}
	for _, f := range forms {
		params = append(params, `{"message":"m","requestedSchema":`+f+`}`)
	}
	for _, method := range []string{
		"sampling/createMessage", "elicitation/create", "roots/list", "ping", "notifications/progress", "notifications/message", "notifications/cancelled",
		"notifications/resources/updated", "notifications/tools/list_changed", "notifications/elicitation/complete", "x/unknown",
	} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			asked := make([]string, len(params))
			for i, p := range params {
				if p != "" {
					p = `,"params":` + p
				}
				id := fmt.Sprintf(`"id":%d,`, 1000+i)
				if strings.HasPrefix(method, "notifications/") {
					id = ""
				}
				asked[i] = fmt.Sprintf(`{"jsonrpc":"2.0",%s"method":"%s"%s}`, id, method, p)
			}
			ask(t, asked)
		})
	}
}

// ask connects a client to a server that sends the mended messages, and waits until
// each request has an answer.
func ask(t *testing.T, messages []string) {
	fromServer, server := io.Pipe()
	client, toServer := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- serveQuestions(client, server, messages) }()

	session, err := accepting().Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Error(err)
	}
	_ = session.Close()
	_ = server.Close()
	_ = toServer.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// serveQuestions answers the list of tools when all its requests have been answered.
func serveQuestions(in io.Reader, out io.Writer, messages []string) error {
	waiting := 0
	var list any
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var m struct {
			ID     any
			Method string
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return err
		}
		switch m.Method {
		case "initialize":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%v,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`+"\n", m.ID)
		case "tools/list":
			list = m.ID
			for _, message := range messages {
				if strings.Contains(message, `"id":`) {
					waiting++
				}
			}
			quiet := waiting == 0
			go func() { // the client answers while it is asked
				for _, message := range messages {
					fmt.Fprintf(out, "%s\n", Message([]byte(message)))
				}
				if quiet {
					fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%v,"result":{"tools":[]}}`+"\n", list)
				}
			}()
		case "":
			if waiting--; waiting == 0 {
				fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%v,"result":{"tools":[]}}`+"\n", list)
			}
		}
	}
	return nil
}

// accepting is a client that says yes to everything.
func accepting() *sdk.Client {
	return sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		CreateMessageHandler: func(context.Context, *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			return &sdk.CreateMessageResult{Content: &sdk.TextContent{Text: "x"}, Role: "assistant", Model: "m"}, nil
		},
		ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"a": 1}}, nil
		},
		ToolListChangedHandler:      func(context.Context, *sdk.ToolListChangedRequest) {},
		ResourceUpdatedHandler:      func(context.Context, *sdk.ResourceUpdatedNotificationRequest) {},
		ElicitationCompleteHandler:  func(context.Context, *sdk.ElicitationCompleteNotificationRequest) {},
		LoggingMessageHandler:       func(_ context.Context, r *sdk.LoggingMessageRequest) { _ = r.Params.Level },
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { _ = r.Params.Progress },
	})
}
