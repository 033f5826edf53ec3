package analyze

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"
)

// What was measured of all ranks is held until the report is written. A run set of so many ranks that
// they take more than the limit by themselves is refused, and not first its last files, which are no
// larger than the others.

// errTooMany is the cause where the ranks together need more memory than is allowed.
var errTooMany = errors.New("more memory than is allowed")

const (
	// comparedFactor is how much memory comparing and writing take, what was measured included, in
	// hundredths of what is counted of that, and comparedBytes what they take beside, in bytes. Measured
	// with 64 and 512 ranks a side: names that ranks share count once for each.
	comparedFactor, comparedBytes = 110, 16e6
	// firstFiles is how many files tell what all will take. It was chosen: they are read first, and a
	// set has as many workers.
	firstFiles = 8
	// overLimit is the part of the limit (an eighth) by which what is needed may exceed it, as the
	// process may.
	overLimit = limitSlack
)

// heldBytes is how much memory a value takes, with all that it refers to. What is referred to twice
// counts twice, so that it does not depend on what was read before.
func heldBytes(v reflect.Value) int64 {
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Slice:
		of := v.Type().Elem()
		size := int64(v.Cap()) * int64(of.Size())
		switch {
		case !refers(of):
		case of.Kind() == reflect.Struct: // of which there are most, and all have the same fields
			fields := referringFields(of)
			for i := range v.Len() {
				size += heldByFields(v.Index(i), fields)
			}
		default:
			for i := range v.Len() {
				size += heldBytes(v.Index(i))
			}
		}
		return size
	case reflect.Struct:
		return heldByFields(v, referringFields(v.Type()))
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return 0
		}
		return int64(v.Elem().Type().Size()) + heldBytes(v.Elem())
	case reflect.Map:
		const overhead = 2 // maps are half full at least
		size := int64(0)
		for it := v.MapRange(); it.Next(); {
			size += overhead*int64(v.Type().Key().Size()+v.Type().Elem().Size()) + heldBytes(it.Key()) + heldBytes(it.Value())
		}
		return size
	}
	return 0
}

// heldByFields is how much memory the fields of a struct refer to, of those that refer to any.
func heldByFields(v reflect.Value, fields []int) (size int64) {
	for _, i := range fields {
		size += heldBytes(v.Field(i))
	}
	return size
}

// referringFields are the fields of a struct that refer to other memory.
func referringFields(t reflect.Type) (fields []int) {
	if known, ok := fieldsReferring.Load(t); ok {
		return known.([]int)
	}
	for i := range t.NumField() {
		if refers(t.Field(i).Type) {
			fields = append(fields, i)
		}
	}
	fieldsReferring.Store(t, fields)
	return fields
}

// fieldsReferring is what referringFields says of each type that it was asked of.
var fieldsReferring sync.Map // by reflect.Type, []int

// referring is what refers says of each type that it was asked of: there are few, and many values.
var referring sync.Map // by reflect.Type, bool

// refers reports whether values of a type refer to other memory.
func refers(t reflect.Type) bool {
	known, ok := referring.Load(t)
	if !ok {
		known = findReferring(t)
		referring.Store(t, known)
	}
	return known.(bool)
}

func findReferring(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Slice, reflect.Pointer, reflect.Interface, reflect.Map:
		return true
	case reflect.Struct:
		return len(referringFields(t)) > 0
	case reflect.Array:
		return refers(t.Elem())
	}
	return false
}

// held is the memory that what was measured of a file takes until the report is written, in bytes. It
// is asked for once the file was read, and again with all files, and counted the first time.
func (r *result) held() int64 {
	if r.heldBytes == 0 {
		r.heldBytes = heldBytes(reflect.ValueOf(r.captures))
	}
	return r.heldBytes
}

// tooMany is the error of profiles which together need more memory than the limit: those at some
// indexes were read, and tell by their bytes what all of them need. nil if they do not.
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

// spreadFirst are the indexes of n files in the order in which they are read: first some from all over
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

// roundedMB is a number of bytes in MB, rounded up to two digits.
func roundedMB(bytes int64) int64 {
	mb := float64(bytes) / 1e6
	unit := math.Pow(10, math.Max(0, math.Floor(math.Log10(mb))-1))
	return int64(math.Ceil(mb/unit) * unit)
}
