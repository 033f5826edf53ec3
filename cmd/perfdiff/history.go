package main

import (
	"path/filepath"
	"strings"

	"perfdiff/analyze"
	"perfdiff/diff"
)

// emptyHistoryWarning warns of a history that was given and is empty, as it is until the first
// run is saved. Otherwise there is no warning.
func (c *command) emptyHistoryWarning(history []*analyze.Set) []diff.Warning {
	if len(c.history) == 0 || len(history) > 0 {
		return nil
	}
	var names []string
	for _, path := range c.history {
		names = append(names, filepath.Base(path))
	}
	if c.anonymize {
		names = []string{"the history"}
	}
	w := diff.Warning{Count: 1}
	w.Text = "no past runs yet in " + strings.Join(names, ", ") + ": the noise between runs is assumed (save each run of main there: perfdiff summarize RUNSET -o FILE.perfdiff)"
	return []diff.Warning{w}
}
