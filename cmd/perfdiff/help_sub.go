package main

// helpOf is what perfdiff NAME --help prints.
func helpOf(name string) string { return subHelp[name] }

// loadHelp are the flags that all subcommands that read run sets share.
const loadHelp = `
Reading run sets (as for perfdiff BASELINE CANDIDATE):
      --step-range RE, --step-kernel RE, --skip-first N, --ranks LIST, --jobs N,
      --max-memory SIZE, --cache DIR, --no-cache, --timeout TIME, --strict
  -q, --quiet            no progress, warnings and errors only
  -h, --help             print help and exit
`

var subHelp = map[string]string{
	"summarize": `perfdiff summarize saves what was measured of a run set, without its profiles:
a small file that can stand wherever a run set can, and in a history.

Usage:
  perfdiff summarize RUNSET -o FILE.perfdiff

Example:
  perfdiff summarize baseline/ -o main.perfdiff
  perfdiff main.perfdiff candidate/ -o report.html

Comparing summaries gives the same report as comparing the profiles.

  -o, --output FILE      the summary to write
` + loadHelp,
}
