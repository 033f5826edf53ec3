package main

import (
	"fmt"
	"strconv"
	"strings"

	"perfdiff/analyze"
)

// minMemory is how many bytes the program needs for itself and a small file.
const minMemory = 64e6

// sizeUnits are the units of sizes. A unit comes before the shorter ones in which it ends.
var sizeUnits = []struct {
	suffix string
	bytes  float64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12},
	{"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {"b", 1}, {"", 1},
}

// parseMemory reads a size, as in 8G, 500M or 2GiB, or a share of the
// machine's memory, as in 50%.
func parseMemory(c *command, text string) error {
	if text == "" {
		return nil
	}
	number, unit := strings.ToLower(strings.TrimSpace(text)), 0.0
	if share, ok := strings.CutSuffix(number, "%"); ok {
		number, unit = share, float64(analyze.MachineMemory())/100
	} else {
		for _, u := range sizeUnits {
			if strings.HasSuffix(number, u.suffix) {
				number, unit = strings.TrimSuffix(number, u.suffix), u.bytes
				break
			}
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if bytes := v * unit; err == nil && bytes >= minMemory && bytes < 1<<62 {
		c.Load.Memory = int64(bytes)
		keepWithin(c.Load.Memory)
		return nil
	}
	return fmt.Errorf("--max-memory %s: must be a size of at least 64M or a share of the machine's memory, as in 8G or 50%%", text)
}
