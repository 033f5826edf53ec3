package kineto

import (
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"perfdiff/analyze/trace"
)

// growingList is a list of unknown length. It grows by pieces, which are joined once at the
// end: a slice that doubles leaves as much garbage as it holds, and is up to half empty.
type growingList[T any] struct {
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

// push appends x. If there is no room for it the list stays as it is.
func (l *growingList[T]) push(room trace.Room, x T) {
	if len(l.lastPiece) == cap(l.lastPiece) && !l.grow(room) {
		return
	}
	l.lastPiece = append(l.lastPiece, x)
}

// spares are by their type pieces of longPiece that nobody looks at any more: what a file left
// would else be garbage beside the lists of the next.
var spares sync.Map

// spare is the pool of pieces of a type.
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
func (l *growingList[T]) grow(room trace.Room) bool {
	size := int(unsafe.Sizeof(*new(T)))
	next := max(min(max(l.len(), firstPiece), longPiece/size), l.len()/pieceShare)
	// The list will be made one in the end, beside its pieces.
	if held := l.len() * size; held >= roomAskedFrom && !room(int64(held+next*size)) {
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

func (l *growingList[T]) len() int { return l.n + len(l.lastPiece) }

// top is the last element, nil of a list without any.
func (l *growingList[T]) top() *T {
	if k := len(l.lastPiece); k > 0 {
		return &l.lastPiece[k-1]
	}
	if k := len(l.fullPieces); k > 0 {
		return &l.fullPieces[k-1][len(l.fullPieces[k-1])-1]
	}
	return nil
}

// pop drops the last element of a list that has one.
func (l *growingList[T]) pop() {
	if len(l.lastPiece) == 0 {
		k := len(l.fullPieces) - 1
		l.fullPieces, l.lastPiece = l.fullPieces[:k], l.fullPieces[k]
		l.n -= len(l.lastPiece)
	}
	l.lastPiece = l.lastPiece[:len(l.lastPiece)-1]
}

// all joins the list into one slice and leaves it empty.
func (l *growingList[T]) all() []T {
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
	*l = growingList[T]{}
	return out
}
