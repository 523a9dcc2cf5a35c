// Package httptool makes a tool of an HTTP API, from a few lines that say where
// it is and what to send. They are a [Config] in Go, or a YAML file in
// tools/native/ of a workspace (document 004, section 4.1.1: NativeTool):
//
//	name: search_tool
//	description: Search the web.
//	api_url: https://api.search.brave.com/res/v1/web/search
//	auth_method: api_key
//	api_key: ${BRAVE_API_KEY}
//	api_key_name: X-Subscription-Token
//	parameters:
//	  q:     {type: string, required: true, description: What to look for.}
//	  count: {type: integer, default: 5, minimum: 1, maximum: 20}
//	response:
//	  select: $.web.results[*]
//	  fields: [title, url, description]
//
// # Where an argument goes
//
// {name} in api_url, in a value of query or headers, and in body is the argument
// of that name. The arguments that stand nowhere go into the query of a GET or
// DELETE, and into the body of any other method, as JSON. {{name}} is the text
// {name} itself; other braces mean nothing.
//
// A value of query or headers is left out where an argument in it was not given.
// A list is written a,b,c; a value that is {name*} alone repeats its key for
// each element instead, and for an object gives each of its keys. In body, a
// value that is {name} alone is the argument as it is, a number, list or object
// too; among other text it is text. In the path an argument is one segment:
// whatever it holds is escaped, and one that is empty or would climb (..) is
// refused, so no argument leads to another host, path or query.
//
// # What comes back
//
// The model gets JSON without its blanks, or the part that response.select names
// (JSONPath) and of its objects the keys in response.fields; text as it is, in
// UTF-8 whatever it was; the words of a web page, marked as such and cut short;
// images and PDF as parts. The host gets the whole [Answer] as the artifact. A
// status other than 2xx is an error with the start of its body.
//
// # What it may not do
//
// A tool reaches the host of its api_url, for its tokens that of token_url, and
// after a redirect those in allowed_hosts. Addresses of the machine and its
// network are refused unless the caller of [New] allows them, when the
// connection is made. Keys never follow a redirect to another origin, and are
// taken out of what a server sends back.
package httptool
