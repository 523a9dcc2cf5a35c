// Hash_text is a tool that runs as a WebAssembly module. Build it in this folder:
//
//	GOOS=wasip1 GOARCH=wasm go build -ldflags='-s -w' -o hash_text.wasm .
package main

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
)

func main() {
	var in struct{ Text, Algorithm string }
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	sums := map[string]hash.Hash{"sha256": sha256.New(), "sha1": sha1.New(), "md5": md5.New(), "crc32": crc32.NewIEEE()}
	h, ok := sums[in.Algorithm]
	if !ok {
		fmt.Fprintf(os.Stderr, "there is no algorithm %q\n", in.Algorithm)
		os.Exit(2)
	}
	_, _ = io.WriteString(h, in.Text) // a hash takes everything
	fmt.Printf("%x\n", h.Sum(nil))
}
