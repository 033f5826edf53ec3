package trace

// Options holds what a reader needs to know besides the path of a file. A nil *Options has the defaults.
type Options struct {
	// Progress is told the bytes that were read since it was called last; nil: nobody is.
	Progress func(bytes int64)
	// Room is asked before something large is made; nil: everything fits.
	Room Room
	// Spare has lists that rows may go to; nil: they go to new ones.
	Spare *Spare
	// StepColumns are the columns or fields of logs that hold step times; nil: those whose
	// names say it.
	StepColumns []StepColumn
	// BySQLite asks for all rows of databases from SQLite, one table after the other. What there
	// is of tables and logs, perfdiff reads itself all the same.
	BySQLite bool
}

// Room is asked before a reader makes something large whether so many more bytes fit into the memory that it may take.
// If they do not, the reading was ended, and what is read from then on is not used.
type Room func(bytes int64) bool

// StepColumn is a column or field of a log that holds step times, as the user names it.
type StepColumn struct {
	Name string  // as it is written, in any case, or "timestamps": the times at which lines were printed
	Unit float64 // ns; 0: its name says it, or the text behind the number
}

// Value returns a copy of the options, with all defaults where o is nil.
func (o *Options) Value() Options {
	if o == nil {
		return Options{}
	}
	return *o
}

// Tell tells Progress, if there is one, that bytes were read.
func (o *Options) Tell(bytes int64) {
	if o != nil && o.Progress != nil {
		o.Progress(bytes)
	}
}

// Fits asks Room, if there is one, for so many bytes.
func (o *Options) Fits(bytes int64) bool { return o == nil || o.Room == nil || o.Room(bytes) }
