package main

// pickHelp is the help of perfdiff pick.
const pickHelp = `The few steps of a run set, out of thousands, that are worth a person's eyes: the
shortest, the median and the longest, that of the late rank, a spike and, of two run
sets, the rank that differs most from the baseline, by the threshold or more. Each with its file, its time range by
the clock of the file, why, and a command that opens or trims it (nsys, Perfetto).

Usage:
  perfdiff pick RUNSET [RUNSET]

Example:
  perfdiff pick baseline/ candidate/

Of two run sets the candidate's are named, and one of the baseline beside them. A saved
summary holds times and the names of its profiles, not where they are. Exit status 3: no
steps were found, or both run sets are the same.

      --format NAME      text or json
      --policy FILE      for steps, ranks and the threshold (perfdiff.yaml)
` + loadHelp
