package stdio

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// maxBatch is how many messages a batch may have. We send none, so nobody has a reason to
// answer in one. Without a limit a line could hold millions, which the SDK would queue.
const maxBatch = 1000

// cutBatch cuts a batch, which is JSON already. It is of the protocol 2025-03-26 only; its
// requests are answered each by itself.
func cutBatch(batch []byte) ([]json.RawMessage, error) {
	in := json.NewDecoder(bytes.NewReader(batch))
	if _, err := in.Token(); err != nil {
		return nil, err
	}
	var found []json.RawMessage
	for in.More() {
		if len(found) == maxBatch {
			return nil, fmt.Errorf("it has more than %d messages, in %d bytes", maxBatch, len(batch))
		}
		var one json.RawMessage
		if err := in.Decode(&one); err != nil {
			return nil, err // it is too deep
		}
		found = append(found, one)
	}
	return found, nil
}
