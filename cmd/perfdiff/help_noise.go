package main

// noiseHelp is the help of perfdiff noise.
const noiseHelp = `perfdiff noise prints what repeats of one job differ by: for each metric the
standard deviation between runs, the smallest change that one, three and five
runs per side would show, and whether the level changed or drifts over time.

Usage:
  perfdiff noise RUNSETS...

Example:
  perfdiff noise history/

RUNSETS: run sets, saved summaries or directories of summaries. Those that have
another configuration than most (GPU, ranks, world size, step marker) are left out
and named. From 5 runs on noise is learned; with fewer the exit status is 3.

      --policy FILE      for steps, ranks, kernel families and threshold
                         (perfdiff.yaml)
` + loadHelp
