package words

import (
	"fmt"

	"perfdiff/analyze/run"
	"perfdiff/diff"
)

// RunName names a run: as the store or its directory is called, with its commit.
func RunName(name, commit string) string {
	if commit == "" {
		return name
	}
	return name + " (" + run.Origin{Commit: commit}.Short() + ")"
}

// RunNames names the runs of a side.
func RunNames(s *diff.Side) (out []string) {
	for i, name := range s.Runs {
		commit := ""
		if i < len(s.Commits) {
			commit = s.Commits[i]
		}
		out = append(out, RunName(name, commit))
	}
	return out
}

// From says in a few words where the runs of a side come from: "commit 0123456 (v1.2)",
// "commits 0123456 to 89abcde (7 in all)"; "" where nobody said.
func From(s *diff.Side) string {
	all := s.Origins
	switch {
	case len(all) == 0:
		return ""
	case len(all) == 1:
		return Origin(all[0])
	}
	first, last := all[0], all[len(all)-1]
	if first.Commit == "" || last.Commit == "" {
		return fmt.Sprintf("%s to %s (%d in all)", Origin(first), Origin(last), len(all))
	}
	return fmt.Sprintf("commits %s to %s (%d in all)", first.Short(), last.Short(), len(all))
}

// Origin says where one run comes from: "commit 0123456 (v1.2)", "v1.2", or its link if nothing else is known; "" if
// nothing is.
func Origin(o run.Origin) string {
	switch {
	case o.Commit != "" && o.Label != "":
		return "commit " + o.Short() + " (" + o.Label + ")"
	case o.Commit != "":
		return "commit " + o.Short()
	case o.Label != "":
		return o.Label
	}
	return o.Link
}
