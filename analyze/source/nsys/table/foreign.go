package table

import (
	"errors"
	"fmt"
)

// A database can hold SQL of its own, which SQLite runs when the object is read: views,
// virtual tables and generated columns. No export has any, and nothing here can run it:
// where it stands for what is read the file is refused by name, and beside that it harms
// nobody.

// foreign returns what kind of object has a table's name, "" for a table or nothing. SQLite ignores the case of
// letters in names.
func (d *database) foreign(name string) string {
	if d.known.Has(name) {
		return ""
	}
	what, _ := byFold(d.schema.others, name)
	return what
}

// refuse returns the error about an object that is not a table of rows; the whole file is refused then.
func (d *database) refuse(table, what string) error {
	err := fmt.Errorf("%s %s, and SQL that a file brings is never run"+
		" (%s)", table, what, d.words.Again)
	if d.foreignErr == nil {
		d.foreignErr = err
	}
	return err
}

// Refused returns an error for a file that holds SQL instead of a table that was read, or whose log changed meanwhile;
// nil for any other.
func (d *database) Refused() error {
	if d.foreignErr == nil && !d.image.Stable() {
		return errors.New("the log beside it changed while it was read (wait until the program that writes it is done)")
	}
	return d.foreignErr
}

// computed returns the first of the columns that SQL computes when it is read, "" for none.
func (s *shape) computed(cols []Column) string {
	for _, c := range cols {
		if f, _ := byFold(s.fields, c.Name); f.computed {
			return c.Name
		}
	}
	return ""
}
