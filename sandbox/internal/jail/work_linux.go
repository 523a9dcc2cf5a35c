package jail

import (
	"fmt"
	"os"
	"path"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/takeout"
	"helve/sandbox/internal/wire"
)

const mostInodes = 16 << 10 // of /work, and of /tmp

// makeWork makes what the run has of its own, with its files. It returns how the files
// were, so that it can be told which of them changed.
func makeWork(run wire.Run) (inputs map[string]takeout.Stamp) {
	const flags = unix.MS_NOSUID | unix.MS_NODEV
	must("tmp", unix.Mount("tmpfs", "/tmp", "tmpfs", flags, fmt.Sprintf("mode=1777,size=%d,nr_inodes=%d", run.Temp, mostInodes)))
	must("dev/shm", unix.Mount("tmpfs", "/dev/shm", "tmpfs", flags|unix.MS_NOEXEC, "mode=1777,size=16m,nr_inodes=256"))
	must("work", unix.Mount("tmpfs", "/work", "tmpfs", flags, fmt.Sprintf("mode=0755,size=%d,nr_inodes=%d", run.Work, mostInodes)))
	must("work", unix.Chdir("/work"))
	inputs = make(map[string]takeout.Stamp, len(run.Files))
	for _, f := range run.Files {
		if err := receive(f); err != nil {
			fail("files", err, f.Name)
		}
		info, err := os.Lstat(f.Name)
		if err != nil {
			fail("files", err, f.Name)
		}
		inputs[f.Name] = takeout.StampOf(info)
	}
	return inputs
}

// chunk is for all bytes of files: a launcher collects no garbage.
var chunk [wire.Chunk]byte

func receive(f wire.File) error {
	if err := makeFolders(path.Dir(f.Name)); err != nil {
		return err
	}
	mode := uint32(0o644)
	if f.Exec {
		mode = 0o755
	}
	fd, err := unix.Open(f.Name, unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, mode)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	for left := f.Size; left > 0; {
		kind, data, err := wire.ReadInto(config, chunk[:])
		if err != nil || kind != wire.KindData || int64(len(data)) > left {
			return fmt.Errorf("its bytes did not come: %v", err)
		}
		if _, err := pipe(fd).Write(data); err != nil {
			return err
		}
		left -= int64(len(data))
	}
	longAgo := unix.NsecToTimespec(takeout.LongAgo.UnixNano())
	return unix.UtimesNanoAt(unix.AT_FDCWD, f.Name, []unix.Timespec{longAgo, longAgo}, unix.AT_SYMLINK_NOFOLLOW)
}

// makeFolders does what os.MkdirAll does, below the working directory.
func makeFolders(dir string) error {
	if dir == "." {
		return nil
	}
	if err := makeFolders(path.Dir(dir)); err != nil {
		return err
	}
	if err := unix.Mkdir(dir, 0o755); err != nil && err != unix.EEXIST {
		return err
	}
	return nil
}
