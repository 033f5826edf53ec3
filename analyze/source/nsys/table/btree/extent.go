package btree

import (
	"math"
	"slices"
)

// Extents holds between which values the first column lies in each part of a table, so that a later scan for some of
// its values can skip the others. The zero value knows of none.
type Extents struct {
	of map[uint32]extent // by the page above the leaves
}

type extent struct{ low, high int64 }

// keyRange is the range of values of the first column that a scan is for.
type keyRange struct {
	x        *Extents
	from, to int64
	above    []uint32 // pages above the leaves of the rows that were not handed over yet
}

// passes reports whether nothing below a page is wanted.
func (w *keyRange) passes(page uint32) bool {
	if w == nil {
		return false
	}
	e, known := w.x.of[page]
	return known && (e.high < w.from || e.low >= w.to)
}

// among returns the pages that are not skipped.
func (w *keyRange) among(pages []uint32) []uint32 {
	if w == nil || !slices.ContainsFunc(pages, w.passes) {
		return pages
	}
	return slices.DeleteFunc(slices.Clone(pages), w.passes)
}

// leaf notes the page above the leaf that is read next.
func (w *keyRange) leaf(above uint32) {
	if w == nil {
		return
	}
	if n := len(w.above); n == 0 || w.above[n-1] != above {
		w.above = append(w.above, above)
	}
}

// learn takes in the first column of rows that are handed over. They are on the leaves below all pages that were noted
// since the last time; the last of these may go on.
func (w *keyRange) learn(first []int64) {
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for _, v := range first {
		low, high = min(low, v), max(high, v)
	}
	for _, page := range w.above {
		e, known := w.x.of[page]
		if !known {
			e = extent{low, high}
		}
		w.x.of[page] = extent{min(e.low, low), max(e.high, high)}
	}
	w.above = w.above[max(0, len(w.above)-1):]
}
