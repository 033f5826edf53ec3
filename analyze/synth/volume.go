package synth

import "slices"

// samplePeriod is how often Nsight Systems samples volumes unless it is told otherwise, in ns.
const samplePeriod = 1_000_000

// The ids of the counter group of the volume, of its schema and of its scope.
const (
	volumeGroup  = 1
	volumeSchema = 4
	volumeScope  = 6
)

// sampleVolumes samples on the first rank of each node how much the node's ranks read.
func (m *simulation) sampleVolumes() {
	if !m.Reads.Counters || m.Reads.Bytes == 0 {
		return
	}
	for _, first := range m.ranks {
		if first.local != 0 {
			continue
		}
		var reads []read
		for _, r := range m.ranks {
			if r.node == first.node {
				reads = append(reads, r.reads...)
			}
		}
		first.volume = sampled(reads, first.origin)
	}
}

// sampled returns samples of reads, each spread evenly over its time, from a time on. The first
// says nothing but when it was taken.
func sampled(reads []read, origin int64) []sample {
	end := origin
	for _, x := range reads {
		end = max(end, x.end)
	}
	bytes := make([]float64, (end-origin)/samplePeriod+1)
	for _, x := range reads {
		for i := (x.start - origin) / samplePeriod; i <= (x.end-1-origin)/samplePeriod; i++ {
			lo, hi := origin+i*samplePeriod, origin+(i+1)*samplePeriod
			bytes[i] += float64(x.bytes) * float64(min(hi, x.end)-max(lo, x.start)) / float64(x.end-x.start)
		}
	}
	out := []sample{{at: origin}}
	rest := 0.0 // of what was rounded
	for i, b := range bytes {
		whole := int64(b + rest)
		rest += b - float64(whole)
		out = append(out, sample{origin + int64(i+1)*samplePeriod, whole})
	}
	return slices.Clip(out)
}

// volumeRows writes the storage counters as --storage-metrics records them: what programs asked
// of a mounted volume, in bytes a sample. Unseen: no export's schema that is known has these tables of counters, nor
// NET_NIC_METRIC, which --nic-metrics records; that one is not written.
func (p *profile) volumeRows(e *exportWriter) {
	e.rows("NVTX_PAYLOAD_SCHEMAS", "schemaId name", "domainId=0 type=1 flags=0 numEntries=3 payloadSize=24 alignTo=8")(volumeSchema, "Throughput Counter Group Schema")
	e.rows("NVTX_SCOPES", "scopeId parentScopeId path", "domainId=0")(volumeScope, 0, "Mounts//data")
	e.rows("NVTX_COUNTER_GROUPS", "counterGroupId schemaId name scopeId", "domainId=0")(volumeGroup, volumeSchema, "Application", volumeScope)
	row := e.rows("NVTX_COUNTER_SAMPLES_0_1", "timestamp Read Write", "")
	for _, x := range p.volume {
		row(x.at, x.bytes, 0)
	}
}
