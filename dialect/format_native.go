package dialect

// native is the provider's own function calling: there is no prompt, and text is
// text.
var native = Dialect{
	name:    "native",
	purpose: "models whose server has function calling",
}
