package main

// planHelp is the help of perfdiff plan.
const planHelp = `Divides the profiles of a run set among processes that read them where they are: once
for all of them, the largest profiles first, so that none has much more to read than the
others. No profile is read.

Usage:
  perfdiff plan RUNSET --shards N -o FILE

Example:
  perfdiff plan candidate/ --shards 4 -o plan.json
  sbatch --array=0-3 --wrap 'perfdiff summarize candidate/ --shard auto --plan plan.json -o parts/'

Shards count from 0. A plan says how many there are, so that some can be started again
(--array=1,3), and which files each has: a file that changes after it is refused. It
holds names, sizes and times of files, and is for the run set that it was made of.
perfdiff help cluster has more, with Slurm, PBS, MPI, Kubernetes and torchrun.

      --shards N         how many processes are to read
  -o, --output FILE      the plan to write, outside of RUNSET; - is standard output
  -q, --quiet            print warnings and errors only
  -h, --help             print help and exit
`
