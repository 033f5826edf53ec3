package analyze

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"
	"unsafe"
)

// What was measured of all ranks is held until the report is written. A run set of so many ranks that
// they take more than the limit by themselves is refused, and not first its last files, which are no
// larger than the others.

// errTooMany is the cause where the ranks together need more memory than is allowed.
var errTooMany = errors.New("more memory than is allowed")

const (
	// comparedFactor is how much memory comparing and writing take, what was measured included, in
	// hundredths of what is counted of that, and comparedBytes what they take beside, in bytes. Measured
	// with 64 and 512 ranks a side, of which 512 take 121 to 126 MB in all: names that ranks share count once for each.
	comparedFactor, comparedBytes = 110, 18e6
	// firstFiles is how many files tell what all will take. It was chosen: they are read first, and a
	// set has as many workers.
	firstFiles = 8
	// overLimit is the part of the limit (an eighth) by which what is needed may exceed it, as the
	// process may.
	overLimit = limitSlack
)

// heldBytes returns how much memory a value refers to, directly and indirectly. What is referred to twice counts
// twice, so that the result does not depend on what was read before.
func heldBytes[T any](v *T) int64 {
	return heldAt(reflect.TypeFor[T](), unsafe.Pointer(v))
}

// heldAt does what heldBytes does for the value of a type at an address.
func heldAt(t reflect.Type, at unsafe.Pointer) int64 {
	if of := weigherOf(t); of != nil {
		return of(at)
	}
	return 0
}

// weigher returns how much memory the value of one type at an address refers to. There are few types and many values,
// such as single collectives: to ask reflection about each value took more than three times as long.
type weigher func(at unsafe.Pointer) int64

var weighers sync.Map // by reflect.Type, weigher

// weigherOf returns the weigher of a type; nil if its values refer to no other memory.
func weigherOf(t reflect.Type) weigher {
	known, ok := weighers.Load(t)
	if !ok {
		known, _ = weighers.LoadOrStore(t, newWeigher(t))
	}
	return known.(weigher)
}

func newWeigher(t reflect.Type) weigher {
	switch t.Kind() {
	case reflect.String:
		return func(at unsafe.Pointer) int64 { return int64(len(*(*string)(at))) }
	case reflect.Slice:
		return func(at unsafe.Pointer) int64 {
			list := *(*[]struct{})(at) // of any type: with elements of no size, its length and capacity are the same
			return int64(cap(list))*int64(t.Elem().Size()) + heldBy(t.Elem(), unsafe.Pointer(unsafe.SliceData(list)), len(list))
		}
	case reflect.Array:
		if weigherOf(t.Elem()) == nil {
			return nil
		}
		return func(at unsafe.Pointer) int64 { return heldBy(t.Elem(), at, t.Len()) }
	case reflect.Struct:
		return newFieldWeigher(t)
	case reflect.Pointer:
		return func(at unsafe.Pointer) int64 {
			to := *(*unsafe.Pointer)(at)
			if to == nil {
				return 0
			}
			return int64(t.Elem().Size()) + heldAt(t.Elem(), to)
		}
	case reflect.Interface, reflect.Map:
		return func(at unsafe.Pointer) int64 { return heldInside(reflect.NewAt(t, at).Elem()) }
	}
	return nil
}

// heldBy returns how much memory n adjacent values of a type refer to.
func heldBy(t reflect.Type, first unsafe.Pointer, n int) (size int64) {
	of, each := weigherOf(t), t.Size()
	for i := 0; of != nil && i < n; i++ {
		size += of(unsafe.Add(first, uintptr(i)*each))
	}
	return size
}

// newFieldWeigher adds up what the fields of a struct refer to, leaving out fields that cannot refer to anything.
func newFieldWeigher(t reflect.Type) weigher {
	type field struct {
		offset uintptr
		of     weigher
	}
	var fields []field
	for i := range t.NumField() {
		if of := weigherOf(t.Field(i).Type); of != nil {
			fields = append(fields, field{t.Field(i).Offset, of})
		}
	}
	if fields == nil {
		return nil
	}
	return func(at unsafe.Pointer) (size int64) {
		for _, f := range fields {
			size += f.of(unsafe.Add(at, f.offset))
		}
		return size
	}
}

// heldInside returns how much memory an interface or a map refers to; there are few of them.
func heldInside(v reflect.Value) (size int64) {
	copied := func(v reflect.Value) int64 { // what it refers to has no address
		own := reflect.New(v.Type())
		own.Elem().Set(v)
		return int64(v.Type().Size()) + heldAt(v.Type(), own.UnsafePointer())
	}
	switch {
	case v.IsNil():
	case v.Kind() == reflect.Interface:
		size = copied(v.Elem())
	default:
		const overhead = 2 // maps are half full at least
		for it := v.MapRange(); it.Next(); {
			size += copied(it.Key()) + copied(it.Value()) + (overhead-1)*int64(v.Type().Key().Size()+v.Type().Elem().Size())
		}
	}
	return size
}

// held returns the memory that what was measured of a file takes until the report is written, in bytes. It
// is asked for once the file was read, and again with all files, and counted the first time.
func (r *result) held() int64 {
	if r.heldBytes == 0 {
		r.heldBytes = heldBytes(&r.captures)
	}
	return r.heldBytes
}

// tooMany returns an error if all profiles together need more memory than the limit: the ones read so far, at the
// given indexes, tell how much memory a byte of a file takes. nil if they do not.
func tooMany(files []file, results []result, read []int, limit int64) error {
	var held, bytes, all int64
	for _, i := range read {
		held, bytes = held+results[i].held(), bytes+files[i].size
	}
	for i := range files {
		all += files[i].size
	}
	need := comparedBytes + int64(float64(held)*float64(all)/float64(max(bytes, 1)))/100*comparedFactor
	if need <= limit+limit/overLimit {
		return nil
	}
	return fmt.Errorf("%d profiles need %w: about %d MB together, and the limit is %d MB (--max-memory %dM, or fewer ranks: --ranks)",
		len(files), errTooMany, roundedMB(need), limit/1e6, roundedMB(need))
}

// spreadFirst returns the indexes of n files in the order in which they are read: first some from all over
// the list, by which it is known what all will take.
func spreadFirst(n int) (order []int, first int) {
	first = min(n, firstFiles)
	taken := make([]bool, n)
	for k := range first {
		i := k * n / first
		order, taken[i] = append(order, i), true
	}
	for i := range n {
		if !taken[i] {
			order = append(order, i)
		}
	}
	return order, first
}

// roundedMB returns a number of bytes in MB, rounded up to two digits.
func roundedMB(bytes int64) int64 {
	mb := float64(bytes) / 1e6
	unit := math.Pow(10, math.Max(0, math.Floor(math.Log10(mb))-1))
	return int64(math.Ceil(mb/unit) * unit)
}
