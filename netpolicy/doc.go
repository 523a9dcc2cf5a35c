// Package netpolicy is the one place where helve decides which servers a tool
// may reach. Whatever asks a server for a model, asks through it: http_get, the
// tools of package httptool, MCP over HTTP.
//
//	policy := netpolicy.Policy{Hosts: []string{"api.example.com"}}
//	client := policy.Client(policy.Transport(), 20*time.Second)
//	response, err := client.Do(request)
//	if err != nil {
//		return netpolicy.Error("my_tool", request.URL, err) // words for the model, without secrets
//	}
//
// Two checks make the policy. The host's name is checked before each request,
// and for each redirect. The address is checked when the connection is made,
// after the name was resolved: a name that suddenly means 127.0.0.1, or a
// redirect to the metadata service of a cloud, leads nowhere.
//
// A client of this package uses no proxy from the environment (a proxy would
// make the connection itself, past the check), keeps no cookies, follows at most
// five redirects, and takes nothing but the harmless headers to another origin.
package netpolicy
