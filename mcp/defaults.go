package mcp

import (
	"cmp"
	"time"
)

// What a server gets where its Config says nothing.
const (
	defaultConnect = 30 * time.Second
	defaultList    = 15 * time.Second
	defaultIdle    = 2 * time.Minute
)

func (c Config) withDefaults() Config {
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, defaultConnect)
	c.ListTimeout = cmp.Or(c.ListTimeout, defaultList)
	c.IdleTimeout = cmp.Or(c.IdleTimeout, defaultIdle)
	c.Elicitation = cmp.Or(c.Elicitation, Ask)
	c.Sampling = cmp.Or(c.Sampling, Decline)
	return c
}
