package session

import "helve/message"

// The tokens that Estimate takes for what is not text.
const (
	messageTokens = 4    // role and separators
	callTokens    = 8    // the frame around a call or a result
	mediaTokens   = 1000 // a picture at full detail; a minute of sound; a page or two
)

// Estimate returns about how many tokens a model counts for m. It knows no
// model's vocabulary: it takes a token for four ASCII characters, two of another
// alphabet (Greek, Cyrillic, Arabic, …) or one from U+2E80 up (Chinese, Japanese,
// Korean, emoji); 1000 for each picture, sound, file and binary resource that is
// given by value or address; and a few for each message and call. Reasoning
// counts nothing, since it is not sent back.
//
// Code, numbers and rare words have more tokens than that, so leave room: a
// limit of three quarters of the context is safe for ordinary text. Give
// [Window] the model's own count where that matters.
func Estimate(m message.Message) int { return messageTokens + partsTokens(m.Parts) }

func partsTokens(parts []message.Part) int {
	n := 0
	for _, p := range parts {
		n += partTokens(p)
	}
	return n
}

func partTokens(p message.Part) int {
	switch p := p.(type) {
	case message.Text:
		return textTokens(string(p))
	case message.Image, message.Audio, message.File:
		return mediaTokens
	case message.Resource:
		n := textTokens(p.URI) + textTokens(p.Text)
		if len(p.Data) > 0 {
			n += mediaTokens
		}
		return n
	case message.ToolCall:
		return callTokens + textTokens(p.Name) + textTokens(string(p.Arguments))
	case message.ToolResult:
		return callTokens + partsTokens(p.Content)
	}
	return 0
}

// textTokens adds up quarters of a token and rounds up.
func textTokens(s string) int {
	quarters := 0
	for _, r := range s {
		switch {
		case r < 0x80:
			quarters++
		case r < 0x2E80:
			quarters += 2
		default:
			quarters += 4
		}
	}
	return (quarters + 3) / 4
}
