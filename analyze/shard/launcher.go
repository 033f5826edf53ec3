package shard

import (
	"errors"
	"fmt"
	"strings"
)

// Variables of Slurm that tell a step, which runs once a task, from the script of a batch or a
// shell, which run once and hold the number of tasks all the same.
const (
	slurmTask      = "SLURM_PROCID"
	slurmStepTasks = "SLURM_STEP_NUM_TASKS"
	slurmTasks     = "SLURM_NTASKS"
	slurmElement   = "SLURM_ARRAY_TASK_ID"
	slurmElements  = "SLURM_ARRAY_TASK_COUNT"
)

// launcher starts many processes and tells each its number.
type launcher struct {
	index string // variable with the number of the process, from 0
	count string // variable with how many there are; "" where it tells none
	level level
}

// level is what a launcher starts many of. Within a level the first launcher that is present counts: mpirun starts its
// own helpers through srun. Two levels at once multiply.
type level int

const (
	pods level = iota
	elements
	processes
)

// launchers in the order in which they are asked. MPI comes before Slurm, as what mpirun starts from a batch script
// inherits SLURM_PROCID=0. PMIx, which also gets a number from srun and mpirun, tells no count, and comes last.
var launchers = []launcher{
	{"JOB_COMPLETION_INDEX", "", pods},                          // an Indexed Job of Kubernetes
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", processes}, // not OMPI_UNIVERSE_SIZE, which are slots
	{"PALS_RANKID", "PMI_SIZE", processes},
	{"PMI_RANK", "PMI_SIZE", processes}, // MPICH, Intel MPI
	{slurmTask, slurmStepTasks, processes},
	{"PMIX_RANK", "", processes},
	{slurmElement, slurmElements, elements},
}

// environment looks up a variable.
type environment func(name string) (value string, ok bool)

// get returns the value of a variable, "" if it is not set or empty.
func (env environment) get(name string) string {
	value, _ := env(name)
	return value
}

// seen writes the variables that are set, with their values.
func (env environment) seen(names ...string) string {
	var out []string
	for _, name := range names {
		if value := env.get(name); value != "" {
			if number(value) < 0 {
				value = fmt.Sprintf("%.40q", value)
			}
			out = append(out, name+"="+value)
		}
	}
	return strings.Join(out, ", ")
}

// number returns the value of a variable as a number from 0, or an error if it is none.
func (env environment) number(name string) (int, error) {
	n := number(env.get(name))
	if n < 0 {
		return 0, fmt.Errorf("%s is no number from 0: say --shard I/N", env.seen(name))
	}
	return n, nil
}

// place is what a launcher says about this process.
type place struct {
	level
	index, count int    // count 0: not said
	from         string // the variables, with values
}

// choose finds the shard from what launchers say.
func (env environment) choose(planned int) (Shard, error) {
	places, err := env.places(planned)
	if err == nil {
		err = env.sayOne()
	}
	if err != nil {
		return Shard{}, err
	}
	var divide, alone []place // started as one of several; started once
	for _, p := range places {
		switch {
		case p.count == 1:
			alone = append(alone, p)
		case len(divide) == 0 || divide[len(divide)-1].level != p.level:
			divide = append(divide, p)
		}
	}
	switch {
	case len(divide) > 1:
		return Shard{}, fmt.Errorf("%s and %s both count processes, and which of all this is cannot be told: "+
			"start one process in each, or say --shard I/N", divide[0].from, divide[1].from)
	case len(divide) == 1:
		return divide[0].shard(planned)
	case len(alone) > 0:
		return alone[0].shard(planned)
	}
	return Shard{}, env.nobodySays()
}

// sameProcess are variables by which one launcher numbers a process twice. Others may differ: what
// mpirun starts inherits the SLURM_PROCID of the script that called it.
var sameProcess = [][2]string{{"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}, {"PALS_RANKID", "PMI_RANK"}}

// sayOne returns an error if a launcher gives this process two numbers: one of them was inherited or set by hand, and
// nobody can tell which.
func (env environment) sayOne() error {
	for _, names := range sameProcess {
		a, b := number(env.get(names[0])), number(env.get(names[1]))
		if a >= 0 && b >= 0 && a != b {
			return fmt.Errorf("%s number this process differently: say --shard I/N", env.seen(names[:]...))
		}
	}
	return nil
}

// places returns what all present launchers say. If one says something twice the first counts.
func (env environment) places(planned int) ([]place, error) {
	var out []place
	for _, l := range launchers {
		if env.get(l.index) == "" || l.index == slurmTask && !env.inStep() {
			continue
		}
		p := place{level: l.level, from: env.seen(l.index, l.count)}
		var err error
		if p.index, err = env.number(l.index); err != nil {
			return nil, err
		}
		switch {
		case l.level == elements:
			p.count, err = env.elements(planned)
		case l.count != "" && env.get(l.count) != "":
			p.count, err = env.number(l.count)
		}
		switch {
		case err != nil:
			return nil, err
		case p.count > 0 && p.index >= p.count, l.level == processes && p.count == 0 && env.get(l.count) != "":
			return nil, fmt.Errorf("%s: there is no such number among so many: say --shard I/N", p.from)
		}
		out = append(out, p)
	}
	return out, nil
}

// inStep reports whether srun started this process as a task of a step. A shell from salloc is by itself a step of one
// task, and keeps the number of tasks of the allocation.
func (env environment) inStep() bool {
	step := env.get(slurmStepTasks)
	return step != "" && !(step == "1" && number(env.get(slurmTasks)) > 1)
}

// elements returns how many elements an array has, if it starts at 0 and has no holes; 0, not known, where a plan says
// it. An array that repeats failed elements looks no different from a whole one: --array=3,5 counts 2.
func (env environment) elements(planned int) (int, error) {
	if planned > 0 {
		return 0, nil
	}
	const low, high, by = "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"
	count := number(env.get(slurmElements))
	whole := number(env.get(low)) == 0 && number(env.get(by)) == 1 && count == number(env.get(high))+1
	if !whole || count < 2 {
		return 0, fmt.Errorf("%s: how many shards there are cannot be told from an array that is not 0 to N-1: "+
			"make a plan with perfdiff plan and give it with --plan, or say --shard $%s/N",
			env.seen(slurmElement, slurmElements, low, high, by), slurmElement)
	}
	return count, nil
}

// shard returns the share at a place.
func (p place) shard(planned int) (Shard, error) {
	switch {
	case planned > 0 && p.count > 0 && p.count != planned:
		return Shard{}, fmt.Errorf("%s, and the plan has %s: start as many processes, or make a plan with --shards %d",
			p.from, shards(planned), p.count)
	case planned > 0 && p.index >= planned:
		return Shard{}, fmt.Errorf("%s, and the plan has %s, 0 to %d: start numbers 0 to %d only",
			p.from, shards(planned), planned-1, planned-1)
	case planned > 0:
		p.count = planned
	case p.count == 0:
		return Shard{}, fmt.Errorf("%s says which, and nothing says of how many: make a plan with perfdiff plan and "+
			"give it with --plan, or say --shard I/N", p.from)
	case p.count > MaxCount:
		return Shard{}, fmt.Errorf("%s: there can be %d shards", p.from, MaxCount)
	}
	return Shard{Index: p.index, Count: p.count, From: p.from}, nil
}

// others lists variables with a number that are not used: some count from 1, others are set by more than one kind of
// launcher. instead says what to use.
var others = []struct {
	names   []string
	instead string
}{
	{[]string{"TORCHELASTIC_RUN_ID", "RANK", "WORLD_SIZE"}, "--shard $RANK/$WORLD_SIZE in a shell that torchrun starts"},
	{[]string{"PBS_ARRAY_INDEX"}, "--shard $PBS_ARRAY_INDEX/N for an array from 0 to N-1"},
	{[]string{"PARALLEL_SEQ"}, "--shard {}/N with numbers from 0, as PARALLEL_SEQ counts from 1"},
}

// nobodySays returns the error where no launcher divides the work.
func (env environment) nobodySays() error {
	if number(env.get(slurmTasks)) > 1 {
		return fmt.Errorf("%s: this is a batch script or a shell, which runs once, and no step of srun: "+
			"start it with srun, or say --shard I/N", env.seen(slurmTask, slurmTasks, slurmStepTasks))
	}
	var names []string
	for _, o := range others {
		if seen := env.seen(o.names...); env.get(o.names[0]) != "" {
			return fmt.Errorf("%s: say %s", seen, o.instead)
		}
	}
	for _, l := range launchers {
		names = append(names, l.index)
	}
	text := "no launcher says which shard this is: " + strings.Join(names, ", ") + " are not set"
	if seen := env.seen("SLURM_JOB_ID", slurmTask, slurmTasks); seen != "" {
		text = seen + ": this runs once, and no step of srun and no array says which shard it is"
	}
	return errors.New(text + ": start it with srun or mpirun, say --shard I/N as in --shard 0/8, or --shard local")
}
