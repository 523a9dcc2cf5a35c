// Package sim is the offline model: a small server that speaks OpenAI's chat
// completions on the loopback interface, so that helve can be tried and tested
// without key or network. The ordinary client of package openai talks to it;
// HTTP, server-sent events and deltas are real.
//
//	server, err := sim.Start(sim.Options{})
//	if err != nil { … }
//	defer server.Close()
//	client, err := server.Client()
//
// It is a demonstration, not a language model, and says so: in the model list,
// in every answer's system_fingerprint, and to whoever asks it. The same request
// gets the same bytes.
//
// # How it thinks
//
// It reads the last user message, 8 KiB of it at most, and nothing before it but a list of
// skills. It
// cuts the message into clauses, and for each looks for the tool whose name,
// description and parameters it speaks of. It finds values in the text
// (arithmetic, time zones and cities, SQL, paths, URLs, e-mail addresses, dates,
// numbers, quotations, name=value, JSON) and gives them to the parameters whose
// names, formats, enums, examples and descriptions ask for them, in English and
// in simple Chinese. No tool is known to it by name. It makes only calls that the
// tool's schema allows. Where a required value can't be found it says which; only
// tool_choice can make it take an example or the simplest value instead. Once
// tools have answered it writes their results down and calls nothing more,
// whatever tool_choice says. Only where parallel calls are not wanted does it first
// make those it has thought of, one an answer.
//
// A prompt that names an Agent Skill, such as "run the word count skill on this text: …",
// is another matter: where the system prompt lists skills, or a tool says that it is one, it
// opens that skill, runs the script that the instructions name first, with the text of the
// prompt on standard input or where the instructions show a place for it, and tells what
// that printed. Of what else is in the instructions it understands nothing.
//
// # Without function calling
//
// [Options].Dialect makes it a model without function calling, of those that write
// calls as text in this dialect. It refuses a request with tools as Ollama does, with
// HTTP 400 and "… does not support tools". It knows of tools what the system prompt
// says, in the words of dialect.Prompt, English or Chinese: what there is to call
// (the plain list, or JSON signatures), the form of results and of an answer without
// a call, and whether one answer may hold several calls. A prompt without such a
// section has no tools; of a list that it can't read, it says so. It thinks as ever, says in a line which tools it will call,
// where there is room for one, and writes the calls into the same text. It reads its
// own calls and their results back from the conversation. With dialect.Wrap around
// its client it is a model with function calling.
//
// An answer in which a tool's words would read as a call is written as code, or not
// at all. A script's text is sent word for word, and its calls are written in the
// dialect.
//
// # Scripts
//
// [Options].Script replaces the thinking by turns from a file. See [Script] for
// the form. When no turn is left for a request, the answer is HTTP 400 with the
// code script_exhausted.
//
// # Faults
//
// [Options].Faults, and a turn's fault, make it misbehave: 429, 500, html,
// silence, slow, stall, cut, cut-call, stream-error, bad-json, unknown-tool,
// endless, 1000-calls, 10mb and partial-call. The constants of [Fault] say what
// each does, [ParseFaults] reads a list of them. A request that is refused as
// malformed uses up no fault.
//
// # The wire
//
// GET /v1/models, GET /v1/models/{id}, and POST /v1/chat/completions with stream,
// stream_options, tools, tool_choice, parallel_tool_calls, stop and max_tokens. A
// token is a piece of about a word. A request that OpenAI would refuse, such as a
// history in which a call has no result, is refused here too. Any model name is
// accepted and answered by "offline"; any key is.
package sim
