package model

import (
	"errors"
	"fmt"
	"time"

	"helve/internal/excerpt"
)

// ErrIncomplete says that an answer ended before the model finished it: the
// connection closed, or the stream stopped without a finish.
var ErrIncomplete = errors.New("the answer was cut off before its end")

// ArgumentsError says that a model called Tool with arguments that are not JSON
// (document 000). Raw is what it wrote.
type ArgumentsError struct {
	Tool string
	Raw  string
	Err  error // what the JSON reader said
}

// Error names the tool and shows the raw arguments, cut where they are long.
func (e *ArgumentsError) Error() string {
	shown := excerpt.Of(e.Raw, 200)
	if shown != e.Raw {
		shown += fmt.Sprintf(" (%d bytes in all)", len(e.Raw))
	}
	return fmt.Sprintf("model called %s with arguments that are not JSON: %s (%v)", e.Tool, shown, e.Err)
}

// Unwrap returns what the JSON reader said.
func (e *ArgumentsError) Unwrap() error { return e.Err }

// APIError is a provider's answer that is an error.
type APIError struct {
	Provider   string
	Status     int // HTTP status; for an error inside a stream what the provider said it is, or 0
	Type, Code string
	Message    string        // what the provider said, cut to a line or two
	RetryAfter time.Duration // 0 where the provider did not say
}

// Error says who refused, and why.
func (e *APIError) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s: %s", e.Provider, e.Message)
	}
	return fmt.Sprintf("%s: HTTP %d: %s", e.Provider, e.Status, e.Message)
}

// Temporary reports whether the same request may succeed later: status 408, 409,
// 425, 429 or 5xx, or without a status an error that the provider calls its own.
// An account without money left is not temporary, though its status is 429.
func (e *APIError) Temporary() bool {
	if e.Code == "insufficient_quota" || e.Type == "insufficient_quota" {
		return false
	}
	switch e.Status {
	case 0:
		return e.Type == "server_error" || e.Type == "rate_limit_error" || e.Type == "overloaded_error"
	case 408, 409, 425, 429:
		return true
	}
	return e.Status >= 500
}
