package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Shift is the change of one of many kernels.
type Shift struct {
	Estimate float64 // log ratio, without the shift that most kernels share
	SE       float64
	DF       float64
	Q        float64 // adjusted p-value: the share of false claims when all of at most this are taken
}

// Shifts returns the changes of kernels, given the logs of their time in each run, base[kernel][run] and
// cand[kernel][run], and in within[kernel] the variance of a run's value from within the run. common is the shift that
// most share, such as a clock's: it is subtracted and returned.
//
// With two runs a side or more the noise is the spread between runs of each kernel, moderated by that of all (Smyth
// 2004). With fewer the kernels are each other's noise: the scale is their spread, or a kernel's own noise within the
// run where that is larger, and the t-distribution has 10 degrees of freedom. The rates of both were simulated.
func Shifts(base, cand [][]float64, within []float64) (shifts []Shift, common float64) {
	shifts = make([]Shift, len(base))
	estimates := make([]float64, len(base))
	for i := range base {
		estimates[i] = Mean(cand[i]) - Mean(base[i])
	}
	common = Median(estimates)
	if len(base) < minCommon || !shared(estimates, common) {
		common = 0 // of a handful no shift can be told from a change
	}
	for i := range estimates {
		shifts[i].Estimate = estimates[i] - common
	}
	if len(base) > 0 && len(base[0]) >= 2 && len(cand[0]) >= 2 {
		moderate(shifts, base, cand)
	} else {
		emptyNull(shifts, within)
	}
	adjust(shifts)
	return shifts, common
}

// Changes does what Shifts does for things that share no clock and are not each other's noise, such as ranges that
// hold one another: nothing is subtracted, and with one run a side the noise of each is its own, within.
func Changes(base, cand [][]float64, within []float64) []Shift {
	shifts := make([]Shift, len(base))
	for i := range base {
		shifts[i].Estimate = Mean(cand[i]) - Mean(base[i])
	}
	if len(base) > 0 && len(base[0]) >= 2 && len(cand[0]) >= 2 {
		moderate(shifts, base, cand)
	} else {
		ownNoise(shifts, within, 0)
	}
	adjust(shifts)
	return shifts
}

// adjust gives shifts their adjusted p-values.
func adjust(shifts []Shift) {
	p := make([]float64, len(shifts))
	for i, s := range shifts {
		p[i] = Effect{Estimate: s.Estimate, SE: s.SE, DF: s.DF}.P()
	}
	for i, q := range FalseDiscoveries(p) {
		shifts[i].Q = q
	}
}

// Strict adjusts shifts so that false claims keep their share however the kernels depend on each other (Benjamini and
// Yekutieli 2001). With one run a side it found 2 % of simulated changes of +10 %, so it is only for those who ask for
// it.
func Strict(shifts []Shift) {
	sum := 0.0
	for i := range shifts {
		sum += 1 / float64(i+1)
	}
	for i := range shifts {
		shifts[i].Q = math.Min(1, shifts[i].Q*sum)
	}
}

// shared reports whether at least half of the changes are near the common one: where
// half of the kernels became slower and half did not, the middle is no kernel's change.
func shared(changes []float64, common float64) bool {
	near := 0
	for _, v := range changes {
		if math.Abs(v-common) <= commonNear {
			near++
		}
	}
	return 2*near >= len(changes)
}

// What shows that kernels have a common shift, and their noise: half of them must lie within commonNear of it.
// Simulated with 300 kernels (TestKernelRates, golden/rates.txt).
const (
	commonNear  = 0.03
	minCommon   = 5     // kernels from which on a common shift is looked for
	kernelFloor = 0.005 // of a kernel's noise within a run, as a fraction
	kernelDF    = 10
)

// moderate gives shifts the standard errors of a moderated t over runs. A
// common shift differs from run to run as well, so that it is taken from each
// run before their spread is.
func moderate(shifts []Shift, base, cand [][]float64) {
	na, nb := len(base[0]), len(cand[0])
	d := float64(na + nb - 2)
	variances := make([]float64, len(shifts))
	shiftA, shiftB := runShifts(base), runShifts(cand)
	for i := range shifts {
		variances[i] = (spreadOf(base[i], shiftA) + spreadOf(cand[i], shiftB)) / d
	}
	d0, s0 := fitPrior(variances, d)
	for i := range shifts {
		v, df := s0, math.Inf(1)
		if !math.IsInf(d0, 1) {
			v, df = (float64(d0*s0)+float64(d*variances[i]))/(d0+d), d0+d
		}
		shifts[i].SE = math.Sqrt(math.Max(v, kernelFloor*kernelFloor/4) * (1/float64(na) + 1/float64(nb)))
		shifts[i].DF = math.Min(df, 1e6)
	}
}

// runShifts returns by how much all kernels of each run differ from their means.
func runShifts(rows [][]float64) []float64 {
	out := make([]float64, len(rows[0]))
	if len(rows) < minCommon {
		return out
	}
	for r := range out {
		d := make([]float64, len(rows))
		for i := range rows {
			d[i] = rows[i][r] - Mean(rows[i])
		}
		out[r] = Median(d)
	}
	return out
}

func spreadOf(x, shift []float64) float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = x[i] - shift[i]
	}
	return squares(y, Mean(y))
}

// fitPrior returns the scaled F-distribution that variances with d degrees of
// freedom come from: d0 and s0² of Smyth (2004), section 6.2.
func fitPrior(variances []float64, d float64) (d0, s0 float64) {
	var e []float64
	for _, v := range variances {
		if v > 0 {
			e = append(e, math.Log(v)-mathext.Digamma(d/2)+math.Log(d/2))
		}
	}
	if len(e) < 3 {
		return 0, Mean(variances)
	}
	mean := Mean(e)
	excess := squares(e, mean)/float64(len(e)-1) - trigamma(d/2)
	if excess <= 0 {
		return math.Inf(1), math.Exp(mean)
	}
	half := trigammaInverse(excess)
	return 2 * half, math.Exp(mean + mathext.Digamma(half) - math.Log(half))
}

// trigamma returns the second derivative of the log of the gamma function.
func trigamma(x float64) float64 { return mathext.Zeta(2, x) }

// trigammaInverse solves trigamma(x) = y > 0 by bisection of its logarithm: the
// function falls.
func trigammaInverse(y float64) float64 {
	lo, hi := math.Log(1e-8), math.Log(1e8)
	for range 200 {
		mid := (lo + hi) / 2
		if trigamma(math.Exp(mid)) > y {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Exp((lo + hi) / 2)
}

// emptyNull gives shifts the kernels' own spread as standard error.
func emptyNull(shifts []Shift, within []float64) {
	away := make([]float64, len(shifts))
	for i, s := range shifts {
		away[i] = math.Abs(s.Estimate)
	}
	scale := 0.0
	if len(shifts) >= minCommon {
		scale = 1.4826 * Median(away)
	}
	ownNoise(shifts, within, scale)
}

// ownNoise gives shifts their own noise as standard error, but at least the noise of all.
func ownNoise(shifts []Shift, within []float64, scale float64) {
	for i := range shifts {
		own := math.Sqrt(2 * math.Max(within[i], kernelFloor*kernelFloor))
		shifts[i].SE, shifts[i].DF = math.Max(scale, own), kernelDF
	}
}
