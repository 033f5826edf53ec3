package main

// stepsHelp is the help of perfdiff steps.
const stepsHelp = `What may mark the steps of a run set, or of two: ranges, kernels and graph replays
that repeat, the best first, with how often and how evenly, how much of the capture
they cover, and the flag that names them.

Usage:
  perfdiff steps RUNSET [RUNSET]

Example:
  perfdiff steps baseline/ candidate/

What both sides have comes first. Numbers and hashes in names are folded; a name as
it is printed works as an argument. Exit status 3: nothing repeats.
` + loadHelp
