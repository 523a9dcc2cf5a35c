package serve

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestPlainRequest(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a\"}b","arguments":{"x":[1,{"y":"]"}]}}}`: true,
		`{ "method" : "ping" , "id" : "a" , "jsonrpc" : "2.0" }`:                                                   true,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`:                                                   true,
		`{"jsonrpc":"2.0","id":12345678901234567,"method":"ping"}`:                                                 false,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:                                                               false,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:                                                                false,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`:                                                          false,
		`{"JSONRPC":"2.0","id":1,"method":"ping"}`:                                                                 false,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`:                                                                 false,
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                                                                     false,
		`{"jsonrpc":"2.0","id":1,"method":"p\u0069ng"}`:                                                            false,
		`{"foo":1}`: false,
		`{}`:        false,
	} {
		if got := plainRequest([]byte(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// FuzzPlainRequest: what is called plain, the SDK takes.
func FuzzPlainRequest(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a\"}b","arguments":{"x":[1,{"y":"]"}]}}}`))
	f.Add([]byte(`{ "method" : "ping" , "id" : "a" , "jsonrpc" : "2.0" }`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":-1,"method":"x","params":[]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if len(line) == 0 || line[0] != '{' || !json.Valid(line) || !plainRequest(line) {
			return
		}
		m, err := jsonrpc.DecodeMessage(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if r, ok := m.(*jsonrpc.Request); !ok || r.Method == "" {
			t.Fatalf("%s: %T", line, m)
		}
	})
}
