package flop

import "math"

// attention computes the work of attention over queries, keys and values: arguments q, q+1 and q+2 of b x h x s x d,
// or b x s x h x d where heads come second to last. causal is the argument that says whether it has a causal mask. ofD
// and ofV are the numbers of matrix products with the queries' size d and with the values'.
type attention struct {
	q, causal  int
	headsLast  bool
	ofD, ofV   float64
	readsAlso  float64 // how many arguments and results as large as the output it has beside these
	gradientsQ float64 // how many times queries, keys and values are written
}

var (
	forwardAttention  = attention{ofD: 1, ofV: 1, readsAlso: 1}
	backwardAttention = attention{q: 1, ofD: 3, ofV: 2, readsAlso: 2, gradientsQ: 1} // the scores are computed again
)

// at returns the work of x, with the mask given by an argument.
func (x attention) at(causal int) func(*Args) Work { x.causal = causal; return x.count }

// rows does what at does for sizes of b x s x h x d.
func (x attention) rows(causal int) func(*Args) Work { x.headsLast = true; return x.at(causal) }

func (x attention) count(a *Args) Work {
	q, k, v := a.dims(x.q), a.dims(x.q+1), a.dims(x.q+2)
	if len(q) != 4 || len(k) != 4 || len(v) != 4 {
		return unknown
	}
	h, s := 1, 2
	if x.headsLast {
		h, s = 2, 1
	}
	if q[0] != k[0] || q[0] != v[0] || k[s] != v[s] || k[h] != v[h] || q[3] != k[3] {
		return unknown
	}
	all := float64(q[0] * q[h] * q[s] * k[s]) // pairs of a query and a key; several heads may share their keys
	w := Work{FLOPs: 2 * all * (float64(x.ofD*q[3]) + float64(x.ofV*v[3])), Type: a.typeOf(x.q)}
	if a.isTrue(x.causal) && q[s] == k[s] {
		w.FLOPs /= 2
	}
	inputs := product(q) + product(k) + product(v)
	output := float64(q[0] * q[h] * q[s] * v[3])
	w.Bytes = float64((float64(inputs*(1+x.gradientsQ)) + float64(output*x.readsAlso)) * w.Type.Size())
	if w.Type.Size() == 0 {
		w.Bytes = math.NaN()
	}
	return w.believed()
}
