// Package e2e proves helve against programs that others wrote: the official MCP servers,
// the conformance suites and the Inspector. It has tests and scripts, and nothing to
// import.
//
//	bash e2e/setup.sh                     # installs them from npm, into .cache/e2e
//	go test ./e2e/...                     # the servers; without them the tests are skipped
//	bash e2e/mcp-conformance-client.sh    # the suites for clients, against helve/mcp
//	bash e2e/inspector.sh                 # the Inspector, against helve mcp
//
// HELVE_E2E_CACHE names another folder than .cache/e2e. The tests only read it.
package e2e
