package number

import (
	"strconv"
	"strings"
)

// Counted writes "1 run" and "3 runs".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Count(n) + " " + what + "s"
}

// Capital begins a sentence.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// mostStretches is how many stretches of numbers Ranges lists.
const mostStretches = 8

// Ranges writes numbers in order as people do: "0-7, 9"; of more than eight stretches
// the rest is counted.
func Ranges[T int | int64](numbers []T) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if len(parts) == mostStretches {
			parts = append(parts, "and "+Count(len(numbers)-i)+" more")
			break
		}
		part := strconv.FormatInt(int64(numbers[i]), 10)
		if j > i {
			part += "-" + strconv.FormatInt(int64(numbers[j]), 10)
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// Some writes the first names of a list and how many more there are: "a, b and 3 more".
func Some(names []string, most int) string {
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += " and " + Count(more) + " more"
	}
	return text
}
