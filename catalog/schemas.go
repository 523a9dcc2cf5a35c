package catalog

import "helve/internal/yamlfile"

// Schemas returns the JSON Schema of each kind of file of a workspace, by the name of
// the kind: helve, agent, tool_set, and those of the sources that are [Described].
// Editors complete and check files by them.
func Schemas(sources ...Source) (map[string][]byte, error) {
	kinds := map[string]any{"helve": Settings{}, "agent": AgentFile{}, "tool_set": SetFile{}}
	for _, s := range sources {
		if d, ok := s.(Described); ok {
			kinds[s.Kind()] = d.File()
		}
	}
	schemas := map[string][]byte{}
	for name, file := range kinds {
		var err error
		if schemas[name], err = yamlfile.Schema("helve: "+name, file); err != nil {
			return nil, err
		}
	}
	return schemas, nil
}
