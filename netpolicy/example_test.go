package netpolicy_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"time"

	"helve/netpolicy"
)

// How does a tool ask a server that a model named?
func Example() {
	policy := netpolicy.Policy{Hosts: []string{"*.example.com"}}
	for _, address := range []string{"https://docs.example.com/a", "https://example.org/", "file:///etc/passwd"} {
		u, err := url.Parse(address)
		if err == nil {
			err = policy.CheckURL(u)
		}
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// the host "example.org" is not allowed; allowed: *.example.com
	// only http and https URLs can be fetched, such as https://example.com/page
}

// What happens where an allowed name leads to the machine itself?
func ExamplePolicy_Client() {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()

	policy := netpolicy.Policy{Hosts: []string{"*"}}
	request, err := http.NewRequest("GET", server.URL+"/admin?key=s3cret", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = policy.Client(policy.Transport(), 10*time.Second).Do(request)
	fmt.Println(netpolicy.Error("my_tool", request.URL, err))
	// Output:
	// permission_denied: my_tool: the address 127.0.0.1 is not on the public internet
}
