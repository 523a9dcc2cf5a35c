package sandbox

import (
	"io/fs"
	"os"
	"testing"

	"helve/sandbox/internal/wire"
)

// launcherThatSays has a launcher whose status is these frames.
func launcherThatSays(t *testing.T, say func(w *os.File)) *launch {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	said := make(chan struct{})
	go func() { defer close(said); say(w); w.Close() }()
	t.Cleanup(func() { r.Close(); <-said })
	return &launch{status: r}
}

// TestTheClockStopsWithTheProgram has a launcher that hands files out only once the clock of
// the program was stopped: that time is not the program's.
func TestTheClockStopsWithTheProgram(t *testing.T) {
	t.Parallel()
	stopped := make(chan struct{})
	l := launcherThatSays(t, func(w *os.File) {
		_ = wire.WriteJSON(w, wire.KindEnded, wire.Ended{Time: 5})
		<-stopped
		_ = wire.WriteJSON(w, wire.KindFile, wire.File{Name: "a", Size: 3})
		_ = wire.Write(w, wire.KindData, []byte("abc"))
		_ = wire.Write(w, wire.KindDone, nil)
	})
	var r Result
	l.follow(&r, DefaultLimits(), func() { close(stopped) })
	if data, err := fs.ReadFile(r.Files, "a"); err != nil || string(data) != "abc" || len(r.Left) > 0 {
		t.Errorf("%q, %v, %v", data, err, r.Left)
	}
}

// TestFilesThatCameInPart has a launcher that is killed amid a file.
func TestFilesThatCameInPart(t *testing.T) {
	t.Parallel()
	l := launcherThatSays(t, func(w *os.File) {
		_ = wire.WriteJSON(w, wire.KindEnded, wire.Ended{Time: 5})
		_ = wire.WriteJSON(w, wire.KindFile, wire.File{Name: "a", Size: 6})
		_ = wire.Write(w, wire.KindData, []byte("abc"))
	})
	var r Result
	l.follow(&r, DefaultLimits(), func() {})
	if _, err := fs.ReadFile(r.Files, "a"); err == nil || len(r.Left) != 1 {
		t.Errorf("%v, %v", err, r.Left)
	}
}
