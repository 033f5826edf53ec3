package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"perfdiff/analyze"
)

// originFlags defines the flags that say where a run comes from: label, commit, link.
func originFlags(f *pflag.FlagSet) *analyze.Origin {
	o := &analyze.Origin{}
	f.StringVar(&o.Label, "label", "", "")
	f.StringVar(&o.Commit, "commit", "", "")
	f.StringVar(&o.Link, "link", "", "")
	return o
}

// checkOrigin checks the values of these flags.
func checkOrigin(o *analyze.Origin) error {
	if err := o.Check(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}

// setOrigin sets the origin of all runs of a set. What o leaves empty stays as a summary says
// it.
func setOrigin(set *analyze.Set, o analyze.Origin) {
	for i := range set.Runs {
		have := &set.Runs[i].Origin
		for _, x := range []struct {
			to   *string
			said string
		}{{&have.Label, o.Label}, {&have.Commit, o.Commit}, {&have.Link, o.Link}} {
			if x.said != "" {
				*x.to = x.said
			}
		}
	}
}
