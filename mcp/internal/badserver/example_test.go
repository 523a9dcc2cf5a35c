package badserver_test

import (
	"fmt"
	"io"
	"net/http/httptest"
	"strings"

	"helve/mcp/internal/badserver"
)

// A server that says 200 and sends a login page.
func ExampleHandler() {
	record, err := badserver.NewRecord()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer record.Close()
	server := badserver.Handler("html", record)
	defer server.Close()
	web := httptest.NewServer(server)
	defer web.Close()

	response, err := web.Client().Post(web.URL, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	page, _ := io.ReadAll(response.Body)
	fmt.Println(response.Status, strings.Contains(string(page), "sign in"))
	fmt.Println(record.Events())
	// Output:
	// 200 OK true
	// [request POST /]
}
