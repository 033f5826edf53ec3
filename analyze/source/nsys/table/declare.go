package table

import "slices"

// declaration is the text of a CREATE statement, read a word at a time by the grammar of
// https://www.sqlite.org/lang_createtable.html. What SQLite refuses is refused, as far as it
// says which columns there are and where their values lie; expressions are passed over.
type declaration struct {
	text   string
	word   string // the word or sign that comes next, as it is spelt; "" at the end
	at     int    // where word begins
	last   int    // where the word before it ended
	failed bool   // something came that SQLite refuses
}

func newDeclaration(text string) *declaration {
	d := &declaration{text: text}
	d.scan()
	return d
}

// declaredTable holds what a CREATE TABLE says.
type declaredTable struct {
	columns []declaredColumn
	keys    []string
	keyed   bool // the key is declared
	// alias: the key, if it is one INTEGER, is another name of the rowid. By a quirk that
	// SQLite keeps, it is not where the column is declared INTEGER PRIMARY KEY DESC.
	alias     bool
	clustered bool // WITHOUT ROWID
	strict    bool
}

// declaredColumn holds what a CREATE TABLE says about one column.
type declaredColumn struct {
	name, kind string // kind as it is spelt
	preset     bool   // rows that end before it have what its DEFAULT says
	computed   bool   // when it is read: a generated column that is not stored
}

// table reads a CREATE TABLE; nil if SQLite would not read the text as the declaration of a table with that name.
func (d *declaration) table(name string) *declaredTable {
	t := &declaredTable{alias: true}
	if !d.take("CREATE") || !d.take("TABLE") || !d.named(name) || !d.take("(") {
		return nil
	}
	d.column(t)
	for d.take(",") {
		if tableConstraint[Fold(d.word)] {
			d.constraints(t)
			break
		}
		d.column(t)
	}
	d.need(")")
	for more := d.word != "" && d.word != ";"; more && !d.failed; more = d.take(",") {
		switch {
		case d.take("STRICT"):
			t.strict = true
		case d.take("WITHOUT"):
			d.need("ROWID")
			t.clustered = true
		default:
			d.failed = true
		}
	}
	if d.take(";"); d.failed || d.word != "" || t.clustered && !t.keyed {
		return nil
	}
	return t
}

// named reads a name and reports whether it is the given one.
func (d *declaration) named(name string) bool {
	return Fold(d.name()) == Fold(name) && !d.failed
}

// maxColumns is how many columns SQLite lets a table have.
const maxColumns = 2000

// tableConstraint are the words with which a constraint of a table begins. None of them is the name of a column.
var tableConstraint = map[string]bool{"constraint": true, "primary": true, "unique": true, "check": true, "foreign": true}

// column reads a column with its constraints.
func (d *declaration) column(t *declaredTable) {
	c := declaredColumn{name: d.name()}
	begin, end := d.at, d.at
	for d.isName() && !d.failed {
		d.scan()
		end = d.last
	}
	if end > begin && d.take("(") {
		for d.signedNumber(); d.take(","); d.signedNumber() {
		}
		d.need(")")
		end = d.last
	}
	c.kind = declaredKind(d.text[begin:end])
	for d.columnConstraint(t, &c) {
	}
	same := func(other declaredColumn) bool { return Fold(other.name) == Fold(c.name) }
	if len(t.columns) == maxColumns || slices.ContainsFunc(t.columns, same) {
		d.failed = true
		return
	}
	t.columns = append(t.columns, c)
}

// columnConstraint reads one constraint of a column; false if there is none.
func (d *declaration) columnConstraint(t *declaredTable, c *declaredColumn) bool {
	switch {
	case d.failed:
		return false
	case d.take("CONSTRAINT"):
		d.name()
	case d.take("DEFAULT"):
		c.preset = d.defaultValue()
	case d.take("NOT"):
		if d.take("DEFERRABLE") {
			d.deferred()
		} else {
			d.need("NULL")
			d.onConflict()
		}
	case d.take("NULL"), d.take("UNIQUE"):
		d.onConflict()
	case d.take("PRIMARY"):
		d.need("KEY")
		if d.take("DESC") {
			t.alias = false
		} else {
			d.take("ASC")
		}
		d.onConflict()
		d.take("AUTOINCREMENT")
		d.setKey(t, []string{c.name})
	case d.take("CHECK"):
		d.parentheses()
	case d.take("REFERENCES"):
		d.references()
	case d.take("DEFERRABLE"):
		d.deferred()
	case d.take("COLLATE"):
		d.name()
	case d.take("GENERATED"):
		d.need("ALWAYS")
		d.need("AS")
		c.computed = d.generated()
	case d.take("AS"):
		c.computed = d.generated()
	default:
		return false
	}
	return true
}

// generated reads how a column is generated, and reports whether it is computed when it is read.
func (d *declaration) generated() (computed bool) {
	d.parentheses()
	if d.take("STORED") {
		return false
	}
	d.take("VIRTUAL")
	return true
}

// constraints reads the constraints of the table, which may lack commas between them.
func (d *declaration) constraints(t *declaredTable) {
	for more := true; more && !d.failed; {
		switch {
		case d.take("CONSTRAINT"):
			d.name()
		case d.take("PRIMARY"):
			d.need("KEY")
			d.setKey(t, d.keys())
			d.onConflict()
		case d.take("UNIQUE"):
			d.parentheses()
			d.onConflict()
		case d.take("CHECK"):
			d.parentheses()
			d.onConflict()
		case d.take("FOREIGN"):
			d.need("KEY")
			d.parentheses()
			d.need("REFERENCES")
			d.references()
		default:
			d.failed = true
		}
		more = d.take(",") || d.word != ")"
	}
}

func (d *declaration) setKey(t *declaredTable, keys []string) {
	d.failed = d.failed || t.keyed
	t.keys, t.keyed = keys, true
}

// keys reads the columns of PRIMARY KEY (a, b).
func (d *declaration) keys() (keys []string) {
	d.need("(")
	for !d.failed {
		depth := 0
		for ; d.take("("); depth++ {
		}
		k := d.name()
		for ; depth > 0; depth-- {
			d.need(")")
		}
		for d.take("COLLATE") {
			d.name()
		}
		if !d.take("ASC") {
			d.take("DESC")
		}
		if d.take("NULLS") && !d.take("FIRST") {
			d.need("LAST")
		}
		if keys = append(keys, k); len(keys) > maxColumns {
			d.failed = true
		}
		if !d.take(",") {
			break
		}
	}
	d.take("AUTOINCREMENT")
	d.need(")")
	return keys
}

// references reads what follows REFERENCES.
func (d *declaration) references() {
	if d.name(); d.word == "(" {
		d.parentheses()
	}
	for !d.failed {
		switch {
		case d.take("ON"):
			if !d.take("INSERT") && !d.take("UPDATE") {
				d.need("DELETE")
			}
			switch {
			case d.take("SET"):
				if !d.take("NULL") {
					d.need("DEFAULT")
				}
			case d.take("NO"):
				d.need("ACTION")
			case !d.take("CASCADE"):
				d.need("RESTRICT")
			}
		case d.take("MATCH"):
			d.name()
		case d.take("DEFERRABLE"):
			d.deferred()
		case d.isNotDeferrable():
			d.deferred()
		default:
			return
		}
	}
}

// isNotDeferrable takes NOT DEFERRABLE, and nothing of NOT NULL.
func (d *declaration) isNotDeferrable() bool {
	before := *d
	if d.take("NOT") && d.take("DEFERRABLE") {
		return true
	}
	*d = before
	return false
}

func (d *declaration) deferred() {
	if d.take("INITIALLY") && !d.take("DEFERRED") {
		d.need("IMMEDIATE")
	}
}

func (d *declaration) onConflict() {
	if !d.take("ON") {
		return
	}
	d.need("CONFLICT")
	d.failed = d.failed || !slices.Contains([]string{"rollback", "abort", "fail", "ignore", "replace"}, Fold(d.word))
	d.scan()
}

func (d *declaration) signedNumber() {
	if !d.take("+") {
		d.take("-")
	}
	d.failed = d.failed || !isDigit(d.first()) && (d.first() != '.' || len(d.word) < 2)
	d.scan()
}

// parentheses skips a text in parentheses.
func (d *declaration) parentheses() {
	d.need("(")
	for depth := 1; depth > 0 && !d.failed; d.scan() {
		switch d.word {
		case "":
			d.failed = true
		case "(":
			depth++
		case ")":
			depth--
		}
	}
}
