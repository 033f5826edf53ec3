package synth

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// xlaStat is a stat of an event: a number, or a text, which the plane keeps once.
type xlaStat struct {
	name   string
	number int64
	text   string
}

// xlaEvent is an event of a line, in ns.
type xlaEvent struct {
	name       string
	start, end int64
	stats      []xlaStat
}

// xlaLine is a stream or a thread.
type xlaLine struct {
	id     int64
	name   string
	events []xlaEvent
}

// xlaPlane is a device or the host.
type xlaPlane struct {
	id    int64
	name  string
	lines []xlaLine
	stats []xlaStat
}

// xlaPlanes returns what XLA's profiler records of a rank: the host's annotations and calls, and the streams of its
// device with the lines that are derived from them.
func (p *profile) xlaPlanes() []xlaPlane {
	host := xlaPlane{id: 0, name: "/host:CPU", lines: []xlaLine{{id: p.pid(), name: "python", events: p.xlaHost()}}}
	planes := []xlaPlane{{id: 9, name: "/host:metadata", stats: []xlaStat{{name: "Hlo Proto", text: strings.Repeat("\x00program", 1000)}}}, host}
	if !p.job.NoDevice {
		planes = append(planes, p.xlaDevice())
	}
	return append(planes, xlaPlane{id: 8, name: "Task Environment", stats: []xlaStat{{name: "profile_start_time", number: p.epoch}, {name: "profile_stop_time", number: p.epoch + p.last()}}})
}

// xlaHost returns the events of the main thread: annotations, with the number of a step, and calls.
func (p *profile) xlaHost() (all []xlaEvent) {
	add := func(s span, stats ...xlaStat) { all = append(all, xlaEvent{s.name, s.start, s.end, stats}) }
	if p.job.Markers {
		for i, in := range p.inputs {
			if i < len(p.markerEnds) {
				s := span{cmp.Or(p.job.stepName(p.loads[i]), "train"), p.hostStarts[i], p.markerEnds[i]}
				if s.name == "train" {
					add(s, xlaStat{name: "step_num", number: p.story.doc.FirstStep + int64(i)}, xlaStat{name: "_r", number: 1})
				} else {
					add(s)
				}
			}
			if p.job.Serving.Batch == 0 {
				add(span{"DataLoader.__next__", in.start, in.end})
			}
		}
		for _, s := range p.phases {
			add(s)
		}
	}
	for _, s := range p.programRanges {
		add(s)
	}
	add(span{"$train.py:88 train_step", p.hostStarts[0], p.last()})
	if p.job.NoDevice {
		return all
	}
	for _, c := range p.calls {
		name, _, _ := strings.Cut(c.name, "_v")
		all = append(all, xlaEvent{name, c.start, c.end, []xlaStat{{name: "device_id", number: int64(p.local)}, {name: "correlation_id", number: c.correlation}}})
	}
	return all
}

// xlaDevice returns the plane of the rank's device.
func (p *profile) xlaDevice() xlaPlane {
	streams := map[int][]xlaEvent{}
	var ops []xlaEvent
	for _, w := range p.kernelWork() {
		e := xlaEvent{start: w.start, end: w.end, stats: []xlaStat{{name: "correlation_id", number: w.correlation}}}
		kernel := func(name string, grid, block int) {
			e.name = name
			e.stats = append(e.stats, xlaStat{name: "kernel_details", text: fmt.Sprintf("regs:64 static_shared:0 dynamic_shared:0 grid:%d,1,1 block:%d,1,1 occ_pct:38", grid, block)},
				xlaStat{name: "hlo_op", text: "fusion.7"}, xlaStat{name: "hlo_module", text: "jit_train_step"})
		}
		switch w.class {
		case memory:
			from := "pinned"
			if p.job.Copy.Pageable {
				from = "pageable"
			}
			e.name = "MemcpyH2D"
			e.stats = append(e.stats, xlaStat{name: "memcpy_details", text: fmt.Sprintf("kind_src:%s kind_dst:device size:%d dest:%d async:1", from, w.bytes, p.local)})
		case comm:
			kernel(w.name(), 24, 544)
		case compute:
			kernel(w.kernel.name, w.kernel.grid, w.kernel.block)
		}
		streams[w.stream] = append(streams[w.stream], e)
		ops = append(ops, xlaEvent{"fusion.7", w.start, w.end, nil})
	}
	var steps []xlaEvent
	for i := range p.markerEnds {
		steps = append(steps, xlaEvent{strconv.Itoa(i), p.deviceStarts[i], p.deviceStarts[i+1], nil})
	}
	return xlaPlane{id: int64(p.local) + 1, name: fmt.Sprintf("/device:GPU:%d", p.local), lines: []xlaLine{
		{computeStream, fmt.Sprintf("Stream #%d(MemcpyH2D,Compute)", computeStream), streams[computeStream]},
		{commStream, fmt.Sprintf("Stream #%d(Compute)", commStream), streams[commStream]},
		{1 << 20, "Steps", steps}, {1<<20 + 1, "XLA Ops", ops},
	}, stats: []xlaStat{{name: "gpu_device_name", text: p.gpu}, {name: "memory_size", number: 85520809984}, {name: "device_vendor", text: "Nvidia"}}}
}

// Fields of the messages of xplane.proto, as protocol buffers write them.
func protoNumber(b []byte, field int, n int64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(field)<<3), uint64(n))
}

func protoBytes(b []byte, field int, text []byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(b, uint64(field)<<3|2), uint64(len(text))), text...)
}

// protoWords are the names of a plane's events and stats, by id from 1.
type protoWords struct {
	ids   map[string]int64
	names []string
}

func (w *protoWords) id(name string) int64 {
	id, ok := w.ids[name]
	if !ok {
		id = int64(len(w.names)) + 1
		w.ids[name], w.names = id, append(w.names, name)
	}
	return id
}

// entries returns these names as a map of metadata.
func (w *protoWords) entries(b []byte, field int) []byte {
	for i, name := range w.names {
		metadata := protoBytes(protoNumber(nil, 1, int64(i)+1), 2, []byte(name))
		b = protoBytes(b, field, protoBytes(protoNumber(nil, 1, int64(i)+1), 2, metadata))
	}
	return b
}

// stat returns a stat with texts as references.
func (w *protoWords) stat(s xlaStat) []byte {
	b := protoNumber(nil, 1, w.id(s.name))
	if s.text != "" {
		return protoNumber(b, 7, w.id(s.text))
	}
	return protoNumber(b, 4, s.number)
}

// plane is a plane of xplane.proto.
func (x *xlaPlane) encode() []byte {
	events, stats := protoWords{ids: map[string]int64{}}, protoWords{ids: map[string]int64{}}
	b := protoBytes(protoNumber(nil, 1, x.id), 2, []byte(x.name))
	for _, l := range x.lines {
		const begins = 1_000 // ns at which the line does
		line := protoNumber(protoBytes(protoNumber(nil, 1, l.id), 2, []byte(l.name)), 3, begins)
		for _, e := range l.events {
			event := protoNumber(protoNumber(protoNumber(nil, 1, events.id(e.name)), 2, (e.start-begins)*1000), 3, (e.end-e.start)*1000)
			for _, s := range e.stats {
				event = protoBytes(event, 4, stats.stat(s))
			}
			line = protoBytes(line, 4, event)
		}
		b = protoBytes(b, 3, line)
	}
	var own []byte
	for _, s := range x.stats {
		own = protoBytes(own, 6, stats.stat(s))
	}
	return append(stats.entries(events.entries(b, 4), 5), own...)
}

// writeXPlane writes the planes of one rank.
func (p *profile) writeXPlane(_ context.Context, path string, _ Format) error {
	var b []byte
	for _, x := range p.xlaPlanes() {
		b = protoBytes(b, 1, x.encode())
	}
	return os.WriteFile(path, protoBytes(b, 4, []byte(p.hostName())), 0o666)
}

// writeXLATrace writes the trace for viewers that is made from the planes of one rank.
func (p *profile) writeXLATrace(_ context.Context, path string, _ Format) error {
	return createFile(path, true, func(w *bufio.Writer) error { // which keeps the first error
		fmt.Fprint(w, `{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[`)
		writeXLAPlanes(w, p.xlaPlanes())
		fmt.Fprint(w, `{}]}`)
		return nil
	})
}

// writeXLAPlanes writes the names of planes and lines, then the events.
func writeXLAPlanes(w *bufio.Writer, planes []xlaPlane) {
	const hostID, deviceID = 701, 1
	var events []func()
	for _, x := range planes {
		id := int64(hostID)
		switch {
		case strings.HasPrefix(x.name, "/device:"):
			id = deviceID + x.id
		case x.name != "/host:CPU":
			continue
		}
		fmt.Fprintf(w, `{"ph":"M","pid":%d,"name":"process_name","args":{"name":%q}},{"ph":"M","pid":%d,"name":"process_sort_index","args":{"sort_index":%d}},`, id, x.name, id, id)
		for _, l := range x.lines {
			fmt.Fprintf(w, `{"ph":"M","pid":%d,"tid":%d,"name":"thread_name","args":{"name":%q}},`, id, l.id, l.name)
			for _, e := range l.events {
				events = append(events, func() { writeXLAEvent(w, id, l.id, e) })
			}
		}
	}
	for _, write := range events {
		write()
	}
}

// writeXLAEvent writes an event, with all stats as texts.
func writeXLAEvent(w *bufio.Writer, pid, tid int64, e xlaEvent) {
	micros := func(ns int64) string { return strconv.FormatFloat(float64(ns)/1000, 'g', 17, 64) }
	name, _ := json.Marshal(e.name) // a text always can
	fmt.Fprintf(w, `{"ph":"X","pid":%d,"tid":%d,"ts":%s,"dur":%s,"name":%s`, pid, tid, micros(e.start), micros(e.end-e.start), name)
	for i, s := range e.stats {
		begin := ","
		if i == 0 {
			begin = `,"args":{`
		}
		fmt.Fprintf(w, `%s%q:%q`, begin, s.name, cmp.Or(s.text, strconv.FormatInt(s.number, 10)))
	}
	if len(e.stats) > 0 {
		w.WriteByte('}')
	}
	w.WriteString("},")
}
