//go:build linux

package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// mount is a place where a hierarchy of control groups can be seen.
type mount struct {
	root        string   // the group that is seen at point
	point       string   // a directory
	version     int      // 1 or 2
	controllers []string // of version 1, among other options of the mount
}

// parseMounts reads /proc/self/mountinfo (proc_pid_mountinfo(5)). What is no control group,
// and what can't be read, is left out.
func parseMounts(text string) []mount {
	var mounts []mount
	for line := range strings.Lines(text) {
		// The fields before the dash differ in number; "-" can be no other field.
		before, after, found := strings.Cut(line, " - ")
		place, kind := strings.Fields(before), strings.Fields(after)
		if !found || len(place) < 6 || len(kind) < 3 {
			continue
		}
		m := mount{root: unescape(place[3]), point: unescape(place[4])}
		switch kind[0] {
		case "cgroup2":
			m.version = 2
		case "cgroup":
			m.version, m.controllers = 1, strings.Split(kind[2], ",")
		default:
			continue
		}
		mounts = append(mounts, m)
	}
	return mounts
}

// unescape undoes the octal of mountinfo: \040 is a space.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// parseGroups reads /proc/self/cgroup (cgroups(7)): the group that a process is in, by
// controller. That of version 2 has the key "".
func parseGroups(text string) map[string]string {
	groups := map[string]string{}
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) < 3 {
			continue
		}
		for controller := range strings.SplitSeq(parts[1], ",") {
			groups[controller] = parts[2]
		}
	}
	return groups
}

// directory returns where the group is seen in the mount. Not every group is: a container
// may see a part only.
func (m mount) directory(group string) (string, bool) {
	below, ok := strings.CutPrefix(group, strings.TrimSuffix(m.root, "/"))
	if !ok || below != "" && below[0] != '/' {
		return "", false // "/ab" is not below "/a"
	}
	below = strings.TrimPrefix(below, "/")
	if below != "" && !filepath.IsLocal(below) {
		return "", false // "/../a" is outside of this process's cgroup namespace
	}
	return filepath.Join(m.point, below), true
}

// machine is what this process can see of control groups.
type machine struct {
	mounts []mount
	groups map[string]string
}

func look() (machine, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return machine{}, err
	}
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return machine{}, err
	}
	return machine{parseMounts(string(mounts)), parseGroups(string(groups))}, nil
}

// own returns the directory of the group that this process is in: in the hierarchy of a
// controller of version 1, or in version 2 where controller is "". top is where that
// hierarchy is mounted: what is above it is no group.
func (m machine) own(controller string) (dir, top string, err error) {
	name, version := "cgroup v1 for "+controller, 1
	if controller == "" {
		name, version = "cgroup v2", 2
	}
	group, ok := m.groups[controller]
	if !ok {
		return "", "", fmt.Errorf("%s is not in use here", name)
	}
	err = fmt.Errorf("%s is not mounted where this process's group %s can be seen", name, group)
	for _, mount := range m.mounts {
		if mount.version != version || version == 1 && !slices.Contains(mount.controllers, controller) {
			continue
		}
		dir, ok := mount.directory(group)
		if ok && isGroup(dir) {
			return dir, mount.point, nil
		}
	}
	return "", "", err
}

// isGroup tells a control group from a directory that was mounted over it.
func isGroup(dir string) bool {
	var s unix.Statfs_t
	err := unix.Statfs(dir, &s)
	return err == nil && (s.Type == unix.CGROUP_SUPER_MAGIC || s.Type == unix.CGROUP2_SUPER_MAGIC)
}
