package main

// policyHelp is the help of perfdiff policy.
const policyHelp = `perfdiff policy prints the policy in effect as a commented perfdiff.yaml: the
defaults, with what the file says.

Usage:
  perfdiff policy [--policy FILE]

Example:
  perfdiff policy

      --policy FILE      the file to read (perfdiff.yaml, if it is there)
  -h, --help             print help and exit
`
