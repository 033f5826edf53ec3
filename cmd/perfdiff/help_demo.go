package main

// demoHelp is the help of perfdiff demo.
const demoHelp = `The demo is a sample pair of run sets, 16 ranks on 2 nodes each: a job before and
after its loader reads with O_DIRECT. No GPU is needed. Other stories show what
else is found: a slow kernel, a straggler, ranks that are missing.

Usage:
  perfdiff demo [--story NAME] [--format FORMAT] DIR
  perfdiff demo --list

Examples:
  perfdiff demo sample
  perfdiff demo --story slow-kernel --format pytorch traces
  perfdiff demo --story step-log --format log logs

DIR is a new or empty directory.

  --story NAME       what the two runs do (o-direct)
  --format FORMAT    nsight, exports of Nsight Systems, pytorch, traces of the
                     PyTorch profiler, or log, what a trainer would have logged of
                     the steps of each run (nsight)
  --list             print the stories, and what each is about
  -h, --help         print help and exit
`
