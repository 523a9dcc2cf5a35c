package mcp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"helve/mcp"
	"helve/tool"
)

// One call learns that the session is gone while another runs: that one is not made
// again, because it may have run.
func TestSessionLostUnderARunningCall(t *testing.T) {
	t.Parallel()
	for _, events := range []bool{false, true} {
		t.Run(fmt.Sprintf("events %v", events), func(t *testing.T) {
			t.Parallel()
			var sessions, ran atomic.Int32
			began := make(chan struct{}, 5)
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var m struct {
					ID     any
					Method string
					Params struct{ Name string }
				}
				if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
					w.WriteHeader(http.StatusMethodNotAllowed)
					return
				}
				reply := func(result string) {
					w.Header().Set("Content-Type", "application/json")
					id, _ := json.Marshal(m.ID)
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
				}
				switch {
				case m.Method == "initialize":
					w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", sessions.Add(1)))
					reply(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
				case m.Method == "tools/list":
					reply(`{"tools":[{"name":"long","inputSchema":{"type":"object"}},{"name":"short","inputSchema":{"type":"object"}}]}`)
				case m.Params.Name == "long":
					ran.Add(1)
					if events {
						w.Header().Set("Content-Type", "text/event-stream")
						fmt.Fprint(w, ": begun\n\n")
						w.(http.Flusher).Flush()
					}
					began <- struct{}{}
					<-r.Context().Done()
				case m.Params.Name == "short" && r.Header.Get("Mcp-Session-Id") == "s1":
					w.WriteHeader(http.StatusNotFound)
				case m.Params.Name == "short":
					reply(`{"content":[{"type":"text","text":"short"}]}`)
				default:
					w.WriteHeader(http.StatusAccepted)
				}
			}))
			t.Cleanup(web.Close)
			client, err := mcp.New(mcp.Config{Name: "s", URL: web.URL, Type: mcp.HTTP, Protocol: "2025-11-25"}, mcp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { client.Close() })
			tools, err := client.Tools(t.Context())
			if err != nil || len(tools) != 2 {
				t.Fatal(tools, err)
			}
			long := make(chan error)
			go func() {
				_, err := tool.Invoke(t.Context(), tools[0], tool.Call{Arguments: []byte(`{}`)})
				long <- err
			}()
			<-began
			result, err := tool.Invoke(t.Context(), tools[1], tool.Call{Arguments: []byte(`{}`)})
			if err != nil || result.Text() != "short" {
				t.Errorf("short: %q, %v", result.Text(), err)
			}
			if err := <-long; tool.AsError(err).Kind != tool.KindUnavailable {
				t.Errorf("long: %v", err)
			}
			if ran.Load() != 1 {
				t.Errorf("long ran %d times", ran.Load())
			}
		})
	}
}

// A server that ends soon after each start is started with pauses.
func TestNoHastyRestart(t *testing.T) {
	t.Parallel()
	s := overStdio(t, "")
	listed := make(chan struct{}, 10)
	s.options.Listed = func(mcp.Listing) { listed <- struct{}{} }
	s.open()
	s.works()
	<-listed
	kill(t, s.record)
	paused := false
	for {
		select {
		case <-listed:
			if !paused {
				t.Error("it was started again without a pause")
			}
			return
		default:
			status := s.client.Status()
			paused = paused || status.State == mcp.Degraded && !status.NextTry.IsZero()
		}
	}
}
