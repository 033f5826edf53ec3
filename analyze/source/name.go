package source

import (
	"regexp"
	"strconv"
)

// Rank numbers as launchers and people write them into file names, surest
// first: nsys' %q{SLURM_PROCID} in "report.3.nsys-rep" and "job_3.sqlite",
// "_rank3_on_host", "rank-3", "worker3", ".03.".
var rankNames = []*regexp.Regexp{
	regexp.MustCompile(`(?i)(?:^|[^a-z])rank[\s._-]{0,2}(\d{1,7})(?:\D|$)`),
	regexp.MustCompile(`(?i)(?:^|[^a-z])(?:worker|proc|procid|task|pe)[._-]?(\d{1,7})(?:\D|$)`),
	regexp.MustCompile(`(?:^|[^\d])[._-](\d{1,5})\.(?:sqlite|nsys-rep|qdrep|pt\.trace\.json|trace\.json|json|db)(?:\.gz)?$`),
	regexp.MustCompile(`^(\d{1,5})\.(?:sqlite|nsys-rep|qdrep|pt\.trace\.json|trace\.json|json|db)(?:\.gz)?$`),
	// A number between dots in the middle, but not the second part of a
	// version ("2024.5") and not a time stamp.
	regexp.MustCompile(`[^\d.]\.(\d{1,5})\.[^\d]`),
}

// RankOfName reads a rank number out of a file's base name, and says so in
// from; -1 and "" when the name holds none.
func RankOfName(name string) (rank int, from string) {
	for _, p := range rankNames {
		if m := p.FindStringSubmatch(name); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				return n, "file name"
			}
		}
	}
	return -1, ""
}
