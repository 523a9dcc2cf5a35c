// Package library serves what people drop into a workspace for the clients of its MCP
// server: prompts to choose from, and resources to read.
//
//	prompts/*.yaml      PromptFile: a conversation's beginning, such as a slash command
//	resources/*.yaml    ResourceFile: a text, a file, or all files of a folder
//
// [Sources] has a catalog find and check them. [Of] takes them out of the catalog as
// package serve wants them, and a [Watcher] tells who subscribed to a resource that its
// file has changed:
//
//	w, err := library.Watch(server.ResourceUpdated, log)
//	defer w.Close()
//	…
//	content.Prompts, content.Resources = library.Of(catalog)
//	w.Follow(catalog)
//
// # Placeholders
//
// {name} in a text stands for the argument, or the variable of an address, of that
// name. A name that is not known is an error, for it is most often misspelt; {{name}}
// stands for {name} itself. Braces around anything else are plain text, so that JSON
// needs no care.
//
// # Files
//
// A file is read when a client asks, 8 MiB at most. It lies below the workspace: no
// link leads out of it. What a client puts into a path can't climb, and reaches nothing
// hidden.
package library
