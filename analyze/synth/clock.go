package synth

import "time"

// clockSample is the time from one sample of a device's clocks to the next.
const clockSample = int64(2 * time.Millisecond)

// hertz is the clock at which the devices ran, as a sampler in whole MHz has it.
func (j *job) hertz() int64 { return int64(float64(j.ClockRate)*j.Clock/1e6+0.5) * 1e6 }

// clockRows are samples of the device's clocks, and of how busy it was.
func (p *profile) clockRows(e *exportWriter) {
	const gpc, sys, active = 11, 12, 13
	typ := int64(virtualMachine) | int64(p.local)
	info := e.rows("TARGET_INFO_GPU_METRICS", "typeId metricId metricName", "sourceId=1 typeName='GB'")
	info(typ, gpc, "GPC Clock Frequency [MHz]")
	info(typ, sys, "SYS Clock Frequency [MHz]")
	info(typ, active, "GR Active [Throughput %]")
	row := e.rows("GPU_METRICS", "rawTimestamp timestamp typeId metricId value", "")
	for at := int64(0); at < p.last(); at += clockSample {
		row(at, at, typ, gpc, p.job.hertz()/1e6)
		row(at, at, typ, sys, 1500)
		row(at, at, typ, active, 97)
	}
}
