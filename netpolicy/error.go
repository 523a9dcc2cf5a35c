package netpolicy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"

	"helve/tool"
)

// Refusal is the error for what a [Policy] forbids. It names no tool: [Error]
// adds the name.
type Refusal struct {
	Reason string

	// Private says that [Policy.AllowPrivate] would allow it. A host may tell its user
	// how; the model can't do anything about it.
	Private bool
}

func (r *Refusal) Error() string { return r.Reason }

func refuse(format string, args ...any) error { return &Refusal{Reason: fmt.Sprintf(format, args...)} }

// Error returns err, which a request for u ended with, as a model may read it,
// with who in front, the name of the tool. It leaves out the query of u, which
// may hold a key. What the policy refused is [tool.KindPermissionDenied]; a slow
// server is a timeout and one that can't be reached is unavailable, and both are
// retryable. A canceled context stays as it is, and so does a [*tool.Error].
func Error(who string, u *url.URL, err error) error {
	var ours *tool.Error
	if errors.As(err, &ours) {
		return ours
	}
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return &tool.Error{Kind: tool.KindPermissionDenied, Message: who + ": " + refusal.Reason, Err: err}
	}
	err = WithoutURL(err)
	if errors.Is(err, context.Canceled) {
		return err
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return &tool.Error{Kind: tool.KindTimeout, Message: who + ": " + Place(u) + " took too long to answer", Err: err, Retryable: true}
	}
	return &tool.Error{Kind: tool.KindUnavailable, Message: fmt.Sprintf("%s: %s: %v", who, Place(u), err), Err: err, Retryable: true}
}

// WithoutURL returns the cause of a [*url.Error], whose text would repeat the
// whole URL. Any other error it returns as it is.
func WithoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// Place is u without its query and user, and short: fit for an error.
func Place(u *url.URL) string {
	return fmt.Sprintf("%.200s", u.Scheme+"://"+u.Host+u.EscapedPath())
}
