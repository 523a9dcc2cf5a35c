package dialect

import (
	"fmt"
	"strings"
	"testing"
)

// One argument of source code, of 64 KiB and of 1 MiB: the time of a byte must be
// the same.
func BenchmarkParams(b *testing.B) {
	for _, size := range []int{64 << 10, 1 << 20} {
		line := "\tif a < b && len(s) > 0 { return \"<p>\" + s + \"</p>\" } // and so on\n"
		input := "<tool_call>\n<function=write>\n<parameter=content>\n" + strings.Repeat(line, size/len(line)) +
			"\n</parameter>\n</function>\n</tool_call>"
		for _, chunk := range []int{1, 4, 64} {
			b.Run(fmt.Sprintf("%dKiB/chunk%d", size>>10, chunk), func(b *testing.B) {
				b.SetBytes(int64(len(input)))
				for b.Loop() {
					decoder := qwen3Coder.NewDecoder(Options{Tools: paramTools})
					for at := 0; at < len(input); at += chunk {
						decoder.Feed(input[at:min(at+chunk, len(input))])
					}
					if events := decoder.End(); len(events) > 0 {
						b.Fatal(told(events))
					}
				}
			})
		}
	}
}
