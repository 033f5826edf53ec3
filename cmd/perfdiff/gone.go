package main

import (
	"errors"

	"github.com/spf13/pflag"
)

// goneWords are commands and flags that earlier programs had, with what to say in their place. A row stays for a
// release.
var goneWords = []struct {
	command string // "" any
	flag    string // "" the command itself is gone
	now     string
}{
	{"", "exit-zero", "--exit-zero is gone: --warn-only exits 0 where it would be 1 or 4, and --allow names what may be " +
		"missing; what could not be judged exits 3"},
	{"", "parquet", "--parquet DIR is gone: --csv DIR or --sqlite FILE writes the same tables, and pandas and DuckDB read both"},
	{"show", "", "perfdiff show is gone: perfdiff BASELINE CANDIDATE --csv DIR, or --sqlite FILE, writes its tables"},
	{"noise", "", "perfdiff noise is gone: perfdiff history DIR says what runs differ by, and perfdiff gate --plan what a " +
		"gate finds with that"},
	{"gate", "anchor", "--anchor is gone: main is held to what it was 100 and 400 runs ago; perfdiff gate " +
		"--accept COMMIT lets a change stay"},
	{"trend", "", "perfdiff trend is gone: perfdiff history DIR shows main over time, with --fail-on level for --gate and " +
		"-o history.html for the page"},
	{"record", "nsys-version", "--nsys-version is gone: profile.sh asks the nsys of the node what it can"},
	{"record", "output", "--output is gone: profile.sh takes the directory, as in ./profile.sh baseline"},
	{"record", "o", "-o is gone: profile.sh takes the directory, as in ./profile.sh baseline"},
	{"gate", "markdown", "--markdown FILE is gone: write the comment with -o, as in -o comment.md"},
}

// goneCommand returns the error for a command that is gone; nil for other words.
func goneCommand(word string) error {
	for _, x := range goneWords {
		if x.flag == "" && x.command == word {
			return errors.New(x.now)
		}
	}
	return nil
}

// goneFlag returns the error for a command line that pflag refused; if a flag is gone, it says what to use instead.
func goneFlag(command string, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		for _, x := range goneWords {
			if x.flag == unknown.GetSpecifiedName() && (x.command == "" || x.command == command) {
				return errors.New(x.now)
			}
		}
	}
	return err
}
