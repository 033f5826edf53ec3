package main

// gateHelp is the help of perfdiff gate.
const gateHelp = `perfdiff gate compares a candidate with the runs of main that a store keeps, and
says by its exit status whether it may be merged: the whole gate in one command.

Usage:
  perfdiff gate --store DIR CANDIDATE

Example:
  perfdiff gate --store perf baseline/ --save --first pass
  perfdiff gate --store perf candidate/ --escalate --markdown comment.md -o report.html
  perfdiff gate --store perf PROFILES --record ./profile.sh --escalate

The baseline is the newest runs (at most 8) of the level on which the newest one stands:
a change of level among its runs is found as perfdiff trend finds it. Runs of another
job (GPU, ranks, step marker) and files that cannot be read are left out and named.

The anchor is a second comparison, against creep: with the level on which the store
stood 20 runs ago, or its first runs while it is younger. The two share one error
rate: of alpha the level has four fifths, the anchor the rest. What fails against the
anchor fails. A step up that was accepted passes by a waiver in the policy, or once
the anchor stands behind it: --anchor TAG.

Recording:
      --record COMMAND   records the candidate: COMMAND CANDIDATE/run1, without a
                         shell, must write one profile per rank into that directory.
                         With --escalate two more are recorded where one looks
                         slower, and three decide. CANDIDATE must not be there yet

Store:
      --store DIR        the runs of main, saved by --save; summaries that perfdiff
                         summarize made may lie there too
      --anchor TAG|N     runs of this label or commit, or so many runs ago (20);
                         0: no anchor
      --first pass|fail  what happens while the store holds no run: exit 0, or 3
                         (fail). A store whose runs cannot be used never passes,
                         nor one that holds the candidate alone
      --save             keep the candidate in the store, whatever was found: for
                         main. Files appear whole and under names of their own, so
                         that several jobs may save at once
      --keep N           runs of this job that stay in the store, the newest (100;
                         0: all); the runs of an anchor's TAG stay
      --label TEXT, --commit SHA, --link URL
                         what the candidate is: reports say it, and the store keeps it
      --markdown FILE    the comment for a pull request

All flags of perfdiff BASELINE CANDIDATE but --history, such as --policy, --gate,
--fail-on, --allow, --escalate, --threshold and -o, mean here what they mean there.
` + loadHelp + `
Exit status: 0 nothing regressed, 1 a gating metric regressed against the level or
the anchor, 2 wrong usage, or input or store that cannot be read, 3 nothing could be
judged: no run in the store yet, none like the candidate, or too little was measured,
4 more runs are asked for.
`
