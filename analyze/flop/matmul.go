package flop

import (
	"math"
	"slices"
)

// multiply returns the work of count products of m x k and k x n matrices, whose arguments are x and
// y. The result has numbers of the type of x.
func (a *Args) multiply(x, y int, count, m, k, n float64) Work {
	w := Work{FLOPs: float64(2 * count * m * k * n), Type: a.typeOf(x)}
	w.Bytes = float64(product(a.dims(x))*w.Type.Size()) + float64(product(a.dims(y))*a.typeOf(y).Size()) + float64(count*m*n*w.Type.Size())
	if w.Type.Size() == 0 || a.typeOf(y).Size() == 0 {
		w.Bytes = math.NaN()
	}
	return w.believed()
}

// matrices multiplies argument x by the next one: two matrices.
func matrices(x int) func(*Args) Work {
	return func(a *Args) Work {
		p, q := a.dims(x), a.dims(x+1)
		if len(p) != 2 || len(q) != 2 || p[1] != q[0] {
			return unknown
		}
		return a.multiply(x, x+1, 1, p[0], p[1], q[1])
	}
}

// batches multiplies matrices pair by pair, as many of argument x as of the next one.
func batches(x int) func(*Args) Work {
	return func(a *Args) Work {
		p, q := a.dims(x), a.dims(x+1)
		if len(p) != 3 || len(q) != 3 || p[0] != q[0] || p[2] != q[1] {
			return unknown
		}
		return a.multiply(x, x+1, p[0], p[1], p[2], q[2])
	}
}

// linear multiplies an input, whose last size is k, by the transpose of a weight of n x k.
func linear(a *Args) Work {
	in, weight := a.dims(0), a.dims(1)
	if len(in) == 0 || len(weight) != 2 || in[len(in)-1] != weight[1] {
		return unknown
	}
	return a.multiply(0, 1, 1, product(in[:len(in)-1]), weight[1], weight[0])
}

// matmul multiplies as torch.matmul does: the sizes before the last two are those of a batch, where 1 stands for any.
func matmul(a *Args) Work {
	p, q := a.dims(0), a.dims(1)
	if len(p) == 0 || len(q) == 0 {
		return unknown
	}
	rows, columns := 1.0, 1.0
	if len(p) > 1 {
		rows = p[len(p)-2]
	}
	k, of := p[len(p)-1], q[len(q)-1]
	if len(q) > 1 {
		of, columns = q[len(q)-2], q[len(q)-1]
	}
	count, ok := broadcast(p[:max(0, len(p)-2)], q[:max(0, len(q)-2)])
	if !ok || k != of {
		return unknown
	}
	return a.multiply(0, 1, count, rows, k, columns)
}

// broadcast returns the number of elements of two sizes after both are broadcast to one.
func broadcast(p, q []float64) (n float64, ok bool) {
	n = 1
	for i := 1; i <= max(len(p), len(q)); i++ {
		x, y := 1.0, 1.0
		if i <= len(p) {
			x = p[len(p)-i]
		}
		if i <= len(q) {
			y = q[len(q)-i]
		}
		if x != y && x != 1 && y != 1 {
			return 0, false
		}
		n *= math.Max(x, y)
	}
	return n, true
}

// grouped multiplies groups of rows by a matrix each (torch._grouped_mm): of two matrices, or of a matrix and one for
// each group, every row or column counts for one group, so the sizes of groups do not matter.
func grouped(a *Args) Work {
	p, q := a.dims(0), a.dims(1)
	switch {
	case len(p) == 2 && len(q) == 3 && p[1] == q[1]:
		return a.multiply(0, 1, 1, p[0], p[1], q[2])
	case len(p) == 3 && len(q) == 2 && p[2] == q[0]:
		return a.multiply(0, 1, 1, p[1], p[2], q[1])
	case len(p) == 2 && len(q) == 2 && p[1] == q[0]:
		return a.multiply(0, 1, 1, p[0], p[1], q[1])
	}
	return batches(0)(a)
}

// vector multiplies argument x, a matrix, by the next one, a vector.
func vector(x int) func(*Args) Work {
	return func(a *Args) Work {
		p, q := a.dims(x), a.dims(x+1)
		if len(p) != 2 || !slices.Equal(q, p[1:]) {
			return unknown
		}
		return a.multiply(x, x+1, 1, p[0], p[1], 1)
	}
}
