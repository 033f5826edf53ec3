package btree

import "context"

// scan is the reading of one table.
type scan struct {
	ctx      context.Context
	pages    Pages
	cols     []Column
	left     int64  // pages that may still be visited
	fields   fields // of the last row that was not read quickly
	long     longRow
	leafCut  []byte // the leaf it began on
	quick    fastPath
	mixed    mixedPath
	usable   int   // bytes of each page
	texts    int64 // bytes of texts so far
	mostText int64 // that there can be
	unknown  bool  // a row lacks a value that its table declares
	*buffers
	n      int // rows there are
	emit   func([][]int64, int) error
	wanted *keyRange // nil: all rows
	above  uint32    // the page above the one that is visited
	begun  bool      // a leaf was read, whose last row has lastID
	lastID int64
}

func newScan(ctx context.Context, pages Pages, cols []Column, emit func([][]int64, int) error) *scan {
	s := &scan{ctx: ctx, pages: pages, cols: cols, left: int64(pages.Count()), emit: emit}
	s.long.left = s.left
	wanted := 0
	for _, c := range cols {
		wanted = max(wanted, c.Field+1)
	}
	s.buffers = takeBuffers(len(cols), wanted)
	s.fields.types, s.fields.ends = s.types[:wanted], s.ends[:wanted]
	if s.quick.begin(cols); !s.quick.on {
		s.mixed.begin(cols, wanted)
	}
	return s
}

// release gives back what the scan took.
func (s *scan) release() {
	s.buffers.giveBack()
	s.buffers, s.quick.last, s.fields = nil, nil, fields{}
}

// onPage notes how large pages are, and so the file. A text is there once, or a few times.
func (s *scan) onPage(page []byte) {
	s.usable, s.mostText = len(page), 4*int64(s.pages.Count())*int64(len(page))+16<<20
}

// flush hands over the rows there are. It is also where a scan ends early.
func (s *scan) flush() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if s.n == 0 {
		return nil
	}
	n := s.n
	s.n = 0
	return s.emit(s.out, n)
}
