package script

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	sizeForm = regexp.MustCompile(`^([0-9]{1,15}) *([A-Za-z]*)$`)

	// units are those of helve's flags too: powers of 1024, in capitals or not.
	units = map[string]int64{"": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30, "gib": 1 << 30}
)

// parseSize reads a number of bytes as people write it, 256MiB.
func parseSize(text string) (int64, error) {
	m := sizeForm.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q is no size: write a whole number and its unit, such as 64KiB or 256MiB", text)
	}
	unit, ok := units[strings.ToLower(m[2])]
	if !ok {
		return 0, fmt.Errorf("%q is no unit: there are KiB, MiB and GiB, of 1024 each", m[2])
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("%q is too much", text)
	}
	return n * unit, nil
}

// sizeText writes a number of bytes as tool.yaml has it.
func sizeText(n int64) string {
	for _, u := range []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= u.size && n%u.size == 0 {
			return strconv.FormatInt(n/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
