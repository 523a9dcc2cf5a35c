package mend

import (
	"strings"
	"testing"
)

func TestMessage_Notifications(t *testing.T) {
	t.Parallel()
	const changed = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	const unheard = `{"jsonrpc":"2.0","method":"a"}`
	long := strings.Repeat("x", maxNotification)
	for name, test := range map[string]struct{ sent, want string }{
		"one that nobody hears":    {unheard, ""},
		"its id is null":           {`{"jsonrpc":"2.0","id":null,"method":"tools/list"}`, ""},
		"no method":                {`{"jsonrpc":"2.0","method":null}`, ""},
		"a request":                {`{"jsonrpc":"2.0","id":1,"method":"a"}`, "="},
		"a log in JSON":            {`{"method":"GET"}`, "="}, // it is for the count of stray lines
		"one that is heard":        {changed, "="},
		"a batch of them":          {`[` + strings.Repeat(unheard+",", 9) + unheard + `]`, ""},
		"a batch with one of them": {`[` + unheard + `,` + changed + `]`, `[` + changed + `]`},
		"a long one": {
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"` + long + `"}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":"notifications/progress was left out: it has 1048657 bytes, and 1048576 are read"}}`,
		},
		"a long request": {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"` + long + `"}}`, "="},
		"a long answer":  {answer(`{"content":[{"type":"text","text":"` + long + `"}]}`), "="},
	} {
		want := test.want
		if want == "=" {
			want = test.sent
		}
		if got := string(Message([]byte(test.sent))); got != want {
			t.Errorf("%s became %.300q, want %.300q", name, got, want)
		}
	}
}
