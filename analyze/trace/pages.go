package trace

import "slices"

// Pages is a list that grows without being copied: a copied list whose length is not known in advance would be in
// memory twice and half empty. The zero value is empty. Its elements stay where they are once there is a full page.
type Pages[T any] struct {
	pages [][]T // all but the last are full
	count int
}

// onePage is how many elements a page has.
const onePage = 512

// Len returns the number of elements.
func (p *Pages[T]) Len() int { return p.count }

// At returns the element at a place.
func (p *Pages[T]) At(i int) *T { return &p.pages[uint(i)/onePage][uint(i)%onePage] }

// Add adds an element.
func (p *Pages[T]) Add(x T) {
	if p.count%onePage == 0 {
		p.pages = append(p.pages, nil)
	}
	last := &p.pages[len(p.pages)-1]
	if n := len(*last); n == cap(*last) { // most lists do not fill one page
		*last = slices.Grow(*last, min(onePage-n, n+8+onePage*(len(p.pages)-1)))
	}
	*last = append(*last, x)
	p.count++
}

// Cut leaves the first n elements.
func (p *Pages[T]) Cut(n int) {
	p.pages = p.pages[:(n+onePage-1)/onePage]
	if last := len(p.pages) - 1; last >= 0 {
		p.pages[last] = p.pages[last][:n-last*onePage]
	}
	p.count = n
}
