package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"perfdiff/analyze"
	"perfdiff/analyze/store"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
	"perfdiff/render"
)

// indexJob is what the index of a store says of one of its jobs.
type indexJob struct {
	Job     string        `json:"job"`
	Metrics []indexMetric `json:"metrics"`
}

type indexMetric struct {
	Metric  string        `json:"metric"`
	Unit    string        `json:"unit"`
	Gating  bool          `json:"gating"`
	Levels  []indexLevel  `json:"levels"`
	Changes []indexChange `json:"changes"`
}

type indexLevel struct {
	From  string  `json:"from"` // runs
	To    string  `json:"to"`
	Value float64 `json:"value"` // in the metric's unit
}

type indexChange struct {
	After    string  `json:"after,omitempty"` // the last run that was as before
	Until    string  `json:"until"`           // the last that it may have come with
	Commits  int     `json:"commits,omitempty"`
	Size     float64 `json:"size"`
	Relative bool    `json:"relative"` // Size is a share of the level before, else in the metric's unit
	Gradual  bool    `json:"gradual,omitempty"`
	Worse    bool    `json:"worse,omitempty"`
	Accepted string  `json:"accepted,omitempty"` // by whom
}

// levelsOf returns the levels and changes of each job of a store, for its index. They are those of the default policy,
// with decisions that have expired, so that whoever writes the index, and whenever, writes the same.
func levelsOf(kept *store.Contents, sets []*analyze.Set) (json.RawMessage, error) {
	counted, _ := store.Counted(kept.Events, kept.Entries, "", true)
	of := map[string]string{}
	for i := range kept.Entries {
		of[kept.Entries[i].Name] = kept.Entries[i].Job
	}
	out := []indexJob{}
	for _, in := range jobsIn(kept, sets, counted) {
		in.Now = time.Time{}
		j := diff.JobOf("", in, policy.DefaultPolicy())
		out = append(out, indexJob{of[in.Sets[0].Label], indexMetrics(j)})
	}
	return json.Marshal(out)
}

func indexMetrics(j *history.Job) (out []indexMetric) {
	for i := range j.Metrics {
		m := &j.Metrics[i]
		x := indexMetric{Metric: m.Metric.Name, Unit: m.Metric.Unit, Gating: m.Gating, Levels: []indexLevel{}, Changes: []indexChange{}}
		for _, l := range m.Levels {
			x.Levels = append(x.Levels, indexLevel{j.Runs[l.From].Name, j.Runs[l.To-1].Name, l.Value})
		}
		for k := range m.Changes {
			c := &m.Changes[k]
			y := indexChange{Until: j.Runs[c.Last].Name, Commits: c.Commits, Size: c.Size, Relative: m.Relative, Gradual: c.Gradual, Worse: c.Worse}
			if before, _ := c.Between(); before >= 0 {
				y.After = j.Runs[before].Name
			}
			if c.Accepted != nil {
				y.Accepted = c.Accepted.By
			}
			x.Changes = append(x.Changes, y)
		}
		out = append(out, x)
	}
	return out
}

// indexReading is how a store is read whose index is written: with all sets, of which the levels are made.
func indexReading(opt analyze.Options) store.Reading {
	how := analyze.StoreReading(policyfile.Now(), opt)
	how.Drop = false
	return how
}

// writeIndex writes the index of a store with its levels.
func writeIndex(kept *store.Contents, how store.Reading) (changed bool, err error) {
	return kept.WriteIndex(how, func(c *store.Contents) (json.RawMessage, error) { return levelsOf(c, c.Sets()) })
}

// verifyStore checks every file of a store, says what is wrong and what to do, and writes the index anew.
func verifyStore(dir string, stdout, stderr io.Writer) int {
	how := indexReading(analyze.Options{}) // whatever memory there is
	kept, err := store.Read(dir, how)
	switch {
	case err != nil:
		return printError(stderr, fmt.Errorf("store: %w", err), "")
	case len(kept.Entries)+len(kept.Events)+len(kept.Litter) == 0:
		return printError(stderr, fmt.Errorf("%s: is no store: nothing is in it that perfdiff gate --save keeps", filepath.Base(dir)), "")
	}
	found, text := kept.Verify(), ""
	for _, f := range found {
		text += render.Line(f.String()) + "\n"
	}
	status, damaged := statusOK, len(found)-len(kept.Warnings)-len(kept.Litter)-len(kept.Others)
	if damaged > 0 {
		status = statusRegressed
	}
	index := "the index was right"
	if changed, err := writeIndex(kept, how); err != nil {
		return printError(stderr, fmt.Errorf("store: %w", err), "")
	} else if changed {
		index = "the index was made again"
	}
	text += fmt.Sprintf("%s, %s; %s; %s\n", countText(len(kept.Entries), "run"), countText(len(kept.Events), "decision"),
		countText(damaged, "file")+" damaged", index)
	if printed := printText(stdout, stderr, text); printed != statusOK {
		return printed
	}
	return status
}
