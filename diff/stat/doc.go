// Package stat is the arithmetic of a verdict: order statistics, the warm-up
// rule, one scalar per run, the moderated t-test over runs, and what its
// interval allows to say. It knows values and runs, neither metrics nor
// profiles.
//
// The run is the unit. The steps of a run are correlated, and all its ranks
// show the same step, so that they only make the run's scalar steadier; they
// never count as observations of their own.
//
// Nothing is random. Sums run in the order of the arguments, so that callers
// that keep runs in a fixed order get the same bits from the same values.
//
// # What is gonum's
//
// Compared with own code over 20,000 random arguments, on amd64 and arm64, before that code
// went. From gonum.org/v1/gonum:
//
//   - stat/distuv: tails and quantiles of Student's t, tails of Fisher's F, quantiles of the
//     normal distribution. On amd64 no bit differed, on arm64 no quantile, and 2 to 3 % of
//     the tails by up to 5.5e-12 of their size: there gonum multiplies and adds at once, as
//     it does in the incomplete beta function below them, so that tails were never equal to
//     the bit on both (7e-13 seen). No output prints a tail with so many digits.
//   - stat.Quantile, for the lower median, which is a value of the list: equal on both.
//   - mathext: digamma and zeta, which stat does not have.
//
// Not from gonum, since the same profiles would give other bytes:
//
//   - stat.Mean. On amd64 it adds in four lanes, so that 63 % of means differed (by up to
//     1.7e-12), and with weights it is fused on arm64 (51 % differed there). Weights of one
//     give equal bits, but make a slice of ones for each mean. NaN is not left out.
//   - stat.Variance and LinearRegression: they correct and center otherwise; 13 % and 46 %
//     differed on amd64, by up to 5.6e-16 and 3.7e-12.
//   - stat.Quantile for all others: it knows conventions 1 and 4 of Hyndman and Fan alone, by
//     which the median of 1, 2, 3 and 4 is 2; ours is 7, as in R and NumPy.
//   - stat.SortWeighted: it is not stable, and tied p-values must keep their order.
//
// gonum has no Theil-Sen line, no Holm, no false discoveries and no moderated t.
//
// # Why so
//
// What was chosen, against what, and who found it before:
//
//   - The run, not the step or the rank. Repeats differ by where a job lands: the same
//     kernels on devices of one type differ by 8 % on average (Sinha et al., SC22,
//     arXiv:2208.11035). Kalibera and Jones (ISMM 2013) repeat at the highest level that
//     varies. A test over steps sees nothing of it: in a study with 1 % between runs, one
//     run a side of 100 steps, the Mann-Whitney test that benchstat uses flagged 69 % of
//     unchanged pairs by medians of steps and 89 % by steps of eight ranks, a block
//     bootstrap 55 %, all at a nominal 5 %; with more steps it was more.
//   - A variance from elsewhere for few runs: a declared floor or past runs, moderated as
//     Smyth (2004) moderates those of genes. Rules of past changes do without a test:
//     rustc-perf takes what is beyond the quartiles of its history. Two runs alone cannot
//     tell; an exact test of ranks needs four a side to reach 5 %.
//   - That variance counts for the less the more runs say themselves what they differ by
//     (priorDF), since it is a guess: a test of it, which this replaces, kept a floor of
//     1.5 % beside 21 runs that differ by 0.3, and failed 6.5 % of unchanged pairs of three
//     runs a side that differ by 4 %. How large it is is chosen, not measured: what is
//     published of devices (above) is that they differ by 8 %, and nothing of what runs on
//     one of them do. Package verdict has the sizes, 1.5 % in one place and 3 % elsewhere.
//   - Hosts, where each side has its own, as a third component beside runs and steps (a
//     mixed model with its variance assumed; Effect.Plus): three runs a side, each side on
//     one host, hosts 3 % apart, failed in 25 % of unchanged pairs.
//   - Six batches with a t quantile, not a bootstrap: where nothing differs between runs
//     and steps follow each other (AR .6), they missed 7.3, 5.1 and 5.5 % at 50, 100 and
//     200 steps, a moving-block bootstrap 16.6, 13.0 and 10.4 %, and it is not the same
//     twice.
//   - A threshold beside the interval, and equality by two one-sided tests (Schuirmann
//     1987): what is sure is not always large. A threshold in place of the test was wrong
//     in 23 % of unchanged pairs at 1 % between runs.
//   - Steps paired by number: on a ramp from 100 to 220 ms the interval of one run a side
//     falls from ±19.1 to ±3.9 %, and +5 % is found in 70 % of pairs in place of none.
//   - Holm (1979) with weights for what gates, and false discoveries (Benjamini and
//     Hochberg 1995) for kernels, which explain and never gate: uncorrected, 117 of 300
//     kernels changed where none did.
//   - One run a side first, and three where it looks slower: Chromium's bisection asks for
//     more where it cannot tell, and Firecracker's gate found pooled samples of one machine
//     to be the source of its false alarms.
//
// These figures are of a study on simulated runs from before this package, of 2,000 pairs
// a cell (standard error 0.5 points at 5 %). What it led to is simulated anew by the tests
// of package diff, whose generators are the study's.
//
// # What is simulated
//
// A step is the slowest rank's compute, communication, spikes that all ranks share, and a
// checkpoint every 25 steps. Compute differs from run to run (tau), by rank and placement,
// and follows itself from step to step. "typical" has AR .6 of 2 %, "harsh" AR .9 of 3 %
// with heavy tails and two modes 4 % apart, "ramp" grows from 100 to 220 ms. These sizes
// are assumptions: real runs, which are few, are in golden/real.txt.
//
// # Rates
//
// From golden/rates.txt (make rates); a test holds these lines to it.
// The default gate with all metrics: how often it fails in per cent without a change (by
// parts of the step alone), and with +2, +3, +5 and +10 %; the same with the step time
// alone; how often intervals of 95 % hold the truth, and those that are printed; how often
// something is listed as better or worse without a change, and improved at the least change:
//
//	runs 1% 1v1 history 0        0.0 (0.0)   1.7   6.3  42.0 100.0    0.0   2.3   8.0  50.7 100.0  100.0 100.0    0.0   0.0
//	runs 1% 3v3 history 0        0.0 (0.0)  33.0  72.0  99.3 100.0    0.7  38.0  76.0  99.7 100.0   98.3  99.7    0.0   0.0
//	runs 1% 1v1 history 10       2.3 (0.3)  30.3  59.0  91.7 100.0    2.7  32.0  62.7  92.7 100.0   94.7  96.3    1.7   0.0
//	runs 1.3% 1v1 history 0      0.0 (0.0)   4.0  10.3  45.3  98.7    0.3   5.3  13.3  52.7  99.3   99.3  99.7    0.0   0.0
//	runs 2% 1v1 history 0        4.3 (0.0)        23.7  45.3  92.3    5.0        26.7  49.7  95.0   90.3  91.3    1.0   0.3
//	runs 2% 3v3 history 0        1.7 (0.0)        30.7  68.7 100.0    2.3        36.3  75.0 100.0   95.3  97.0    0.3   0.0
//
// Kernels, 300 of which 15 are slower: the share of false ones among those named, how many
// of the slower are found, and false ones a comparison:
//
//	1v1 +10 %    3.4   38.7   0.37
//	3v3 +10 %    4.4   98.5   0.73
//
// What it cannot do: a candidate that is noisier than the floor or the history says. One
// twice as noisy, by noise learned from past runs, from their spread alone, and declared,
// at 0 and +5 %; and jobs on two kinds of nodes (fails, improves at 0; fails at +5 %; with
// the step time alone; intervals):
//
//	candidate twice as noisy                   1v1   learned   9.7   73.7   spread   9.0   73.3   floor   1.3   52.0
//	candidate twice as noisy                   3v3   learned   3.0   96.3   spread   2.7   96.3   floor   1.7   89.0
//	two node pools 8 % apart, 30 % of runs       1v1 history 0    20.3  20.0  45.3   20.3  48.0   59.0  59.7
//	two node pools 8 % apart, 30 % of runs       3v3 history 0     2.0   1.7  30.3    2.7  33.3   94.7  96.3
package stat
