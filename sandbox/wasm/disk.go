package wasm

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tetratelabs/wazero"
)

// mostOnDisk is how many compiled modules are kept; those that were used last.
const mostOnDisk = 64

// sealName is the file of an entry that holds the SHA-256 of the rest.
const sealName = "sum"

// disk is a folder of compiled modules. Each has a folder of its own, named by the digest
// of the module, in which wazero keeps what it compiled.
type disk struct{ dir string }

// openDisk makes a folder for compiled modules, or sees to it that it is nobody else's.
func openDisk(dir string) (*disk, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("wasm: the cache: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("wasm: the cache: %w", err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("wasm: the cache: %w", err)
	}
	if err := private(real); err != nil {
		return nil, fmt.Errorf("wasm: the cache can't be in %s: %w", dir, err)
	}
	return &disk{real}, nil
}

// private says whether a folder is this user's alone, and stays so.
func private(dir string) error {
	if !hasOwners {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if ours, _ := owner(info); !ours {
		return errors.New("it belongs to another user, who could put code there that helve then runs")
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("it has the mode %04o, and what is in it is code that helve runs: chmod 700 it, once nothing strange is in it", info.Mode().Perm())
	}
	for at := dir; at != filepath.Dir(at); {
		at = filepath.Dir(at)
		info, err := os.Stat(at)
		if err != nil {
			return err
		}
		if ours, roots := owner(info); !ours && !roots {
			return fmt.Errorf("the folder %s belongs to another user, who could put another cache there", at)
		}
		if info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0 {
			return fmt.Errorf("others can write to the folder %s, and put another cache there", at)
		}
	}
	return nil
}

// open returns wazero's cache for one module, and what to call once it is compiled. An
// entry whose sum is not right is removed first. The cache is nil where the disk does not do
// what it should: a module can be run all the same.
func (d *disk) open(digest string, log *slog.Logger) (wazero.CompilationCache, func()) {
	entry := filepath.Join(d.dir, digest)
	seal := filepath.Join(entry, sealName)
	sealed := false
	if sum, err := os.ReadFile(seal); err == nil {
		actual, err := sumOf(entry)
		sealed = err == nil && actual == string(sum)
	}
	if sealed {
		now := time.Now()
		_ = os.Chtimes(seal, now, now) // it is what prune goes by
	} else if err := os.RemoveAll(entry); err != nil {
		log.Warn("wasm: a compiled module can't be removed", "entry", entry, "error", err)
		return nil, func() {}
	}
	cache, err := wazero.NewCompilationCacheWithDir(entry)
	if err != nil {
		log.Warn("wasm: compiled modules can't be kept", "entry", entry, "error", err)
		return nil, func() {}
	}
	return cache, func() {
		if sealed {
			return
		}
		if err := writeSeal(entry, seal); err != nil {
			log.Warn("wasm: a compiled module can't be kept", "entry", entry, "error", err)
		}
		d.prune()
	}
}

func writeSeal(entry, seal string) error {
	sum, err := sumOf(entry)
	if err != nil {
		return err
	}
	temporary := fmt.Sprintf("%s.%d", seal, os.Getpid())
	if err := os.WriteFile(temporary, []byte(sum), 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, seal)
}

// sumOf is one number for all files of an entry, of which there is one in a folder. Only
// regular files can be there.
func sumOf(entry string) (string, error) {
	h := sha256.New()
	files := 0
	err := filepath.WalkDir(entry, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Dir(name) == entry {
			return err
		}
		if !e.Type().IsRegular() {
			return fmt.Errorf("%s is no regular file", name)
		}
		within, err := filepath.Rel(entry, name)
		if err != nil {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		one := sha256.New()
		if _, err := io.Copy(one, f); err != nil {
			return err
		}
		fmt.Fprintf(h, "%q %x\n", within, one.Sum(nil))
		files++
		return nil
	})
	if err == nil && files == 0 {
		err = errors.New("nothing was kept")
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// prune removes the entries that were used least recently.
func (d *disk) prune() {
	entries, err := os.ReadDir(d.dir)
	if err != nil || len(entries) <= mostOnDisk {
		return
	}
	used := map[string]time.Time{}
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(d.dir, e.Name(), sealName)); err == nil {
			used[e.Name()] = info.ModTime()
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return used[a.Name()].Compare(used[b.Name()]) })
	for _, e := range entries[:len(entries)-mostOnDisk] {
		if len(e.Name()) == hex.EncodedLen(sha256.Size) { // nothing that is not ours
			_ = os.RemoveAll(filepath.Join(d.dir, e.Name()))
		}
	}
}
