package main

// trendHelp is the help of perfdiff trend.
const trendHelp = `perfdiff trend shows a metric over past runs with its changes of level.

Usage:
  perfdiff trend DIR... [-o trend.html]

Example:
  perfdiff trend history/ --metric drift

      --metric NAME      the metric to follow (step_time); also drift, tail, imbalance
      --gate             exit 1 where the newest level is worse by 2 % or more than the
                         one before it, or than that of the anchor
      --anchor TAG|N     with --gate: runs of this label or commit, or so many runs
                         ago (20, or the first run); 0: none
      --anonymize        numbers for the names of runs, as for perfdiff
  -o, --output FILE      write a page (.html) or text (.txt); else text is printed
  -h, --help             print help and exit

On the page each dot leads to its run, which links to where it comes from (--link of
perfdiff summarize and gate); with --gate it shows the anchor.

DIR: saved summaries of past runs, or a directory of them (perfdiff summarize).
Those that have another configuration than most are left out and named. From 5
runs on levels are told; with no value to show the exit status is 3, as it is with
--gate where no levels are told.
`
