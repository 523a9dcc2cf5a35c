package mend

import "fmt"

// maxNotification is how long a notification may be, in bytes. None says much: the SDK
// decodes it into Go values of many times its length, for a handler that keeps a line.
const maxNotification = 1 << 20

// heard are the notifications that the SDK's client acts on.
var heard = map[string]bool{
	"notifications/cancelled": true, "notifications/elicitation/complete": true, "notifications/message": true,
	"notifications/progress": true, "notifications/prompts/list_changed": true, "notifications/resources/list_changed": true,
	"notifications/resources/updated": true, "notifications/subscriptions/acknowledged": true, "notifications/tools/list_changed": true,
}

// notification mends what a server tells. What nobody hears is left out: the SDK handles
// one notification after the other, and queues the others without a limit.
func notification(data []byte, method string) []byte {
	switch {
	case !heard[method]:
		return nil
	case len(data) > maxNotification:
		return fmt.Appendf(nil,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":"%s was left out: it has %d bytes, and %d are read"}}`,
			method, len(data), maxNotification)
	}
	return request(data, method)
}
