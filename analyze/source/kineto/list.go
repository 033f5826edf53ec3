package kineto

import (
	"slices"
	"unsafe"

	"perfdiff/analyze/trace"
)

// list is a list of which nobody knows how long it gets. It grows in pieces and is made
// one at the end: one that doubles leaves behind as much as it holds, and is up to half
// empty.
type list[T any] struct {
	full [][]T
	last []T
	n    int // in full
}

const (
	firstPiece = 64
	// longPiece is how long pieces get in bytes, and pieceShare what part of the list the
	// next one is in the end, so that there are few.
	longPiece  = 256 << 10
	pieceShare = 16
	// askFrom is the size from which on the growth of a list is asked for, in bytes.
	askFrom = 4 << 20
)

// push appends to l. Where there is no room it stays as it is.
func (l *list[T]) push(room trace.Room, x T) {
	if len(l.last) == cap(l.last) && !l.grow(room) {
		return
	}
	l.last = append(l.last, x)
}

// grow makes the next piece.
func (l *list[T]) grow(room trace.Room) bool {
	size := int(unsafe.Sizeof(*new(T)))
	next := max(min(max(l.len(), firstPiece), longPiece/size), l.len()/pieceShare)
	// The list will be made one in the end, beside its pieces.
	if held := l.len() * size; held >= askFrom && !room(int64(held+next*size)) {
		return false
	}
	if len(l.last) > 0 {
		l.full, l.n = append(l.full, l.last), l.n+len(l.last)
	}
	l.last = make([]T, 0, next)
	return true
}

func (l *list[T]) len() int { return l.n + len(l.last) }

// top is the last element, nil of a list without any.
func (l *list[T]) top() *T {
	if k := len(l.last); k > 0 {
		return &l.last[k-1]
	}
	if k := len(l.full); k > 0 {
		return &l.full[k-1][len(l.full[k-1])-1]
	}
	return nil
}

// pop drops the last element of a list that has one.
func (l *list[T]) pop() {
	if len(l.last) == 0 {
		k := len(l.full) - 1
		l.full, l.last = l.full[:k], l.full[k]
		l.n -= len(l.last)
	}
	l.last = l.last[:len(l.last)-1]
}

// all is the whole list in one piece; l is empty then.
func (l *list[T]) all() []T {
	out := l.last
	if len(l.full) > 0 {
		out = slices.Concat(append(l.full, l.last)...)
	}
	*l = list[T]{}
	return out
}
