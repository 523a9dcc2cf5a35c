// Package gen makes tools of Go functions by reading their source: of their names,
// their types and their comments (document 002, section 1.2).
//
//	// SearchHandbook looks in the handbook. query is what to look for; limit is how
//	// many passages to return (default 10).
//	//
//	//helve:tool read_only
//	func SearchHandbook(ctx context.Context, query string, limit int) (string, error)
//
// "helve gen" writes helve_gen.go beside it, whose function Tools returns the tools
// of the package. The schemas stand there as they are sent, and what calls the
// function is plain code: nothing is inferred at run time.
//
// # Which functions
//
// The last line of the doc comment marks a function, exported or not. Its options:
//
//	name=NAME      in place of the function's name in snake case (search_handbook)
//	read_only      it changes nothing
//	idempotent     calling again does no more harm
//	sequential     no other call of the same answer runs meanwhile
//	return_direct  its answer ends the run
//	timeout=30s    for each call
//
// Methods and generic functions can't be tools. A function returns nothing, an
// error, a value, or a value and an error; the value becomes the result by the rules
// of package tool, and of nothing the model reads "Done.".
//
// # Descriptions
//
// The doc comment describes the tool. Go begins it with the name of the function;
// that is left out, so that the example above says "Looks in the handbook.".
//
// A parameter is described by a sentence that begins with its name and is or are
// ("query is what to look for.", "from and to are dates."), or by a section in
// Google's style. The latter may be a list, as gofmt likes it:
//
//	// Args:
//	//   - query: what to look for
//	//   - limit (int): how many passages (default 10)
//	//
//	// Returns: the passages, one a line
//
// A type in parentheses says nothing. The sections Returns, Yields, Raises, Errors
// and Example are for people alone. To describe a parameter that the function does
// not have is an error.
//
// A description that ends with (default VALUE) gives a default. VALUE is JSON, or
// plain text for a string, or a duration such as 30s, and is checked against the
// type.
//
// # Parameters
//
// The arguments are an object with the parameters' names as keys. A parameter is
// required, unless it has a default, is a pointer, or is the variadic one. If a
// function has only one and that is a struct, the struct's fields are the
// arguments, as with tool.New.
//
// The types are those that package schema describes, and the schema is the same as
// tool.New's, tags included. The source says three things more. The comment of a
// struct's field describes it and may give a default, where no tag does. A named
// string type with two or more constants is an enumeration:
//
//	type Order string
//
//	const (
//		Asc  Order = "asc"
//		Desc Order = "desc"
//	)
//
// And a type that decodes itself says its schema in its doc comment:
//
//	//helve:schema {"anyOf":[{"type":"integer"},{"type":"string"}]}
//
// If it says "type":"object" and the type is that of a function's only parameter, it is
// the schema of the arguments, as it stands there: for what no Go type can say, such as
// a choice between two fields.
//
// A context.Context comes first. A tool.CallID, tool.State, tool.Store and
// *tool.Runtime come from the host, anywhere in the list, and are never in the
// schema.
//
// # What is read
//
// The files that the go command would compile on this machine. The bodies of
// functions, an old generated file and mistakes elsewhere in the package do not
// matter. Every problem is reported at once, with its file, line and column. The
// same source always makes the same bytes. Nothing of the package's is run.
package gen
