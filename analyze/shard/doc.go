// Package shard divides the files of a run set among processes that run where the files are:
// which of them this process is, and which files are its.
//
// Choose finds the number of this process, as the user says it or out of what launchers set.
// MakePlan divides files by size, once for all processes; without a plan Stride does, by order.
// Shards count from 0, as the ranks of Slurm, MPI and Kubernetes do: one number in the name of a
// part, in messages, and in what is started anew.
package shard
