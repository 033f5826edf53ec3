package ncu

import "strings"

// prefixes are the prefixes of units, which Nsight Compute scales by thousands.
var prefixes = map[byte]float64{'n': 1e-9, 'u': 1e-6, 'm': 1e-3, 'K': 1e3, 'M': 1e6, 'G': 1e9, 'T': 1e12}

// units maps what follows a prefix to how it is written here.
var units = map[string]string{
	"s": "s", "second": "s", "sec": "s", "byte": "B", "B": "B", "hz": "Hz", "Hz": "Hz", "inst": "inst", "cycle": "cycle", "sector": "sector",
	"request": "request", "warp": "warp", "thread": "thread", "block": "block", "register": "register", "flop": "FLOP", "FLOP": "FLOP",
}

// Unit returns the unit in which values of a printed unit are kept, and the factor to it: "us" is s and
// 1e-6, "Gbyte/second" B/s and 1e9, "cycle/nsecond" Hz and 1e9, "%" ratio and 0.01. Steps are of a
// thousand. What is not known is kept as it is, and compared with nothing else.
func Unit(printed string) (unit string, factor float64) {
	printed = strings.TrimSpace(printed)
	if printed == "%" {
		return "ratio", 0.01
	}
	top, below, rate := strings.Cut(printed, "/")
	unit, factor = part(top)
	if unit == "" {
		return printed, 1
	}
	if !rate {
		return unit, factor
	}
	by, each := part(below)
	switch {
	case by == "":
		return printed, 1
	case unit == "cycle" && by == "s":
		return "Hz", factor / each
	}
	return unit + "/" + by, factor / each
}

// part returns one side of a rate; "" if it is not known.
func part(printed string) (unit string, factor float64) {
	if u := units[printed]; u != "" {
		return u, 1
	}
	if len(printed) > 1 {
		if f, u := prefixes[printed[0]], units[printed[1:]]; f != 0 && u != "" {
			return u, f
		}
	}
	return "", 1
}
