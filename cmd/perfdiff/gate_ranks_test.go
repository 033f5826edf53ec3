package main

import (
	"fmt"
	"os"
)

// editedFirst copies a run set and edits the files of its first ranks.
func (y *gateInputs) editedFirst(from, name string, ranks int, edit func(*exported) error) {
	y.Helper()
	n := 0
	y.edited(from, name, func(e *exported) error {
		if n++; n > ranks {
			return nil
		}
		return edit(e)
	})
}

// inUnit multiplies all times.
func inUnit(factor string) func(*exported) error {
	return func(e *exported) error {
		for _, table := range []string{"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_RUNTIME",
			"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "NVTX_EVENTS", "OSRT_API"} {
			if err := e.run(fmt.Sprintf("update %s set start = cast(round(start * %s) as int), end = cast(round(end * %s) as int)", table, factor, factor)); err != nil {
				return err
			}
		}
		return nil
	}
}

// deviceClock lets the clock of the device run at another rate than that of the host.
func deviceClock(factor string) func(*exported) error {
	return func(e *exported) error {
		const first = "(select min(start) from CUPTI_ACTIVITY_KIND_RUNTIME)"
		for _, table := range []string{"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY"} {
			for _, column := range []string{"end", "start"} {
				if err := e.run(fmt.Sprintf("update %s set %s = cast(round(%s + (%s - %s) * %s) as int)", table, column, first, column, first, factor)); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// withForeign copies a run set and puts a file of another one in the place of its own.
func (y *gateInputs) withForeign(from, name, other, file string) {
	y.Helper()
	y.copies(from, name)
	text, err := os.ReadFile(y.at(other + "/" + file))
	if err == nil {
		err = os.WriteFile(y.at(name+"/"+file), text, 0o644)
	}
	if err != nil {
		y.Fatal(err)
	}
}

// ofSomeRanks writes run sets of which all ranks, or some, were recorded in another way.
func (y *gateInputs) ofSomeRanks() {
	y.edited("same/candidate", "micro", inUnit("0.001"))
	y.edited("slow/baseline", "micro-base", inUnit("0.001"))
	y.edited("same/candidate", "pico", inUnit("1000"))
	y.editedFirst("same/candidate", "micro-one", 1, inUnit("0.001"))
	y.editedFirst("slow/candidate", "micro-one-slow", 1, inUnit("0.001"))
	y.editedFirst("same/candidate", "micro-three", 3, inUnit("0.001"))
	y.edited("same/candidate", "fast-clock", deviceClock("0.8"))
	y.withForeign("same/candidate", "foreign-rank", "slow/candidate", "report.1.sqlite")
	y.altered("same/candidate", "late-end", "update CUPTI_ACTIVITY_KIND_KERNEL set end = end + 3600000000000 where rowid = 30")
	y.editedFirst("same/candidate", "bare-one", 1, (*exported).dropMarkers)
	y.editedFirst("same/candidate", "bare-two", 2, (*exported).dropMarkers)
	y.editedFirst("same/baseline", "bare-three-base", 3, (*exported).dropMarkers)
}
