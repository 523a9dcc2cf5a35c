package main

import (
	"helve/catalog"
	"helve/httptool"
	"helve/netpolicy"
	"helve/tool"
)

// sources are the kinds of tools that a workspace may hold in files.
func (a *app) sources() []catalog.Source {
	return []catalog.Source{
		httptool.Source(netpolicy.Policy{AllowPrivate: a.allowPrivate}),
	}
}

// dataTools are those of builtin/dataanalysis, where helve.yaml wants them.
func (a *app) dataTools(s *catalog.Settings) ([]tool.Tool, error) {
	return nil, nil
}
