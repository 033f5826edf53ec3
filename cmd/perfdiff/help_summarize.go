package main

// summarizeHelp is the help of perfdiff summarize.
const summarizeHelp = `perfdiff summarize saves what was measured of a run set, without its profiles:
a small file that can stand wherever a run set can, and in a history.

Usage:
  perfdiff summarize RUNSET -o FILE.perfdiff

Example:
  perfdiff summarize baseline/ -o main.perfdiff
  perfdiff main.perfdiff candidate/ -o report.html
  perfdiff summarize baseline/ -o main.perfdiff --commit 0123456789ab --label nightly

Comparing summaries gives the same report as comparing the profiles. Summaries of
the nodes of one run, in one directory, are one run, without who waited for whom.
Exit status 3, and nothing is written, where it is not known what the directories of
RUNSET are: say --runs as-nodes or --runs as-repeats.

  -o, --output FILE      the summary to write
      --label TEXT       what the run is called: reports say it, and perfdiff gate
                         --anchor finds it
      --commit SHA       commit of the code that ran, in hexadecimal digits
      --link URL         page of the build or the change
      --policy FILE      for steps, ranks and kernel families (perfdiff.yaml)
` + loadHelp
