package mend_test

import (
	"fmt"

	"helve/mcp/internal/mend"
)

func ExampleMessage() {
	fmt.Printf("%s\n", mend.Message([]byte(`{"jsonrpc":"2.0","id":"7","result":{"content":[`+
		`{"type":"image","data":"data:image/png;base64,iVBORw"},{"type":"hologram","depth":3}]}}`)))
	fmt.Printf("%s\n", mend.Message([]byte(`{"jsonrpc":"2.0","id":8,"result":{"tools":[{"name":"add","inputSchema":null}]}}`)))
	// Output:
	// {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"image","data":"iVBORw==","mimeType":"image/png"},{"type":"text","text":"{\"type\":\"hologram\",\"depth\":3}"}]}}
	// {"jsonrpc":"2.0","id":8,"result":{"tools":[{"name":"","inputSchema":{"type":"object"},"_meta":{"helve/tool":"{\"name\":\"add\",\"inputSchema\":null}"}}]}}
}
