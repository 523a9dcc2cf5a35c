// Package model is something that answers a conversation.
//
// A [Client] has one way to answer: it streams events. [Generate] folds the
// stream into a [Response], so waiting for the whole answer and watching it
// arrive share one code path.
//
//	for event, err := range client.Stream(ctx, request) {
//		if err != nil { … }
//		if text, ok := event.(model.TextDelta); ok {
//			fmt.Print(text)
//		}
//	}
//
// Everything that changes how a client behaves is a client around it: [Retry],
// [Fallback], [RateLimit] and [Timeout] here, and the text dialects in package
// dialect.
//
// Package openai speaks to any OpenAI-compatible endpoint, package sim is an
// offline model that needs neither key nor network, and package modeltest checks
// that a Client keeps the rules.
package model
