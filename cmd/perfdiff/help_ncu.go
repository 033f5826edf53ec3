package main

// ncuHelp is the help of perfdiff ncu.
const ncuHelp = `Two recordings of Nsight Compute, kernel by kernel: what became of the time of each, and
which stall or other factor the change coincides with most; throughputs, occupancy,
registers, stall reasons and rooflines of both sides.

Usage:
  perfdiff ncu BASELINE CANDIDATE [-o FILE]

Each side is what ncu --csv printed, or a directory of such files (.csv, .txt, .log), or
reports (.ncu-rep), which the ncu on PATH prints. Both pages are read; raw has more:
  ncu --csv --page raw --set full --launch-count 20 -k regex:NAME PROGRAM > base.csv

Kernels are matched by canonical name, grid and block, and their launches by their order.
Each file is a recording, and its launches are what it holds. A verdict needs five launches
on each side, one device, and the same settings of clocks, caches and replay; a table does
not hold these, so that the lines which ncu prints above it should stay in the file.

A kernel is replayed with flushed caches, at a clock of its own: its time is not that of
the job, and is never compared with one of a timeline.

Exit status 0: no kernel regressed, 1: one did, 2: wrong usage or nothing could be read,
3: nothing was judged, one is slower and not yet beyond chance, or a part of a side could not be read.

  -o, --output FILE      .html .json .md .txt; - is standard output, with --format
      --format NAME      text, markdown, json or html
      --threshold PCT    smallest change of a time that matters (2%)
      --policy FILE      threshold, alpha and floor (perfdiff.yaml)
      --names BASE,CAND  what the sides are called
      --timeout DURATION for each report that ncu prints (30m)
      --exit-zero        exit status 0 whatever was found
  -q, --quiet            print warnings and what did not pass, nothing else
  -h, --help             print help and exit
`
