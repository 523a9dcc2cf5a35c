// Package dialect is for tool calls that travel as text.
//
// The dialects themselves (prompts, streaming decoders, result formatting, and
// the wrapper that gives a text-only client function calling) come with a later
// change. What is here now is the part that the loop needs already:
// [RepairJSON], a reader of the JSON that models get nearly right.
//
// # What is mended
//
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
