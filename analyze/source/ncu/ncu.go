// Package ncu reads what Nsight Compute prints of kernels with --csv: the pages "raw", a column
// for each metric, and "details", a row for each; and reports (.ncu-rep) through the ncu of this
// machine. Such a kernel was replayed alone, with its caches flushed and its clock set, so that its
// times are not those of the job, and this package shares no type with the readers of timelines.
package ncu

import (
	"slices"
	"sort"
	"time"
)

// Options say how a side is read.
type Options struct {
	Timeout time.Duration // for each report that ncu prints; 0: 30 minutes
}

// Set is one side: all launches that were recorded, file by file in the order of their names.
type Set struct {
	Label    string // base name of the path
	Files    []File
	Keys     []Key // of values, by the number that Value.Key is
	Launches []Launch
	Warnings []Warning
	// Incomplete is that a part could not be read: a file, a row, or what ncu failed to record.
	Incomplete bool
	// Unclear is that a file has numbers such as 1,234, and none that tells whether its comma
	// stands before decimals.
	Unclear bool

	ids    map[Key]int32
	values int // of all launches
}

// File is one file of a side.
type File struct {
	Name     string            `report:"name"`     // relative to the side, with slashes
	Page     string            `report:"page"`     // "raw", "details"; "" if it could not be read
	Launches int               `report:"launches"` // kernels in it
	Err      string            `report:"error"`    // why it could not be read; "": it was
	Facts    map[string]string `report:"facts"`    // of how it was recorded, by the names below; absent is not recorded

	digest string
}

// Warning says something about one file, or about a whole side if File is "".
type Warning struct{ File, Text string }

// The facts of a recording.
const (
	FactDevice  = "GPU"                // name
	FactCC      = "compute capability" // "9.0"
	FactVersion = "version of Nsight Compute"
	FactClock   = "clock control" // "none", "base", ...
	FactCache   = "cache control" // "all", "none"
	FactReplay  = "replay mode"   // "kernel", "application", "range"
	FactPasses  = "passes"        // how often a kernel was run, of the most
)

// Facts returns the names of all facts, in the order in which they are shown.
func Facts() []string {
	return []string{FactDevice, FactCC, FactClock, FactCache, FactReplay, FactVersion, FactPasses}
}

// Key identifies a metric. A metric of one name can be in several sections, with other units.
type Key struct {
	Section string // of the page "details"; "" of a metric by its own name, as the page "raw" has it
	Name    string
	Unit    string // see Unit
}

// Value is one metric of one launch, in its key's unit.
type Value struct {
	Key    int32
	Number float64
}

// Launch is a kernel that was recorded once.
type Launch struct {
	File        int    // index in Set.Files
	Kernel      string // canonical name
	Grid, Block string // as printed: "(128, 1, 1)"; "" not recorded
	Device, CC  string // "" not recorded
	Values      []Value
}

// Value returns the value of a launch; ok is false if it was not recorded.
func (s *Set) Value(l *Launch, key Key) (v float64, ok bool) {
	id, known := s.ids[key]
	if !known {
		return 0, false
	}
	i := sort.Search(len(l.Values), func(i int) bool { return l.Values[i].Key >= id })
	if i == len(l.Values) || l.Values[i].Key != id {
		return 0, false
	}
	return l.Values[i].Number, true
}

// Fact returns the values of a fact in the side's files, each once and joined; "" if it is not recorded.
func (s *Set) Fact(name string) string {
	var all []string
	for i := range s.Files {
		if v := s.Files[i].Facts[name]; v != "" {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return joined(slices.Compact(all))
}

// SharedWith returns the name of a file of s with the same content as a file of the other set, "" if there is none.
func (s *Set) SharedWith(other *Set) string {
	for i := range s.Files {
		for j := range other.Files {
			if s.Files[i].digest != "" && s.Files[i].digest == other.Files[j].digest {
				return s.Files[i].Name
			}
		}
	}
	return ""
}

// key returns the number of a key.
func (s *Set) key(k Key) int32 {
	id, known := s.ids[k]
	if !known {
		id = int32(len(s.Keys))
		s.ids[k], s.Keys = id, append(s.Keys, k)
	}
	return id
}
