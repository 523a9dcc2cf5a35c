package main

import (
	"helve/catalog"
	"helve/gofunc"
	"helve/httptool"
	"helve/netpolicy"
)

// sources are the kinds of tools that a workspace may hold in files.
func (a *app) sources() []catalog.Source {
	return []catalog.Source{
		gofunc.Source(gofunc.Options{Log: a.logger()}),
		httptool.Source(netpolicy.Policy{AllowPrivate: a.allowPrivate}),
	}
}
