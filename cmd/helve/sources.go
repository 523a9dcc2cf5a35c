package main

import (
	"helve/catalog"
	"helve/httptool"
	"helve/netpolicy"
)

// sources are the kinds of tools that a workspace may hold in files.
func (a *app) sources() []catalog.Source {
	return []catalog.Source{
		httptool.Source(netpolicy.Policy{AllowPrivate: a.allowPrivate}),
	}
}
