package main

// mergeHelp is the help of perfdiff merge.
const mergeHelp = `Puts a run set together of the parts that its shards left (perfdiff summarize --shard):
the summary that one machine would have saved which saw all profiles, to the byte.

Usage:
  perfdiff merge PARTS... -o FILE.perfdiff

Example:
  perfdiff summarize candidate/ --shard 0/2 -o parts/
  perfdiff summarize candidate/ --shard 1/2 -o parts/
  perfdiff merge parts/ -o run.perfdiff
  perfdiff baseline/ run.perfdiff -o report.html

PARTS are directories of parts, or parts. What counts is the parts: no exit status
of a job says that all are there. Parts that are missing, damaged, of two plans or two
perfdiffs are refused by name, with the command that makes them again. What a part that
was being written left behind (.tmp.*) is no part.

Exit status: 0 merged, 3 parts or ranks are missing or damaged (measure their shards
again), 65 parts do not belong together, 75 a part cannot be read now, 2 wrong usage.

  -o, --output FILE      the summary to write
      --allow-missing    merge what is there: profiles without a part are files that
                         could not be read, in every output
      --ranks LIST       ranks to keep, as in 0-7,9
      --rank-name RE     where names of files hold the rank: a group called rank
      --runs WHAT        what the directories of the run set are: as-nodes, as-repeats
      --max-memory SIZE  memory that merging may take, as in 8G or 50%
      --strict           a profile that could not be read is an error
      --anonymize        numbers for the names of hosts, runs, directories and files
      --label TEXT       what the run is called: reports say it
      --commit SHA       commit of the code that ran, in hexadecimal digits
      --link URL         page of the build or the change
      --policy FILE      for ranks (perfdiff.yaml)
  -q, --quiet            no progress, warnings and errors only
  -h, --help             print help and exit
`
