package main

// loadHelp are the flags that all subcommands that read run sets share.
const loadHelp = `
Reading run sets (as for perfdiff BASELINE CANDIDATE):
      --step-range RE, --step-kernel RE, --step-column COL, --skip-first N,
      --ranks LIST, --rank-name RE, --runs WHAT, --jobs N, --max-memory SIZE, --cache DIR,
      --no-cache, --timeout TIME, --strict, --anonymize
  -q, --quiet            no progress, warnings and errors only
  -h, --help             print help and exit
`
