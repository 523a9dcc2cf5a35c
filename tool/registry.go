package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"helve/internal/excerpt"
	"helve/internal/nearest"
)

// Registry finds tools by name (document 003). The zero Registry is empty and
// ready. It is safe for concurrent use.
type Registry struct {
	mu     sync.RWMutex
	byName map[string]Tool
}

// NewRegistry returns a registry of tools. The error is that of
// [Registry.Register]; the registry is usable all the same.
func NewRegistry(tools ...Tool) (*Registry, error) {
	r := &Registry{}
	return r, r.Register(tools...)
}

// DuplicateError says that a name was taken. The first tool keeps it.
type DuplicateError struct{ Name string }

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("tool %s: the name is taken: the first tool of that name is kept", e.Name)
}

// Register adds tools, and leaves out one that no provider would take (see
// [Definition.Check]). Of two with one name the first stays (document 004,
// 4.1.2); the error joins a [*DuplicateError] for each that was left out.
func (r *Registry) Register(tools ...Tool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byName == nil {
		r.byName = map[string]Tool{}
	}
	var errs []error
	for i, t := range tools {
		if t == nil {
			errs = append(errs, fmt.Errorf("tool %d of %d is nil", i+1, len(tools)))
			continue
		}
		d := t.Definition()
		if err := d.Check(); err != nil {
			errs = append(errs, err)
			continue
		}
		name := d.Name
		if _, taken := r.byName[name]; taken {
			errs = append(errs, &DuplicateError{name})
			continue
		}
		r.byName[name] = t
	}
	return errors.Join(errs...)
}

// Lookup returns the tool of that name.
func (r *Registry) Lookup(name string) (Tool, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	t, ok := r.byName[name]
	return t, ok
}

// Tools returns the tools in the order of their names.
func (r *Registry) Tools() []Tool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	tools := make([]Tool, 0, len(r.byName))
	for _, name := range r.names() {
		tools = append(tools, r.byName[name])
	}
	return tools
}

// names is sorted. The caller holds the lock.
func (r *Registry) names() []string { return slices.Sorted(maps.Keys(r.byName)) }

// Definitions returns what the tools are, in the order of their names, so that
// the same tools always make the same prompt.
func (r *Registry) Definitions() []Definition {
	tools := r.Tools()
	definitions := make([]Definition, len(tools))
	for i, t := range tools {
		definitions[i] = t.Definition()
	}
	return definitions
}

// Execute calls the tool of that name with [Invoke]. The error is an [*Error],
// of [KindNotFound] where there is no such tool.
func (r *Registry) Execute(ctx context.Context, name string, args json.RawMessage) (Result, error) {
	t, ok := r.Lookup(name)
	if !ok {
		return Result{}, r.NotFound(name)
	}
	return Invoke(ctx, t, Call{Name: name, Arguments: args})
}

// NotFound is the error for a name that no tool has (document 001): it holds the
// nearest names, or all of them where they are few and none is near.
func (r *Registry) NotFound(name string) *Error {
	const few = 20
	r.mu.RLock()
	names := r.names()
	r.mu.RUnlock()

	available := nearest.Names(name, names, 5)
	if len(available) == 0 && len(names) <= few {
		available = names
	}
	e := &Error{Kind: KindNotFound, Message: "Tool not found: " + clip(name)}
	if len(available) > 0 {
		e.Detail = map[string]any{"available": available}
	}
	return e
}

// clip keeps a name that a model invented from filling a prompt or a log.
func clip(name string) string { return strings.ToValidUTF8(excerpt.Of(name, 100), "") }
