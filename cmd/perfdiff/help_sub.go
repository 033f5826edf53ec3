package main

// helpOf is what perfdiff NAME --help prints.
func helpOf(name string) string { return subHelp[name] }

// loadHelp are the flags that all subcommands that read run sets share.
const loadHelp = `
Reading run sets (as for perfdiff BASELINE CANDIDATE):
      --step-range RE, --step-kernel RE, --skip-first N, --ranks LIST,
      --rank-name RE, --runs WHAT, --jobs N, --max-memory SIZE, --cache DIR,
      --no-cache, --timeout TIME, --strict, --anonymize
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

Comparing summaries gives the same report as comparing the profiles. Summaries of
the nodes of one run, in one directory, are one run, without who waited for whom.
Exit status 3, and nothing is written, where it is not known what the directories of
RUNSET are: say --runs as-nodes or --runs as-repeats.

  -o, --output FILE      the summary to write
      --policy FILE      for steps, ranks and kernel families (perfdiff.yaml)
` + loadHelp,
	"demo": `The demo is a sample pair of run sets, 16 ranks on 2 nodes each: a job before and
after its loader reads with O_DIRECT. No GPU is needed.

Usage:
  perfdiff demo DIR

Example:
  perfdiff demo sample

DIR is a new or empty directory.
`,
	"policy": `perfdiff policy prints the policy in effect as a commented perfdiff.yaml: the
defaults, with what the file says.

Usage:
  perfdiff policy [--policy FILE]

Example:
  perfdiff policy

      --policy FILE      the file to read (perfdiff.yaml, if it is there)
  -h, --help             print help and exit
`,
	"steps": `What may mark the steps of a run set, or of two: ranges, kernels and graph replays
that repeat, the best first, with how often and how evenly, how much of the capture
they cover, and the flag that names them.

Usage:
  perfdiff steps RUNSET [RUNSET]

Example:
  perfdiff steps baseline/ candidate/

What both sides have comes first. Numbers and hashes in names are folded; a name as
it is printed works as an argument. Exit status 3: nothing repeats.
` + loadHelp,
	"check": `perfdiff check compares a run set with itself, with a copy in another order and
its steps with each other: none of these may show a change. Then it puts known
changes into the even steps, compares the odd ones with them, and prints which
would be caught with this data.

Usage:
  perfdiff check RUNSET [--inject SIZE]

Example:
  perfdiff check candidate/ --inject 5%

      --inject SIZE      size of the changes; repeatable (3% and 10%)
      --gate LIST, --policy FILE, --history PATH
                         as for perfdiff BASELINE CANDIDATE
` + loadHelp + `
Exit status: 0 no change was found where there is none, 1 one was, 3 nothing could
be judged.
`,
	"noise": `perfdiff noise prints what repeats of one job differ by: for each metric the
standard deviation between runs, the smallest change that one, three and five
runs a side would show, and whether the level changed or drifts over time.

Usage:
  perfdiff noise RUNSETS...

Example:
  perfdiff noise history/

RUNSETS: run sets, saved summaries or directories of summaries. Those that have
another configuration than most (GPU, ranks, world size, step marker) are left out
and named. From 5 runs on noise is learned; with fewer the exit status is 3.

      --policy FILE      for steps, ranks, kernel families and threshold
                         (perfdiff.yaml)
` + loadHelp,
	"trend": `perfdiff trend shows a metric over past runs with its changes of level.

Usage:
  perfdiff trend DIR... [-o trend.html]

Example:
  perfdiff trend history/ --metric drift

      --metric NAME      the metric to follow (step_time); also drift, tail, imbalance
      --anonymize        numbers for the names of runs, as for perfdiff
  -o, --output FILE      write a page (.html) or text (.txt); else text is printed
  -h, --help             print help and exit

DIR: saved summaries of past runs, or a directory of them (perfdiff summarize).
Those that have another configuration than most are left out and named. From 5
runs on levels are told; with no value to show the exit status is 3.
`,
}
