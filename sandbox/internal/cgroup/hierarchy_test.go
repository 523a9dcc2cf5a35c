//go:build linux

package cgroup

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseMounts(t *testing.T) {
	t.Parallel()
	text := `31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
35 31 0:32 /docker/ab /sys/fs/cgroup/memory rw,relatime shared:7 master:1 - cgroup cgroup rw,memory
36 31 0:33 / /my\040groups\134x rw - cgroup cgroup rw,cpu,cpuacct
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate
42 31 0:39 / /cut rw,relatime - cgroup2

no line at all
`
	want := []mount{
		{root: "/docker/ab", point: "/sys/fs/cgroup/memory", version: 1, controllers: []string{"rw", "memory"}},
		{root: "/", point: `/my groups\x`, version: 1, controllers: []string{"rw", "cpu", "cpuacct"}},
		{root: "/", point: "/sys/fs/cgroup/unified", version: 2},
	}
	got := parseMounts(text)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestParseGroups(t *testing.T) {
	t.Parallel()
	got := parseGroups("9:name=systemd:/\n8:pids:/\n4:memory:/process_api/df:64\n2:cpu,cpuacct:/a\nwrong\n0::/user.slice/x.scope")
	want := map[string]string{
		"name=systemd": "/", "pids": "/", "memory": "/process_api/df:64", "cpu": "/a", "cpuacct": "/a", "": "/user.slice/x.scope",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestWhereAGroupIsSeen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ root, group, want string }{
		{"/", "/", "/cg"},
		{"/", "/a/b", "/cg/a/b"},
		{"/a", "/a", "/cg"},
		{"/a", "/a/b", "/cg/b"},
		{"/a", "/ab", ""},
		{"/a", "/", ""},
		{"/a", "/c", ""},
		{"/", "/../c", ""}, // outside of the cgroup namespace
		{"/..", "/", ""},   // mounted outside of it
		{"/..", "/..", "/cg"},
		{"/..", "/../c", "/cg/c"},
		{"/../..", "/../c", ""},
	} {
		got, ok := mount{root: c.root, point: "/cg"}.directory(c.group)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("group %s where %s is mounted: %q, %v; want %q", c.group, c.root, got, ok, c.want)
		}
	}
}

func TestOwnGroup(t *testing.T) {
	t.Parallel()
	m := machine{
		mounts: []mount{{root: "/", point: "/proc", version: 1, controllers: []string{"rw", "memory"}}},
		groups: map[string]string{"memory": "/self", "": "/"},
	}
	for controller, want := range map[string]string{
		"memory": "is not mounted where", // /proc/self is there, and is no group
		"pids":   "cgroup v1 for pids is not in use",
		"":       "cgroup v2 is not mounted",
	} {
		dir, _, err := m.own(controller)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s, %v", controller, dir, err)
		}
	}
}

func FuzzMounts(f *testing.F) {
	f.Add("/a b", "/sys\n/\\fs", "/a b/c")
	f.Add("/", "/sys/fs/cgroup", "/../x")
	f.Add(" - ", "-", "/..")
	f.Fuzz(func(t *testing.T, root, point, group string) {
		parseMounts(group + "\n" + root) // anything, without a panic
		unescape(point)
		root, point = "/"+root, "/"+point
		for _, kind := range []string{"cgroup2 cgroup2 rw", "cgroup cgroup rw,memory"} {
			mounts := parseMounts(fmt.Sprintf("41 31 0:38 %s %s rw shared:1 - %s\n", escape(root), escape(point), kind))
			if len(mounts) != 1 || mounts[0].root != root || mounts[0].point != point {
				t.Fatalf("%q at %q: %+v", root, point, mounts)
			}
			dir, ok := mounts[0].directory(group)
			if below, err := filepath.Rel(point, dir); ok && (err != nil || !filepath.IsLocal(below)) {
				t.Fatalf("group %q where %q is mounted at %q: %q", group, root, point, dir)
			}
		}
	})
}

// escape is what the kernel does, and does here to every other white space too.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '\\' {
			fmt.Fprintf(&b, "\\%03o", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func FuzzGroups(f *testing.F) {
	f.Add("9:name=systemd:/\n8:pids:/\n0::/a:b", "memory", "/x")
	f.Add("\n:::\n", "a,b", "")
	f.Fuzz(func(t *testing.T, before, controllers, group string) {
		if strings.ContainsAny(controllers, ":\n") || strings.ContainsAny(group, "\n") {
			t.Skip()
		}
		groups := parseGroups(before + "\n12:" + controllers + ":" + group + "\n")
		for _, c := range strings.Split(controllers, ",") {
			if groups[c] != group {
				t.Fatalf("%q is in %q, not %q", c, groups[c], group)
			}
		}
		if slices.Contains(slices.Collect(maps.Keys(groups)), "\n") {
			t.Fatal("a line is a name")
		}
	})
}
