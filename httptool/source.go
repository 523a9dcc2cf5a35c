package httptool

import (
	"context"
	"errors"

	"helve/catalog"
	"helve/netpolicy"
)

// Source finds tools in a workspace: one [Config] in each file of tools/native/.
// Of policy only AllowPrivate counts; a workspace whose helve.yaml says
// network.allow_private allows as much.
func Source(policy netpolicy.Policy) catalog.Source { return source{policy} }

type source struct{ policy netpolicy.Policy }

func (source) Kind() string { return "native" }

func (source) Patterns() []string { return []string{"tools/native/*.yaml", "tools/native/*.yml"} }

// File makes source a [catalog.Described].
func (source) File() any { return Config{} }

func (s source) Load(_ context.Context, f *catalog.File) ([]catalog.Found, error) {
	var c Config
	if err := f.Decode(&c); err != nil {
		return nil, err
	}
	policy := s.policy
	if f.Settings != nil && f.Settings.Network.AllowPrivate {
		policy.AllowPrivate = true
	}
	t, err := newAPI(c, policy, f.Environment())
	if err != nil {
		return nil, placed(f, err)
	}
	return []catalog.Found{{Tool: t, Line: f.Line("/name")}}, nil
}

// placed gives each [ConfigError] in err its place in f.
func placed(f *catalog.File, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var all []error
	for _, e := range joined.Unwrap() {
		var wrong *ConfigError
		if errors.As(e, &wrong) {
			e = f.Errorf(wrong.Pointer, "%s", wrong.Error())
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}
