package trace

// Where a rank number comes from that the profile itself does not say. All other
// sources are the profile's own words.
const (
	RankFromFlag   = "--rank-name"                        // the user said how to read names
	RankFromName   = "file name"                          // of the file
	RankFromDir    = "directory name"                     // of the file's directory
	RankFromReport = "name of the original report"        // that an export remembers
	RankFromLog    = "log of a run"                       // one for all ranks, or as its name says
	RankGuessed    = "order of file and device (guessed)" // nothing says a number
)

// RankIsWeak reports whether a rank number is none that a profile itself or a person gave:
// it was guessed, or read out of a name.
func RankIsWeak(from string) bool { return from == RankGuessed || RankIsNamed(from) }

// RankIsNamed reports whether a rank number was read out of a name, in which another
// number may stand as well.
func RankIsNamed(from string) bool {
	return from == RankFromName || from == RankFromDir || from == RankFromReport
}
