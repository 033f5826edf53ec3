package result

import (
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"perfdiff/analyze/trace"
)

var (
	// ofThousands and ofDecimals match numbers with commas between thousands, and before decimals.
	ofThousands = regexp.MustCompile(`^[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$`)
	ofDecimals  = regexp.MustCompile(`^[-+]?\d+,\d+(?:[eE][-+]?\d+)?$`)
	columnName  = regexp.MustCompile(`^[\pL_][^\x00-\x1f"{}<>]{0,80}$`)
)

var errCommas = errors.New("its commas stand before thousands or before decimals, and nothing says which (write " +
	"the numbers without)")

// tableOf reads a CSV table: a header, and rows of as many cells. A text that is none has no rows. cut: the last line
// may be a part of one.
func tableOf(text string, cut bool) (rows []row, dropped int, err error) {
	text = strings.TrimPrefix(text, "\ufeff")
	for strings.HasPrefix(text, "#") {
		_, text, _ = strings.Cut(text, "\n")
	}
	header, _, _ := strings.Cut(text, "\n")
	if strings.TrimSpace(header) == "" {
		return nil, 0, nil
	}
	comma := ','
	for _, c := range ";\t" {
		if strings.Count(header, string(c)) > strings.Count(header, string(comma)) {
			comma = c
		}
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.TrimLeadingSpace, r.Comment = comma, true, -1, comma != '\t', '#'
	names, err := r.Read()
	if err != nil {
		return nil, 0, nil
	}
	for i := range names {
		if names[i] = strings.TrimSpace(names[i]); names[i] != "" && !columnName.MatchString(names[i]) {
			return nil, 0, nil
		}
	}
	var lines [][]string
	for {
		cells, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil || len(cells) != len(names) {
			dropped++
			continue
		}
		if lines = append(lines, cells); len(lines)*len(names) > mostValues {
			return nil, 0, errTooMuch
		}
	}
	if cut && len(lines) > 0 {
		lines = lines[:len(lines)-1]
	}
	local, err := decimalCommas(lines)
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = keyOf(name)
	}
	for _, cells := range lines {
		var out row
		for i, text := range cells {
			if text = strings.TrimSpace(text); names[i] != "" && text != "" {
				out = append(out, scalar(cell{name: names[i], key: keys[i]}, plainNumber(text, local))...)
			}
		}
		rows = append(rows, out)
	}
	return rows, dropped, err
}

// decimalCommas reports whether the commas in a table's numbers stand before decimals. The error is for one whose
// numbers fit both: a column that has less than a thousand without a comma tells, and so does a point.
func decimalCommas(lines [][]string) (bool, error) {
	var decimals, thousands, points int
	grouped, plain := map[int]bool{}, map[int]bool{}
	for _, cells := range lines {
		for i, text := range cells {
			text = strings.TrimSpace(text)
			v, err := strconv.ParseFloat(text, 64)
			switch {
			case ofThousands.MatchString(text):
				thousands++
				grouped[i] = true
				if strings.Count(text, ",") > 1 || strings.Contains(text, ".") {
					points++
				}
			case ofDecimals.MatchString(text):
				decimals++
			case err == nil && strings.Contains(text, "."):
				points++
			case err == nil && v < 1000:
				plain[i] = true
			}
		}
	}
	for i := range grouped {
		if plain[i] {
			points++
		}
	}
	if thousands > 0 && decimals == 0 && points == 0 || decimals > 0 && points > 0 {
		return false, errCommas
	}
	return decimals > 0, nil
}

func plainNumber(text string, local bool) string {
	switch {
	case local && ofDecimals.MatchString(text):
		return strings.Replace(text, ",", ".", 1)
	case !local && ofThousands.MatchString(text):
		return strings.ReplaceAll(text, ",", "")
	}
	return trace.Tidy(text)
}
