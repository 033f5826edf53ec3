package main

// recordHelp is the help of perfdiff record.
const recordHelp = `perfdiff record prints how a job is recorded: the code that marks its steps and
begins and ends the capture, the script that every rank runs, and the command that
starts them. Nothing is run.

Usage:
  perfdiff record [flags] [-- PROGRAM ARGUMENTS]

Examples:
  perfdiff record
  perfdiff record --launcher torchrun --nodes 1 --nsys-version 2024.5
  perfdiff record --profiler pytorch --launcher slurm --steps 101-150
  perfdiff record --only script -- python train.py --batch 32

PROGRAM is python train.py where none is given.

  --profiler NAME        nsys, or pytorch, which is the PyTorch profiler (nsys)
  --launcher NAME        slurm, torchrun, openmpi, mpich, pbs (with PALS) or
                         kubernetes (slurm)
  --nsys-version V       the nsys that will record, as nsys --version prints it: only
                         options that it has are written (that of the nsys on PATH,
                         if the name of its directory says it, else 2026.2)
  --steps A-B            first and last step that are recorded, counted from 0; those
                         before warm up (11-60)
  --ranks LIST           ranks that are recorded, as in 0-7,9; others run without the
                         profiler (all)
  --nodes N              nodes of the job (2)
  --ranks-per-node N     ranks on each of them (8)
  -o, --output DIR       where profiles are written (baseline)
  --only PART            one part alone, fit for a file: code, script or start
  --list                 launchers, and options of nsys with the version that has them
  -h, --help             print help and exit
`
