package main

import (
	"os"
	"path/filepath"

	"helve/builtin/dataanalysis"
	"helve/catalog"
	"helve/tool"
)

// dataTools are those of builtin/dataanalysis, where helve.yaml wants them. The output
// folder is made; the data's must be there.
func (a *app) dataTools(s *catalog.Settings) ([]tool.Tool, error) {
	want := s.Builtin.DataAnalysis
	if want == nil {
		return nil, nil
	}
	var config dataanalysis.Config
	var err error
	if config.Data, err = a.workspaceRoot(want.Data); err != nil {
		return nil, &catalog.SettingError{Pointer: "/builtin/data_analysis/data", Err: err}
	}
	if want.Output != "" {
		if config.Output, err = a.outputRoot(want.Output); err != nil {
			return nil, &catalog.SettingError{Pointer: "/builtin/data_analysis/output", Err: err}
		}
	}
	return dataanalysis.Tools(config)
}

func (a *app) outputRoot(path string) (*os.Root, error) {
	dir, _, err := a.folders()
	if err != nil {
		return nil, err
	}
	workspace, err := a.root(dir)
	if err != nil {
		return nil, err
	}
	if err := workspace.MkdirAll(filepath.FromSlash(path), 0o755); err != nil {
		return nil, err
	}
	return a.rootIn(workspace, path)
}
