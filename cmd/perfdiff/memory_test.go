package main

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze"
)

func TestParseMemory(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "8G": 8e9, "500M": 500e6, "64mb": 64e6, "1.5GB": 1.5e9, "2GiB": 2 << 30, " 8 G ": 8e9, "100000000": 100e6, "1T": 1e12,
		"0.5tib": 1 << 39, "100000000B": 100e6, "100000k": 100e6, "100000KiB": 100000 << 10,
	} {
		var c command
		if err := parseMemory(&c, text); err != nil || c.Load.Memory != want {
			t.Errorf("%q: got %d, %v, want %d", text, c.Load.Memory, err, want)
		}
	}
	var c command
	if err := parseMemory(&c, "50%"); err != nil || math.Abs(float64(c.Load.Memory)-float64(analyze.MachineMemory())/2) > 1 {
		t.Errorf("50%%: got %d, %v, want half of %d", c.Load.Memory, err, analyze.MachineMemory())
	}
	for _, text := range []string{"x", "0", "-8G", "1M", "8X", "G", "%", "0%", "NaN", "NaNG", "Inf", "+InfG", "1e300T", "8 G B", "1e", "0x10G\x1b"} {
		var c command
		if err := parseMemory(&c, text); err == nil || c.Load.Memory != 0 || !strings.HasPrefix(err.Error(), "--max-memory "+text+": must be a size") {
			t.Errorf("%q: got %d, %v, want an error", text, c.Load.Memory, err)
		}
	}
}
