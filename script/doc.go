// Package script makes tools of folders: a new tool is only a file in the right place
// (document 004). Whoever can write a program in any language can write one.
//
//	tools/script/word_count/
//		tool.yaml
//		run.py
//
// tool.yaml says what the tool is for, which arguments it takes and what runs ([Config]):
//
//	name: word_count
//	description: Count the words of a text.
//	parameters:
//	  text: {type: string, required: true}
//	command: [python3, run.py]
//
// The program reads the arguments as one line of JSON from its standard input, and prints
// the result on its standard output:
//
//	import json, sys
//	print(len(json.load(sys.stdin)["text"].split()))
//
// [Source] finds such folders in a workspace.
//
// # What becomes of a run
//
// Exit code 0: what was printed is the tool's result, as text, or as JSON where the file
// says output: json. The files that are in the folder out then are its artifact, [Files].
// The folder is there from the start.
//
// Another exit code: an error that the model reads. A program says it in its own words
// by printing {"error": "…"}; else it is the end of what was written to standard error.
//
// Stopped at a limit: an error that tells the model to ask for less. Its cause is an
// [Advice]: which key of tool.yaml raises the limit.
//
// Standard error goes to the log, line by line and without what looks like a secret.
//
// # Isolation
//
// A script runs in a sandbox and nowhere else: [Options] has no other way. It finds
// copies of the folder's files in its own directory, and no network, no file of this
// machine but its programs, no environment but what tool.yaml names. The files are read
// once, when the workspace is loaded: what was listed is what runs, whatever becomes of
// the folder in between. Hidden files stay where they are.
//
// Nothing is started to list tools, and no sandbox is needed for it.
package script
