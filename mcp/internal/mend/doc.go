// Package mend rewrites what a server of the Model Context Protocol sent, before the
// SDK decodes it.
//
// The SDK decodes a message whole or not at all, and into Go values. One block of an
// unknown kind, one picture in bad base64 costs the whole answer; a list of tools loses
// the order of its keys and the digits of its numbers; a null in the wrong place, or a
// form whose schema holds itself, ends the process. [Message] takes the bytes and
// returns others that the SDK can read and that hold everything the server said:
//
//   - Each tool of a list is a stand-in, and carries the server's own JSON as a string
//     in its _meta under [RawTool].
//   - A block of content that could not be decoded is a text block with the block's JSON.
//     A picture in a data: URL, or in base64 of another kind, is made a good one.
//   - Structured content is moved, byte for byte, into a string of the result's _meta
//     under [RawStructured].
//   - The fields of a form are kept in their order, as a string in the _meta of the
//     question's parameters under [RawForm].
//   - A field of a wrong type that the SDK reads, and nobody needs, is left out.
//   - An answer whose id is a string of digits gets the number that was sent.
//   - A notification that nobody hears is left out; in place of one of more than 1 MiB
//     stands one that says so.
//   - Nulls and references that would end the process are left out of questions.
//
// Most messages need none of it. They cost a walk over their bytes and no allocation.
package mend
