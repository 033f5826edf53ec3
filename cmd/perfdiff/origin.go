package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"perfdiff/analyze"
)

// originFlags are the flags that say where a run comes from.
func originFlags(f *pflag.FlagSet) *analyze.Origin {
	o := &analyze.Origin{}
	f.StringVar(&o.Label, "label", "", "")
	f.StringVar(&o.Commit, "commit", "", "")
	f.StringVar(&o.Link, "link", "", "")
	return o
}

// checkOrigin checks what they were given.
func checkOrigin(o *analyze.Origin) error {
	if err := o.Check(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}

// setOrigin says it of all runs of a set; what is not said leaves what a summary says of
// itself.
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
