package dialect

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"helve/message"
)

var benchDialects = []string{"tag", "hermes", "qwen3-coder", "json-raw"}

const benchProse = "The quick brown fox jumps over the lazy dog, and the dog does not mind at all. "

func benchFeed(b *testing.B, d *Dialect, text string, chunk int) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	pieces := make([]string, 0, len(text)/chunk+1)
	for at := 0; at < len(text); at += chunk {
		pieces = append(pieces, text[at:min(at+chunk, len(text))])
	}
	for b.Loop() {
		decoder := d.NewDecoder(Options{Tools: promiseTools})
		n := 0
		for _, p := range pieces {
			n += len(decoder.Feed(p))
		}
		n += len(decoder.End())
		if n == 0 {
			b.Fatal("nothing came out")
		}
	}
}

// BenchmarkPlainText is P4: text without a call.
func BenchmarkPlainText(b *testing.B) {
	html := strings.Repeat("<p>if a &lt; b then <b>go</b> on</p> ", 1<<20/36)
	prose := strings.Repeat(benchProse, 1<<20/len(benchProse))
	for _, name := range benchDialects {
		d, err := Lookup(name)
		if err != nil {
			continue
		}
		for _, chunk := range []int{1, 4, 64, 4096} {
			b.Run(fmt.Sprintf("%s/prose/%d", name, chunk), func(b *testing.B) { benchFeed(b, d, prose, chunk) })
			b.Run(fmt.Sprintf("%s/html/%d", name, chunk), func(b *testing.B) { benchFeed(b, d, html, chunk) })
		}
	}
}

// BenchmarkArguments is P4: one call with a long argument.
func BenchmarkArguments(b *testing.B) {
	for _, name := range benchDialects {
		d, err := Lookup(name)
		if err != nil {
			continue
		}
		for _, size := range []int{1 << 10, 128 << 10, 1 << 20, 16 << 20} {
			value, err := json.Marshal(map[string]string{"path": strings.Repeat(benchProse, size/len(benchProse)+1)[:size]})
			if err != nil {
				b.Fatal(err)
			}
			text := d.Write([]message.ToolCall{promiseCall("read_file", string(value))})
			for _, chunk := range []int{1, 4, 64} {
				if chunk == 1 && size > 1<<20 {
					continue
				}
				b.Run(fmt.Sprintf("%s/%dKiB/%d", name, size>>10, chunk), func(b *testing.B) { benchFeed(b, d, text, chunk) })
			}
		}
	}
}
