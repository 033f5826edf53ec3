package trace

// Density holds how much memory rows take by when they start, in equal bins; there are few bins, however long the
// capture is.
type Density struct {
	from, bin int64 // ns
	bytes     []int64
	sums      []int64 // of the bins before each; nil: not added up since a row came
}

// mostBins is the number of bins that are kept.
const mostBins = 1 << 14

// Add counts a row that starts at a time and takes so many bytes. Starts may come in any order.
func (d *Density) Add(at, bytes int64) {
	if d.bytes == nil {
		d.from, d.bin, d.bytes = at, 1<<10, make([]int64, mostBins)
	}
	d.sums = nil
	for at < d.from || (at-d.from)/d.bin >= mostBins {
		d.widen(at < d.from)
	}
	d.bytes[(at-d.from)/d.bin] += bytes
}

// widen doubles the bins and so what they cover, downwards or upwards.
func (d *Density) widen(down bool) {
	for i := range mostBins / 2 {
		d.bytes[i] = d.bytes[2*i] + d.bytes[2*i+1]
	}
	clear(d.bytes[mostBins/2:])
	if down {
		copy(d.bytes[mostBins/2:], d.bytes[:mostBins/2])
		clear(d.bytes[:mostBins/2])
		d.from -= d.bin * mostBins
	}
	d.bin *= 2
}

// Before returns about how many bytes the rows take that start before a time.
func (d *Density) Before(at int64) int64 {
	if d.sums == nil {
		d.sums = make([]int64, len(d.bytes)+1)
		for i, n := range d.bytes {
			d.sums[i+1] = d.sums[i] + n
		}
	}
	switch i := d.binOf(at); {
	case at <= d.from || len(d.bytes) == 0:
		return 0
	case i >= int64(len(d.bytes)):
		return d.sums[len(d.bytes)]
	default:
		inside := at - d.from - i*d.bin
		return d.sums[i] + int64(float64(d.bytes[i])*float64(inside)/float64(d.bin))
	}
}

// binOf returns the bin of a time, one that there is not where no row starts then.
func (d *Density) binOf(at int64) int64 {
	if at > maxStart {
		return mostBins
	}
	return (max(at, -maxStart) - d.from) / max(d.bin, 1)
}

// maxStart bounds the times of rows.
const maxStart = 1 << 61

// Edges returns the times between bins, in order.
func (d *Density) Edges() (edges []int64) {
	for i := range d.bytes {
		edges = append(edges, d.from+int64(i)*d.bin)
	}
	return edges
}
