package synth

import "time"

// clockSample is the time from one sample of a device's clocks to the next.
const clockSample = int64(2 * time.Millisecond)

// hertz returns the clock at which the device of a rank ran, as a sampler in whole MHz has it.
func (j *job) hertz(rank int) int64 {
	factor := j.Clock
	if f, ok := j.ClockOf[rank]; ok {
		factor *= f
	}
	return int64(float64(j.ClockRate)*factor/1e6+0.5) * 1e6
}

// hertzOf returns the clock in a step.
func (p *profile) hertzOf(step int) int64 {
	if l := p.job.Later; l != nil && p.story.doc.FirstStep+int64(step) >= l.Step {
		return p.job.changed.hertz(p.rank)
	}
	return p.job.hertz(p.rank)
}

// clockRows writes samples of the device's clocks, and of how busy it was.
func (p *profile) clockRows(e *exportWriter) {
	const gpc, sys, active = 11, 12, 13
	typ := int64(virtualMachine) | int64(p.local)
	info := e.rows("TARGET_INFO_GPU_METRICS", "typeId metricId metricName", "sourceId=1 typeName='GB'")
	info(typ, gpc, "GPC Clock Frequency [MHz]")
	info(typ, sys, "SYS Clock Frequency [MHz]")
	info(typ, active, "GR Active [Throughput %]")
	row := e.rows("GPU_METRICS", "rawTimestamp timestamp typeId metricId value", "")
	step := 0
	for at := int64(0); at < p.last(); at += clockSample {
		for step+1 < len(p.deviceStarts)-1 && p.deviceStarts[step+1] < at {
			step++
		}
		row(at, at, typ, gpc, p.hertzOf(step)/1e6)
		row(at, at, typ, sys, 1500)
		row(at, at, typ, active, 97)
	}
}
