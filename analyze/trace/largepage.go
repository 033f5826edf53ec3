package trace

import "unsafe"

// largePage is the size of the processor's large pages, in bytes.
const largePage = 2 << 20

// InLargePages returns a list, and asks the system to hold what it has room for in large pages,
// if it has any. To map 200 MB in pages of 4 KB and to look them up took 3 to 5 % of the time that
// a rank of two million kernels takes. It is for lists that are filled to the end, since a large
// page is there as a whole, and for tables of which any place may be looked up.
func InLargePages[T any](list []T) []T {
	var one T
	room := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), cap(list)*int(unsafe.Sizeof(one)))
	from := int(-uintptr(unsafe.Pointer(unsafe.SliceData(room))) % largePage)
	if whole := (len(room) - from) / largePage * largePage; whole > 0 {
		useLargePages(room[from:][:whole])
	}
	return list
}

// EmptyTable returns a table of n places that are looked at before they are filled. It is written once here: a page
// that is read first is mapped by the system as its page of zeros, and again when it is written, for which it stops
// the other threads of the program. With two workers that took 2 % of the time.
func EmptyTable[T any](n int) []T {
	table := InLargePages(make([]T, n))
	clear(table)
	return table
}
