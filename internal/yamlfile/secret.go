package yamlfile

import (
	"fmt"
	"log/slog"
)

// Secret is text that no log, error or model may show: whatever prints it prints a
// placeholder. Reveal gives the text to who must send it.
type Secret string

const hiddenText = "[secret]"

// Reveal returns the text.
func (s Secret) Reveal() string { return string(s) }

// Format prints the placeholder, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, hiddenText) }

// LogValue logs the placeholder.
func (s Secret) LogValue() slog.Value { return slog.StringValue(hiddenText) }

// MarshalText encodes the placeholder.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hiddenText), nil }
