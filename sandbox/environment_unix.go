//go:build linux || darwin

package sandbox

import (
	"maps"
	"slices"
)

// environment is what a program finds, as "name=value".
func environment(more map[string]string) []string {
	env := map[string]string{
		"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/work", "TMPDIR": "/tmp", "LANG": "C.UTF-8",
		"PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1",
	}
	maps.Copy(env, more)
	list := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		list = append(list, name+"="+env[name])
	}
	return list
}

// reducedEnvironment is what one finds that runs in a folder of the machine.
func reducedEnvironment(folder string, more map[string]string) []string {
	env := map[string]string{"HOME": folder, "TMPDIR": folder}
	maps.Copy(env, more)
	return environment(env)
}
