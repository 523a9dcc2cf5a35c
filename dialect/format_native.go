package dialect

// The dialects without a form of their own: in both, text is text.

// native is the provider's own function calling: there is no prompt.
var native = Dialect{
	name:    "native",
	purpose: "models whose server has function calling",
}

// plainText is for answers in which nothing is a call.
var plainText = Dialect{
	name:    "plain-text",
	purpose: "answers in which nothing is a call",
}
