package executor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"helve/internal/excerpt"
	"helve/message"
	"helve/tool"
)

const (
	maxMedia   = 20 << 20 // bytes of one image, recording or file: what providers take at most
	maxMessage = 8 << 10  // bytes of an error's message
)

// LimitResult cuts the text of a result to most bytes and says, in the text, how
// much was cut, so that the model can ask for less. An image, recording or file
// of more than 20 MiB is replaced by a line that says so. The artifact stays.
//
// An executor applies it to every result with [Config].MaxResult; use it to bound
// some tools more. No names means every tool.
func LimitResult(most int, tools ...string) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, req Request) (tool.Result, error) {
			result, err := next(ctx, req)
			if err != nil || !concerns(tools, req.Call.Name) {
				return result, err
			}
			return limitResult(result, most), nil
		}
	}
}

// concerns reports whether a middleware that was given these names is meant for
// the tool; no names means every tool.
func concerns(names []string, name string) bool {
	return len(names) == 0 || slices.Contains(names, name)
}

func limitResult(r tool.Result, most int) tool.Result {
	most = max(most, 0)
	if fits(r.Content, most) {
		return r
	}
	content := make([]message.Part, 0, len(r.Content)+1)
	left, shown, all := most, 0, 0
	take := func(s string) string {
		kept := prefix(s, left)
		left = max(0, left-len(s))
		shown += len(kept)
		all += len(s)
		return kept
	}
	for _, p := range r.Content {
		switch part := p.(type) {
		case message.Text:
			kept := take(string(part))
			if kept == "" {
				continue
			}
			p = message.Text(kept)
		case message.Resource:
			part.Text = take(part.Text)
			p = part
		}
		if _, n := partSize(p); n > maxMedia {
			p = message.Text(fmt.Sprintf("[left out: %d bytes of media, and at most %d are passed on]", n, maxMedia))
		}
		content = append(content, p)
	}
	if shown < all {
		content = append(content, message.Text(fmt.Sprintf("\n[cut: the first %d of %d bytes are shown; ask for less]", shown, all)))
	}
	r.Content = content
	return r
}

// prefix returns the first most bytes of s at most, not through a character. It
// is a copy, so that the rest can be freed.
func prefix(s string, most int) string {
	head := excerpt.Head(s, most)
	if len(head) == len(s) {
		return s
	}
	return strings.Clone(head)
}

func fits(parts []message.Part, most int) bool {
	all := 0
	for _, p := range parts {
		text, media := partSize(p)
		if media > maxMedia {
			return false
		}
		all += text
	}
	return all <= most
}

// size is the bytes of a result's content.
func size(parts []message.Part) int {
	all := 0
	for _, p := range parts {
		text, media := partSize(p)
		all += text + media
	}
	return all
}

func partSize(p message.Part) (text, media int) {
	switch p := p.(type) {
	case message.Text:
		return len(p), 0
	case message.Image:
		return 0, len(p.Data)
	case message.Audio:
		return 0, len(p.Data)
	case message.File:
		return 0, len(p.Data)
	case message.Resource:
		return len(p.Text), len(p.Data)
	}
	return 0, 0
}

func limitError(e *tool.Error) *tool.Error {
	if len(e.Message) <= maxMessage {
		return e
	}
	limited := *e
	limited.Message = excerpt.Of(e.Message, maxMessage) + fmt.Sprintf(" [cut: %d bytes in all]", len(e.Message))
	return &limited
}
