package main

// summarizeHelp is the help of perfdiff summarize.
const summarizeHelp = `perfdiff summarize saves what was measured of a run set, without its profiles:
a small file that can stand wherever a run set can, and in a history.

Usage:
  perfdiff summarize RUNSET -o FILE.perfdiff
  perfdiff summarize RUNSET --shard WHICH [--plan FILE] -o PARTS

Example:
  perfdiff summarize baseline/ -o main.perfdiff
  perfdiff main.perfdiff candidate/ -o report.html
  perfdiff summarize baseline/ -o main.perfdiff --commit 0123456789ab --label nightly
  perfdiff summarize candidate/ --shard 0/2 -o parts/

Comparing summaries gives the same report as comparing the profiles. Summaries of
the nodes of one run, in one directory, are one run, without who waited for whom.
Exit status 3, and nothing is written, where it is not known what the directories of
RUNSET are: say --runs as-nodes or --runs as-repeats.

With --shard it measures a share of RUNSET, as one of many processes on many nodes, and
writes a part into the directory PARTS under a name of its own; perfdiff merge makes
one run set of all parts. See perfdiff help cluster. Exit status of a shard: 65 a
profile is corrupt and left out, as the part says; 75 a profile cannot be read now, no
part was written: start the shard again; 2 this machine cannot read it (no nsys, no
permission), no part was written.

  -o, --output FILE      the summary to write
      --shard WHICH      the share: I/N, which is shard I of 0 to N-1; auto, as the
                         launcher says; local, all that this machine sees
      --plan FILE        what perfdiff plan wrote: which profiles each shard has
      --label TEXT       what the run is called: reports say it, and perfdiff gate
                         --anchor finds it
      --commit SHA       commit of the code that ran, in hexadecimal digits
      --link URL         page of the build or the change
      --policy FILE      for steps, ranks and kernel families (perfdiff.yaml)
` + loadHelp
