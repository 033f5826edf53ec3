package verdict

import "reflect"

// LeftOutKind is a reason for which a past run does not count; render/words says it, and
// programs filter by it.
type LeftOutKind string

// A past run is left out if it is one of the compared runs. The baseline is there on purpose: a pipeline puts the run
// of main into the history and compares with it. Nobody needs to be warned.
const (
	IsBaseline  LeftOutKind = "is_baseline"  // it is the baseline
	InBaseline  LeftOutKind = "in_baseline"  // it is one of the baseline's runs
	IsCandidate LeftOutKind = "is_candidate" // it is the candidate
	InCandidate LeftOutKind = "in_candidate" // it is one of the candidate's runs
)

// Reasons for which a past run cannot say what repeats differ by.
const (
	Unreadable   LeftOutKind = "unreadable"    // its file could not be read: Said
	InDoubt      LeftOutKind = "in_doubt"      // it is not known what it is: Said, Hint
	WithoutRanks LeftOutKind = "without_ranks" // it has none of the ranks that are compared
	WithoutSteps LeftOutKind = "without_steps"
	OtherSetup   LeftOutKind = "other_setup"  // Differs is another: Then, and Now in what it was held Against
	SameRun      LeftOutKind = "same_run"     // it is the run Other once more
	SharedFile   LeftOutKind = "shared_file"  // its summary holds a run that counts, and not which that is
	EngineNoise  LeftOutKind = "engine_noise" // loads of inference engines differ from run to run
	FewAlike     LeftOutKind = "few_alike"    // Have runs are like the baseline, Need teach noise
)

// Reasons why a past run is not used together with the baseline.
const (
	OtherLevel   LeftOutKind = "other_level"
	FewOfSteps   LeftOutKind = "few_of_steps"   // it has Have of the Need steps that are compared
	OtherDriver  LeftOutKind = "other_driver"   // Then, and Now in the baseline
	OtherKernels LeftOutKind = "other_kernels"  // kernels that run here took the share Size of its kernel time
	ApartFromAll LeftOutKind = "apart_from_all" // its step time is off all others', by the share Size
	NewerCount   LeftOutKind = "newer_count"    // Have newer runs of its level count
)

// Reasons why no past run is used together with the baseline.
const (
	EngineLoads   LeftOutKind = "engine_loads"   // loads of inference engines differ from run to run
	FewSteps      LeftOutKind = "few_steps"      // there are too few to compare by
	StepsUnpaired LeftOutKind = "steps_unpaired" // steps are not compared one by one: Steps
	NoneAlike     LeftOutKind = "none_alike"
	OtherHosts    LeftOutKind = "other_hosts"    // Then, and Now in the baseline
	NotOneByOne   LeftOutKind = "not_one_by_one" // the step times of the runs cannot be paired
	FewForLevel   LeftOutKind = "few_for_level"  // Have runs with the baseline's, Need make a level
	SeveralLevels LeftOutKind = "several_levels" // the baseline's runs stand on several
	BaselineApart LeftOutKind = "baseline_apart" // its step time is off that of the past runs, by the share Size
	EnoughOfOwn   LeftOutKind = "enough_of_own"  // the baseline has as many runs as a level takes
)

// LeftOut says why a past run does not count, with the data for the sentence; with its zero value the run counts.
type LeftOut struct {
	Kind       LeftOutKind
	Said       string   // by the reader of the files, a clause
	Hint       string   // what decides what is not known, likewise
	Other      string   // name of a run
	Differs    Setup    // of OtherSetup
	Then, Now  []string // what differs: of the past, and of the runs that are compared
	Against    Against  // of OtherSetup: whose is Now
	Have, Need int      // runs or steps, as the kind says
	Size       float64  // a fraction, as the kind says
	Steps      Unpaired // of StepsUnpaired
}

// Is reports whether there is such a reason.
func (l *LeftOut) Is() bool { return l.Kind != "" }

// or returns l, or another reason if l is none.
func (l LeftOut) or(other LeftOut) LeftOut {
	if l.Is() {
		return l
	}
	return other
}

// Setup is what must be alike for runs to say something about each other's noise.
type Setup string

// What a setup is made of.
const (
	SetupGPU    Setup = "gpu"    // models
	SetupSize   Setup = "size"   // ranks of the job
	SetupRanks  Setup = "ranks"  // numbers of the captured ones
	SetupMarker Setup = "marker" // of steps
)

// Against says with whose setup a past run's was compared.
type Against int

// The setups that past runs are compared with.
const (
	AgainstPair      Against = iota // of the comparison
	AgainstUsed                     // of the runs that are used
	AgainstCandidate                // of the candidate
	AgainstMost                     // of most runs
)

// Elsewhere says how a side's place differs from that of all past runs; its zero value: not known to differ.
type Elsewhere struct {
	Differs   Place
	Side      string
	Then, Now []string // of the past runs, and of the side
}

// Is reports whether there is such a difference.
func (e *Elsewhere) Is() bool { return e.Differs != "" }

// Place says in what places differ.
type Place string

// What places differ in.
const (
	PlaceHosts  Place = "hosts"
	PlaceDriver Place = "driver"
)

// LevelWarning warns about the runs of a baseline: Run is far off all others or, without Run, the baseline itself
// stands alone.
type LevelWarning struct {
	Run string
	Why LeftOut
}

// Reason is one reason with the names of the runs that were left out for it.
type Reasoned struct {
	Why   LeftOut
	Names []string // in order of the runs
}

// ByReason returns the runs that were left out by reason, in order of the first run of each.
func ByReason(runs []PastRun) (out []Reasoned) {
	for _, r := range runs {
		if !r.Why.Is() || r.OfLevel {
			continue
		}
		i := 0
		for i < len(out) && !reflect.DeepEqual(out[i].Why, r.Why) {
			i++
		}
		if i == len(out) {
			out = append(out, Reasoned{Why: r.Why})
		}
		out[i].Names = append(out[i].Names, r.Name)
	}
	return out
}
