package stdio

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// inherited are the variables of this process that a server may see: what programs and
// what runs them (npx, uvx, node, python, docker) need to find their files, and the
// language and certificates. None of them holds a key, which is why npm's and uv's own
// settings are not here: they may name a registry with its password.
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
	"XDG_CACHE_HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
	"DOCKER_CERT_PATH", "DOCKER_CONFIG", "DOCKER_CONTEXT", "DOCKER_TLS_VERIFY",
	"ASDF_DATA_DIR", "NVM_DIR", "PYENV_ROOT", "VOLTA_HOME",
	// Windows
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE",
	"PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "SYSTEMDRIVE", "SYSTEMROOT", "USERNAME", "USERPROFILE", "WINDIR",
}

// addresses are inherited unless they hold a name and a password.
var addresses = []string{"ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "DOCKER_HOST"}

// Environment returns the environment of a server: of this process's variables those
// that a program needs and that hold no key, and extra, which wins.
func Environment(extra map[string]string) []string { return environment(os.Environ(), extra) }

func environment(all []string, extra map[string]string) []string {
	var picked []string
	for _, variable := range all {
		name, value, _ := strings.Cut(variable, "=")
		if _, given := extra[name]; !given && harmless(strings.ToUpper(name), value) {
			picked = append(picked, variable)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		picked = append(picked, name+"="+extra[name])
	}
	return picked
}

// harmless takes the name in upper case, as proxies are often written in lower case,
// and Windows has it in any.
func harmless(name, value string) bool {
	if slices.Contains(addresses, name) {
		return !strings.Contains(value, "@")
	}
	return strings.HasPrefix(name, "LC_") || slices.Contains(inherited, name)
}
