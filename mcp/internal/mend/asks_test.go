package mend

import "testing"

func TestAsks(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]any{
		`{"jsonrpc":"2.0","id":7,"method":"ping"}`:       int64(7),
		" {\"m\\u0065thod\":\"ping\",\"id\":\"a\"}\n":    "a",
		`{"id":1,"params":{"id":2},"id":3,"method":"m"}`: int64(3), // the last one counts
		`{"id":7,"result":{"method":"ping"}}`:            nil,
		`{"method":"notifications/progress"}`:            nil,
		`{"id":null,"method":"ping"}`:                    nil,
		`{"id":{},"method":"ping"}`:                      nil,
		`[{"id":7,"method":"ping"}]`:                     nil,
		``:                                               nil,
		`{`:                                              nil,
	} {
		id, asks := Asks([]byte(data))
		if id.Raw() != want || asks != (want != nil) {
			t.Errorf("%s: got %v, %v, want %v", data, id.Raw(), asks, want)
		}
	}
}
