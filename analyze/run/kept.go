package run

import (
	"slices"
	"strings"
)

// Kept is what a store of runs notes in a set that is saved there.
type Kept struct {
	Number int64    // of saving, from 1 on: it only grows
	Saved  int64    // when, UTC ns
	Branch string   `json:",omitempty"` // of main; "" unknown
	Digest string   // of all else in the set, hex
	Events []string `json:",omitempty"` // digests of the events that the store held then, in order
}

// LargestNumber bounds the numbers of saving, so that the next one always has a name.
const LargestNumber = 999_999_999_999

// Trusted returns what is as a store writes it, nil where the number is none: anybody may have made a summary.
func (k *Kept) Trusted() *Kept {
	if k == nil || k.Number < 1 || k.Number > LargestNumber || !isHex(k.Digest) {
		return nil
	}
	out := *k
	out.Saved = max(out.Saved, 0)
	if CheckBranch(out.Branch) != nil {
		out.Branch = ""
	}
	out.Events = slices.DeleteFunc(slices.Clone(k.Events), func(d string) bool { return !isHex(d) })
	return &out
}

// CheckBranch returns what is wrong with the name of a branch.
func CheckBranch(s string) error { return checkText("branch", s) }

func isHex(s string) bool { return s != "" && strings.Trim(s, "0123456789abcdef") == "" }
