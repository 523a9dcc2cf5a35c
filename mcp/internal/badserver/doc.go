// Package badserver is a small Model Context Protocol server that misbehaves as a test
// tells it to. It is written on encoding/json, bufio and net/http alone: a library for
// servers would keep it from being wrong on the wire. Only tests use it.
//
// The same server has two faces:
//
//	badserver.Main("banner")                   // a program on standard input and output; never returns
//	server := badserver.Handler("status=401")  // an http.Handler for httptest.NewServer
//
// A test binary becomes the program when its TestMain calls [Run] first, and the
// environment holds [EnvFault].
//
// # Faults of a server
//
// A fault is some words joined by +, such as "discover+rug-pull" or "session-lost=2". An
// unknown word panics: a test with a slip of the pen would test nothing. No word is a
// server that does all things right, and speaks 2025-11-25 (or what older version the
// client asks for).
//
//	discover          speaks 2026-07-28 too: server/discover, subscriptions/listen
//	hang              never answers initialize
//	hang-discover     never answers server/discover
//	list-hang         never answers tools/list
//	list-error        answers tools/list with an error
//	endless-pages     each page of tools has a next one
//	repeating-cursor  the second page names itself as the next
//	tools-5000        5,000 tools, 100 a page
//	duplicate-names   a tool named echo twice, and one that differs in a letter's case
//	odd-names         names with spaces, slashes, 200 characters, none, other scripts
//	schema-null       inputSchema is null; also schema-true, schema-array,
//	                  schema-recursive, schema-huge (200 KB), schema-missing
//	description-huge  a description of 1 MB
//	list-changed-burst  five list_changed and five more tools right after the start
//	rug-pull          after the first list the description of echo is another
//	elicit-out-of-the-blue  asks the person while no call runs
//	flood             500 log notifications before each answer
//	wrong-jsonrpc     writes "jsonrpc":"1.0"
//	unknown-id        answers a request that nobody made before each answer
//	batch             wraps each answer into an array
//	string-ids        answers with "1" where the request's id was 1
//
// On standard input and output only:
//
//	exit              says "API_KEY not set" on standard error, and ends with status 1
//	exit-on-discover  ends at server/discover
//	banner            prints lines that are no messages at the start and before each answer
//	grandchild        starts a process that keeps standard output and ignores all
//	ignore-eof        goes on when its input ends
//	ignore-term       goes on at SIGTERM
//	stderr-flood      writes 8 MB to standard error before it serves
//	never-reads       never reads its input
//
// Over HTTP only:
//
//	json              answers application/json, where else it streams
//	status=N          answers each request with that status; 401 with a WWW-Authenticate
//	key=K             401 unless the request has "Authorization: Bearer K" or "X-Api-Key: K"
//	html              answers 200 with a login page; html-discover does so for server/discover
//	redirect-302=URL, redirect-307=URL  sends each request to another place
//	redirect-same     sends each request to /moved, by 307, and serves there
//	session-lost=N    forgets a session (404) after N calls in it
//	get-405           has no stream for GET
//	get-closed        ends the stream of GET at once, each time
//	legacy-sse        speaks the older HTTP with server-sent events only
//	rest              speaks document 004's form only: GET the schemas, POST /execute
//	slow-headers      accepts a POST and never answers
//	gzip              compresses JSON answers, asked or not; implies json
//	content-type      answers JSON as text/plain; implies json
//	stale             closes a kept-alive connection when its second request comes; implies json
//
// # Faults of a call
//
// What goes wrong in a call is a tool of every server: see the table in tools.go. Tools
// that end the server (die, die_once, kill) end the program, or cut the connection of
// the answer.
//
// # The record
//
// A [Record] tells the test what happened: which tools ran, what was canceled, and, as
// each program keeps a connection to it, when the last of the programs and of their
// children is gone.
package badserver
