package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// compared are the modules whose versions belong beside the figures.
var compared = []string{
	"github.com/cloudwego/eino",
	"github.com/bytedance/sonic",
	"github.com/modelcontextprotocol/go-sdk",
	"github.com/mark3labs/mcp-go",
	"github.com/firebase/genkit/go",
	"github.com/tmc/langchaingo",
	"github.com/ollama/ollama",
}

// writeMachine writes what one has to know of the place where the figures were
// taken. loads are the load averages before and after.
func writeMachine(w io.Writer, rounds int, each time.Duration, loads [2]string) {
	fmt.Fprintf(w, "%s, %s, %s/%s, %d × %s. Medians of %d rounds, %v each. Load average (1, 5, 15 min) before: %s; after: %s.\n\n",
		time.Now().Format(time.DateOnly), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.GOMAXPROCS(0), processor(), rounds, each, loads[0], loads[1])
	fmt.Fprintf(w, "%s.\n\n", strings.Join(versions(), ", "))
}

func versions() []string {
	var all []string
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		if slices.Contains(compared, m.Path) {
			all = append(all, strings.TrimPrefix(m.Path, "github.com/")+" "+m.Version)
		}
	}
	return all
}

// processor is the name of the processor, where Linux tells it.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}

// load is the machine's load average, where Linux tells it.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return "unknown"
	}
	return strings.Join(fields[:3], " ")
}
