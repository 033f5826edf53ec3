package btree

import "context"

// scan is the reading of one table.
type scan struct {
	ctx     context.Context
	pages   Pages
	cols    []Column
	left    int64  // pages that may still be visited
	fields  fields // of the last row that was not read quickly
	row     []byte // a row put together of several pages
	leafCut []byte // the leaf it began on
	quick   fastPath
	*buffers
	n      int // rows there are
	emit   func([][]int64, int) error
	wanted *keyRange // nil: all rows
	above  uint32    // the page above the one that is visited
}

func newScan(ctx context.Context, pages Pages, cols []Column, emit func([][]int64, int) error) *scan {
	s := &scan{ctx: ctx, pages: pages, cols: cols, left: int64(pages.Count()), emit: emit}
	wanted := 0
	for _, c := range cols {
		wanted = max(wanted, c.Field+1)
	}
	s.buffers = takeBuffers(len(cols), wanted)
	s.fields.types, s.fields.ends = s.types[:wanted], s.ends[:wanted]
	s.quick.begin(cols)
	return s
}

// release gives back what the scan took.
func (s *scan) release() {
	s.buffers.giveBack()
	s.buffers, s.quick.last, s.fields = nil, nil, fields{}
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
