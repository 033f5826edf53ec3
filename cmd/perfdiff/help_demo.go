package main

// demoHelp is the help of perfdiff demo.
const demoHelp = `The demo is a sample pair of run sets, 16 ranks on 2 nodes each: a job before and
after its loader reads with O_DIRECT. No GPU is needed.

Usage:
  perfdiff demo DIR

Example:
  perfdiff demo sample

DIR is a new or empty directory.
`
