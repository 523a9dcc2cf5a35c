package stdio

import (
	"slices"
	"testing"
)

func TestEnvironment(t *testing.T) {
	t.Parallel()
	all := []string{
		"PATH=/bin", "HOME=/root", "LC_ALL=C", "XDG_CACHE_HOME=/c", "Path=C:\\", "=C:=C:\\",
		"OPENAI_API_KEY=sk-1", "AWS_SECRET_ACCESS_KEY=x", "NPM_CONFIG__AUTH=x", "UV_INDEX_URL=https://a:b@c", "DATABASE_URL=x", "LD_PRELOAD=x", "NODE_OPTIONS=x",
		"https_proxy=http://proxy:3128", "HTTP_PROXY=http://me:secret@proxy:3128", "DOCKER_HOST=tcp://me:secret@host", "NO_PROXY=localhost",
	}
	got := environment(all, map[string]string{"TOKEN": "t", "HOME": "/elsewhere", "A": ""})
	want := []string{
		"PATH=/bin", "LC_ALL=C", "XDG_CACHE_HOME=/c", "Path=C:\\", "https_proxy=http://proxy:3128", "NO_PROXY=localhost",
		"A=", "HOME=/elsewhere", "TOKEN=t",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
