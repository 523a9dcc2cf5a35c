// Package tooltest checks that a [tool.Tool] keeps the rules that hosts and
// providers rely on. It is to tools what testing/slogtest is to log handlers.
//
//	func TestWeather(t *testing.T) {
//		tooltest.Run(t, func(t *testing.T) tool.Tool { return weather.New(fakeServer(t)) },
//			`{"city":"Oslo"}`, `{"city":"Oslo","days":14}`)
//	}
//
// Give it one or more calls that succeed. Without any, it makes one of what the
// schema offers: its examples, or for each required property the default, the
// first example or the first allowed value.
//
// The kit calls the tool some dozens of times, also at the same time. Give it a
// tool that does no harm then. A tool that wants something from the host gets it
// in a wrapper whose Call puts it into the context with [tool.WithRuntime].
//
// # What is checked
//
//   - definition: it is the same for every call, byte for byte, in the form of
//     every provider; the name, the description and the schema are ones that
//     providers take. What a provider can't express is logged and is no failure.
//   - examples: the example calls succeed, give content that can be stored, and
//     do not change their arguments.
//   - invalid arguments: a call that lacks a required property, holds one of a
//     wrong type, an unknown one where those are forbidden, or one whose letter
//     case is wrong, never reaches the tool.
//   - cancel: a call returns soon after its context has ended.
//   - concurrent: calls may run at the same time. Test with -race.
//   - results: no two calls share a result.
//   - close: an [io.Closer] closes without an error, and a call afterwards
//     returns.
//
// A panic breaks the rule in which it happens.
package tooltest
