package build

import (
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"perfdiff/analyze/trace"
)

// List is a list of unknown length. It grows by pieces, which are joined once at the
// end: a slice that doubles leaves as much garbage as it holds, and is up to half empty.
type List[T any] struct {
	fullPieces [][]T
	lastPiece  []T
	n          int // elements in fullPieces
}

const (
	firstPiece = 64 // elements of the first piece
	// longPiece bounds the length of a piece in bytes. In a longer list a new piece is a share
	// of 1/pieceShare of it, so that pieces are few.
	longPiece  = 256 << 10
	pieceShare = 16
	// roomAskedFrom is the size of a list, in bytes, from which on it asks whether memory
	// allows it to grow.
	roomAskedFrom = 4 << 20
)

// Push appends x. If there is no room for it the list stays as it is.
func (l *List[T]) Push(room trace.Room, x T) {
	if len(l.lastPiece) == cap(l.lastPiece) && !l.grow(room) {
		return
	}
	l.lastPiece = append(l.lastPiece, x)
}

// spares keeps, by type, pieces of longPiece that are no longer used: otherwise those of one file would be garbage
// while the lists of the next are filled.
var spares sync.Map

// spare returns the pool of pieces of a type.
func spare[T any]() *sync.Pool {
	pool, known := spares.Load(reflect.TypeFor[T]())
	if !known {
		pool, _ = spares.LoadOrStore(reflect.TypeFor[T](), &sync.Pool{New: func() any {
			piece := make([]T, 0, longPiece/unsafe.Sizeof(*new(T)))
			return &piece
		}})
	}
	return pool.(*sync.Pool)
}

// grow makes the next piece. It is false if there is no room.
func (l *List[T]) grow(room trace.Room) bool {
	size := int(unsafe.Sizeof(*new(T)))
	next := max(min(max(l.Len(), firstPiece), longPiece/size), l.Len()/pieceShare)
	// The list will be made one in the end, beside its pieces.
	if held := l.Len() * size; held >= roomAskedFrom && !room(int64(held+next*size)) {
		return false
	}
	if len(l.lastPiece) > 0 {
		l.fullPieces, l.n = append(l.fullPieces, l.lastPiece), l.n+len(l.lastPiece)
	}
	if next == longPiece/size {
		l.lastPiece = *spare[T]().Get().(*[]T)
	} else {
		l.lastPiece = make([]T, 0, next)
	}
	return true
}

// Len returns how many elements there are.
func (l *List[T]) Len() int { return l.n + len(l.lastPiece) }

// Top returns the last element, nil of a list without any.
func (l *List[T]) Top() *T {
	if k := len(l.lastPiece); k > 0 {
		return &l.lastPiece[k-1]
	}
	if k := len(l.fullPieces); k > 0 {
		return &l.fullPieces[k-1][len(l.fullPieces[k-1])-1]
	}
	return nil
}

// Pop drops the last element of a list that has one.
func (l *List[T]) Pop() {
	if len(l.lastPiece) == 0 {
		k := len(l.fullPieces) - 1
		l.fullPieces, l.lastPiece = l.fullPieces[:k], l.fullPieces[k]
		l.n -= len(l.lastPiece)
	}
	l.lastPiece = l.lastPiece[:len(l.lastPiece)-1]
}

// All joins the list into one slice and leaves it empty.
func (l *List[T]) All() []T {
	out := l.lastPiece
	if len(l.fullPieces) > 0 {
		pieces := append(l.fullPieces, l.lastPiece)
		out = slices.Concat(pieces...)
		for _, piece := range pieces {
			if cap(piece) == longPiece/int(unsafe.Sizeof(*new(T))) {
				clear(piece)
				piece = piece[:0]
				spare[T]().Put(&piece)
			}
		}
	}
	*l = List[T]{}
	return out
}
