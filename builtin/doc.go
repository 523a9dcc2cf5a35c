// Package builtin holds the tools that every helve program can offer a model
// without setting anything up:
//
//	calculate     exact arithmetic
//	current_time  the time in any IANA time zone
//	http_get      one GET request, to hosts the person allowed
//	list_files    what is in a folder the person opened
//	read_file     a text file of that folder
//
// Each constructor returns one [helve/tool.Tool]. [All] returns those that a
// root folder and a [netpolicy.Policy] make possible:
//
//	root, err := os.OpenRoot("notes")
//	…
//	tools, err := builtin.All(root, netpolicy.Policy{Hosts: []string{"*.wikipedia.org"}})
//
// Nothing is allowed by default. The file tools reach what is under the
// [os.Root] they were given and nothing else, whatever links lie in it. The
// zero policy allows no host. The calculator parses an expression and walks
// its tree: no code runs, and no variable of the host is in reach.
//
// Every tool bounds its work and its answer, and says so in the answer when a
// bound cut it. All are safe for concurrent use and change nothing.
package builtin
