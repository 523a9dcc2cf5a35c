package jail

import (
	"errors"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/wire"
)

// shown are the parts of the machine that each sandbox has, where they exist: programs
// and libraries, and what these look for in /etc that holds no secret.
var shown = []string{"/usr", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/localtime"}

// merged are links into /usr on most systems, and folders of their own on others.
var merged = []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// etc is what programs read of users and names.
var etc = map[string]string{
	"passwd":        "sandbox:x:1000:1000::/work:/bin/sh\n",
	"group":         "sandbox:x:1000:\n",
	"hosts":         "127.0.0.1 localhost\n::1 localhost\n",
	"nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}

// tree is a copy of a mount that is not in its place yet.
type tree struct {
	target string
	fd     int
	folder bool
}

// makeRoot makes the root directory and moves into it. It returns what may be read there.
func makeRoot(base wire.Base) (readable []string) {
	must("host name", unix.Sethostname([]byte("sandbox")))
	must("private mounts", unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
	links, trees := copyTrees(base.Mounts)

	must("root tmpfs", unix.Mount("tmpfs", "/tmp", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=1m,nr_inodes=1024"))
	must("root tmpfs", unix.Chdir("/tmp"))
	for _, name := range []string{"etc", "dev", "dev/shm", "proc", "tmp", "work"} {
		must("folders", unix.Mkdir(name, 0o755))
	}
	for name, text := range etc {
		must("etc", os.WriteFile("etc/"+name, []byte(text), 0o644))
	}
	for from, to := range links {
		must("links", unix.Symlink(to, from[1:]))
	}
	for _, t := range trees {
		place(t)
		if !strings.HasPrefix(t.target, "/dev/") {
			readable = append(readable, t.target)
		}
	}
	if base.Proc {
		must("mount proc", unix.Mount("proc", "proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "subset=pid,hidepid=invisible"))
		for name, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"} {
			must("dev", unix.Symlink(to, "dev/"+name))
		}
		readable = append(readable, "/proc")
	}
	must("pivot root", unix.PivotRoot(".", "."))
	must("old root", unix.Unmount(".", unix.MNT_DETACH))
	must("root", unix.Chdir("/"))
	must("read-only root", unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, ""))
	return append(readable, "/etc", "/dev")
}

// copyTrees copies all mounts that will be seen, before the new root covers any.
func copyTrees(mounts []wire.Mount) (links map[string]string, trees []tree) {
	links = map[string]string{}
	for _, p := range merged {
		if to, err := os.Readlink(p); err == nil {
			links[p] = to
		} else {
			trees = appendTree(trees, p, p, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV, false)
		}
	}
	for _, p := range shown {
		trees = appendTree(trees, p, p, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV, false)
	}
	for _, p := range devices {
		trees = appendTree(trees, p, p, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC, false)
	}
	for _, m := range mounts {
		trees = appendTree(trees, m.Source, m.Target, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV, true)
	}
	return links, trees
}

func appendTree(trees []tree, source, target string, attributes uint64, wanted bool) []tree {
	fd, err := unix.Openat2(unix.AT_FDCWD, source, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_MAGICLINKS})
	if !wanted && errors.Is(err, unix.ENOENT) {
		return trees
	}
	if err != nil {
		fail("open", err, source)
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	must("open", unix.Fstat(fd, &info))
	folder := info.Mode&unix.S_IFMT == unix.S_IFDIR
	flags := uint(unix.AT_EMPTY_PATH | unix.OPEN_TREE_CLONE | unix.OPEN_TREE_CLOEXEC)
	if folder {
		flags |= unix.AT_RECURSIVE
	}
	copied, err := unix.OpenTree(fd, "", flags)
	if err != nil {
		fail("copy mount", err, source)
	}
	set := unix.MountAttr{Attr_set: attributes}
	if err := unix.MountSetattr(copied, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &set); err != nil {
		fail("mount attributes", err, source)
	}
	return append(trees, tree{target, copied, folder})
}

// place puts a copy into the new root, which is the working directory.
func place(t tree) {
	at := t.target[1:]
	if err := os.MkdirAll(path.Dir(at), 0o755); err != nil {
		fail("mount point", err, t.target)
	}
	if t.folder {
		if err := os.MkdirAll(at, 0o755); err != nil {
			fail("mount point", err, t.target)
		}
	} else if fd, err := unix.Open(at, unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0o644); err != nil {
		fail("mount point", err, t.target)
	} else {
		unix.Close(fd)
	}
	if err := unix.MoveMount(t.fd, "", unix.AT_FDCWD, at, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		fail("mount", err, t.target)
	}
	unix.Close(t.fd)
}
