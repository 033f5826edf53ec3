package analyze

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// refuseNested refuses sides if one holds files of the other, for example if one side is the directory above both:
// those files would be on both sides. Sides with the same files are found later, by what the files hold.
func refuseNested(sides []Side, founds []discovered) error {
	for i := range sides {
		for j := range i {
			if err := nested([2]Side{sides[j], sides[i]}, [2]discovered{founds[j], founds[i]}); err != nil {
				return err
			}
		}
	}
	return nil
}

func nested(sides [2]Side, founds [2]discovered) error {
	of := [2][]string{}
	for i := range of {
		of[i] = founds[i].paths(sides[i].Path)
	}
	common := 0
	for _, path := range of[1] {
		if _, ok := slices.BinarySearch(of[0], path); ok {
			common++
		}
	}
	if common == 0 || slices.Equal(of[0], of[1]) {
		return nil
	}
	outer, inner := sides[0], sides[1]
	if len(of[0]) < len(of[1]) {
		outer, inner = inner, outer
	}
	hold := fmt.Sprintf("%d of its files are", common)
	if common == 1 {
		hold = "one of its files is"
	}
	return fmt.Errorf("%s: %s: %s also in the %s, %s (give each side its own runs, as in %s)",
		outer.Name, outer.Path, hold, inner.Name, inner.Path, example(outer, inner))
}

// example suggests another path for a side whose directory holds the other side: the directory next to it.
func example(outer, inner Side) string {
	below, err := filepath.Rel(outer.Path, inner.Path)
	if err == nil && below != "." && !strings.HasPrefix(below, "..") {
		if entries, err := os.ReadDir(outer.Path); err == nil {
			first, _, _ := strings.Cut(filepath.ToSlash(below), "/")
			for _, e := range entries {
				if e.IsDir() && e.Name() != first && !strings.HasPrefix(e.Name(), ".") {
					return filepath.Join(outer.Path, e.Name())
				}
			}
		}
	}
	return "RUNS/" + outer.Name
}

// paths returns the sorted paths of the files of a run set: profiles, or saved summaries.
func (f discovered) paths(given string) (out []string) {
	add := func(path string) {
		if abs, err := filepath.Abs(path); err == nil {
			out = append(out, abs)
		}
	}
	for _, x := range f.files {
		add(x.path)
	}
	if len(f.files) == 0 { // summaries, which are nothing else than what was given
		add(given)
		if entries, err := os.ReadDir(given); err == nil {
			out = out[:0]
			for _, e := range entries {
				add(filepath.Join(given, e.Name()))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
