// Package dialect is for tool calls that travel as text: it writes the prompt that
// asks a model for them, and takes the answer apart while it arrives.
//
// Half of the models that people run have no function calling, or a server that
// does not expose it. [Wrap] gives their client function calling, so that nothing
// above it knows:
//
//	d, err := dialect.Lookup("tag") // or dialect.ForModel("Qwen/Qwen3-8B")
//	client = dialect.Wrap(client, d)
//
// [Rescue] finds the calls that a model with function calling writes as text all
// the same, and [Detect] chooses between the two. An agent does so by itself. To
// read an answer without a model there is a [Decoder], which helve parse shows:
//
//	decoder := d.NewDecoder(dialect.Options{Tools: tools})
//	for chunk := range chunks {
//		for _, event := range decoder.Feed(chunk) { … }
//	}
//	for _, event := range decoder.End() { … }
//
// # Dialects
//
// A [Dialect] is data: the markers that begin something, what stands behind them,
// how calls and results are written. tag, decision and structured are helve's own
// and work with any model by prompt; native is the provider's function calling;
// every other is the format that a family of models was trained on. helve dialects
// lists them, and docs/dialects.md tells how to add one.
//
// # What a Decoder promises
//
//   - However the answer is cut into chunks, the events are the same.
//   - The events' text is the answer, byte for byte and in order.
//   - Text that can't begin a marker comes out of the Feed that brought it; at most
//     the beginning of a marker is held back.
//   - It takes linear time and copies no plain text. What is too long, too deep
//     or too much is text.
//   - A call that is cut off or broken never runs. Its bytes come out as text,
//     with an [Invalid] that says why.
//   - Text before, between and behind calls stays where it is.
//   - Values are exact: strings with quotes, closers and white space in them, numbers
//     with all their digits, and "007" where a string is wanted.
//   - Calls inside Markdown's code are text, and so are calls inside reasoning,
//     but for the models that mean them there, and calls of tools that are not
//     declared. [Options] change that.
//
// What a finished answer may do is not the decoder's to say: of an answer that the
// model was cut off in, the loop runs nothing (docs/design.md, rule 8).
//
// # What is mended
//
// [RepairJSON] reads the JSON that models get nearly right, and so do the dialects.
// A mend is made where one reading is far likelier than any other, and every mend
// is reported, so that a host can be stricter.
// Mended are trailing commas; missing commas; single quotes; keys and words
// without quotes; True, False and None; raw newlines and other control
// characters in strings; escapes that JSON has not; comments; numbers such as
// +5 and .5; bytes that are not UTF-8; closers doubled at the end; a code fence
// and the word json around the value.
//
// Of escapes that JSON has not, \', \`, \$ and \_ lose the backslash, as in
// JavaScript and Markdown, and so do raw newlines, carriage returns and tabs
// behind one; before anything else the backslash means itself, as in C:\Users and
// \d+.
//
// Quotes inside a string are mended where they come in pairs around something and
// neither can end the string, as in "use "strict"; now" and "He said "}" there".
//
// # What is not
//
// A value that was cut off is never completed: where the text ends before the
// value does, the answer is [ErrTruncated], even if a closer is all that is
// missing. Half of a path or of a command looks whole, and what runs with it
// does harm. Only where a dialect's own end marker shows that the model was done
// does a [Decoder] add closers that are missing at the end, and never behind a
// string, a word or a number that may be cut; RepairJSON can't know.
//
// Other quotes inside a string, prose around the value, NaN, Infinity and
// undefined, numbers such as 007 and 1_000, and = in place of a colon are errors:
// each has two readings, and the model is asked again at less cost than a wrong
// call.
package dialect
