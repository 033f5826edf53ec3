package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// loadLogs loads the runs of both sides that no profiler slowed, where they are given.
func (c *command) loadLogs(ctx context.Context) (logs verdict.Logs, err error) {
	load := c.Load
	load.Step.Range, load.Step.Kernel, load.Ranks, load.Past = nil, nil, nil, nil // which are the profiles'
	for i, name := range []string{"--baseline-logs", "--candidate-logs"} {
		if c.logs[i] == "" {
			continue
		}
		set, err := analyze.Load(ctx, c.logs[i], load)
		if err != nil {
			return logs, fmt.Errorf("%s: %w", name, err)
		}
		of := analyze.MarkersOf([]*analyze.Set{set})
		if slices.ContainsFunc(of, func(m measured.Marker) bool { return m.Kind != measured.MarkLogged }) || len(of) == 0 {
			return logs, fmt.Errorf("%s: %s: holds profiles, and is for runs without the profiler (give the logs of such runs, "+
				"with what each step took; profiles are the baseline and the candidate)", name, filepath.Base(c.logs[i]))
		}
		logs[i] = set
	}
	return logs, nil
}
