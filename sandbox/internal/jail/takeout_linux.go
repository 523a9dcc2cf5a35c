package jail

import (
	"io"
	"os"

	"helve/sandbox/internal/takeout"
	"helve/sandbox/internal/wire"
)

// takeOut hands out the regular files that the program made or changed. Nothing of the
// program runs any more.
func takeOut(inputs map[string]takeout.Stamp, run wire.Run) {
	work, err := os.OpenRoot("/work")
	must("take out", err)
	t := takeout.Taker{Given: inputs, Files: run.TakeFiles, Bytes: run.TakeBytes, Take: handOut}
	left, err := t.From(work)
	must("take out", err)
	for _, l := range left {
		_ = wire.Write(status, wire.KindLeft, []byte(l))
	}
}

// handOut sends one file.
func handOut(name string, exec bool, size int64, content io.Reader) error {
	if err := wire.WriteJSON(status, wire.KindFile, wire.File{Name: name, Exec: exec, Size: size}); err != nil {
		return err
	}
	for size > 0 {
		n, err := io.ReadFull(content, chunk[:min(size, wire.Chunk)])
		if err != nil {
			return err
		}
		if err := wire.Write(status, wire.KindData, chunk[:n]); err != nil {
			return err
		}
		size -= int64(n)
	}
	return nil
}
