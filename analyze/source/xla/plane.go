package xla

import (
	"regexp"
	"strconv"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// plane is a device, the host, or a plane that is not used.
type plane struct {
	kind    planeKind
	ordinal int64
	build.GPU
	spans []trace.Span
}

type planeKind uint8

const (
	planeOther planeKind = iota
	planeGPU
	planeHost
	planeFacts // says something of the capture and has no events
)

var gpuPlane = regexp.MustCompile(`^/device:GPU:(\d+)`)

// wants reports whether anything is made of a plane.
func (b *builder) wants(name string) bool {
	kind, _ := kindOfPlane(name)
	b.tpus = b.tpus || strings.HasPrefix(name, "/device:TPU")
	return kind != planeOther
}

// kindOfPlane returns the kind of a plane by its name. Planes of the host are merged into one when a profile is saved,
// which not all tools do.
func kindOfPlane(name string) (kind planeKind, ordinal int64) {
	if m := gpuPlane.FindStringSubmatch(name); m != nil {
		if n, err := strconv.ParseInt(m[1], 10, 31); err == nil {
			return planeGPU, n
		}
	}
	for _, host := range []string{"/host:CPU", "/host:CUPTI", "/host:ROCTRACER", "/host:NVTX-CUPTI"} {
		if name == host || strings.HasPrefix(name, host+" ") {
			return planeHost, 0
		}
	}
	if name == "Task Environment" {
		return planeFacts, 0
	}
	return planeOther, 0
}

// plane returns the plane of that name.
func (b *builder) plane(name string) *plane {
	kind, ordinal := kindOfPlane(name)
	if kind != planeGPU {
		return &plane{kind: kind}
	}
	if b.gpus[ordinal] == nil {
		if len(b.gpus) == build.MaxPlaces {
			b.crowd++
			return &plane{}
		}
		b.gpus[ordinal] = &plane{kind: kind, ordinal: ordinal}
	}
	return b.gpus[ordinal]
}

// line is a stream of a device or a thread of the host.
type line struct {
	*plane
	kind   lineKind
	number int32 // of the stream or thread
}

type lineKind uint8

const (
	lineOther lineKind = iota
	lineStream
	lineThread
)

var streamLine = regexp.MustCompile(`^Stream #(\d+)`)

// line returns a line of a plane, by its number and name. On a device only streams have work of their own.
func (b *builder) line(p *plane, id int64, name string) *line {
	l := &line{plane: p}
	switch p.kind {
	case planeHost:
		l.kind, l.number = lineThread, int32(id&(1<<31-1))
	case planeGPU:
		if m := streamLine.FindStringSubmatch(name); m != nil {
			if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
				l.kind, l.number = lineStream, int32(n&(1<<31-1))
			}
		}
	}
	return l
}
