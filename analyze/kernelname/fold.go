package kernelname

import (
	"regexp"
	"slices"
	"strings"
)

// Folding is one rule by which names that mean the same become one name, with an example.
type Folding struct {
	Of     string // "kernel" or "range"
	Name   string // what is folded, for people
	Before string
	After  string
}

// Foldings returns all rules of CanonicalKernel, CanonicalRange and Ordinary, for the page
// that says how names were compared. A test holds the functions to the examples.
func Foldings() []Folding { return slices.Clone(foldings) }

var foldings = []Folding{
	{"kernel", "the version of NCCL, the algorithm and the protocol of a collective", "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", "nccl:AllReduce f32"},
	{"kernel", "the return type", "std::enable_if<!(false), void>::type gemvx::kernel<float>", "gemvx::kernel<float>"},
	{"kernel", "parameters, also those of enclosing functions", "void f<g(at::Tensor const&)::{lambda(float)#1}>(int, float*)", "f<g::{lambda(float)#1}>"},
	{"kernel", "the spelling of numbers in template arguments", "void f<(int)4, (bool)1, 2ul>(int)", "f<4, true, 2>"},
	{"kernel", "the spelling of unnamed namespaces and lambdas", "<unnamed>::f<g()::[lambda(float) (instance 2)]>", "(anonymous namespace)::f<g::{lambda(float)#2}>"},
	{"kernel", "const and white space", "f<g<const float *> >", "f<g<float*>>"},
	{"kernel", "the version of CUB, Thrust and libcu++ in their namespaces", "cub::CUB_200700_860_NS::DeviceScanKernel<cuda::std::__4::plus<void>>", "cub::DeviceScanKernel<cuda::std::plus<void>>"},
	{"kernel", "PyTorch's array class, which became that of the library", "f<at::detail::Array<char*, 2>>", "f<std::array<char*, 2>>"},
	{"kernel", "what a compiler appends to its copy of a function", "f(int) [clone .kd]", "f"},
	{"kernel", "hashes of unnamed namespaces", "_ZN2at6native55_GLOBAL__N__19095488_22_DistributionUniform_cu_67fa25cf4fillEv", "_ZN2at6native12_GLOBAL__N_14fillEv"},
	{"kernel", "addresses", "kernel_0x7f3a5c001b40", "kernel_0xN"},
	{"kernel", "what Triton appends about arguments, and hashes in front of it", "add_kernel_8d4b99fa_0d1d2d3de", "add_kernel"},
	{"kernel", "numbers that Inductor, XLA and nvFuser count kernels with", "triton_poi_fused_add_12", "triton_poi_fused_add"},
	{"kernel", "lines in the names of offloaded kernels; several of one function are numbered by line, as #1of2", "nvkernel_solve_F1L204_2", "nvkernel_solve_F1L#"},
	{"range", "numbers of an occurrence: op_id and seq", "aten::mm, op_id = 123", "aten::mm"},
	{"range", "the number at the end, in summaries", "ProfilerStep#7", "ProfilerStep#N"},
}

// CanonicalKernel returns a kernel's name as two builds of the same program share it, see Foldings. Template arguments
// stay: types, tile sizes, unrolling and the function that is applied are all that tells two kernels of a library
// apart, and a comparison must show changes in them. It looks at the whole name, which can be kilobytes long, so
// callers ask once a name and not once a launch.
func CanonicalKernel(name string) string { return folded(name) }

var folded = Remember(fold)

func fold(name string) string {
	if c, comm := CommunicationOf(name); comm && c.Library == "NCCL/RCCL" {
		return "nccl:" + c.Collective + reduced(c.Collective, name)
	}
	name = unadorned(name)
	if stem, _, ok := withoutLine(name); ok {
		return stem
	}
	if strings.ContainsAny(name, "<(") {
		name = strings.ReplaceAll(respell(name), "at::detail::Array<", "std::array<")
	}
	return withoutCounters(withoutAddresses(withoutHash(name)))
}

// unadorned returns a name without what compilers append to it.
func unadorned(name string) string {
	name, _, _ = strings.Cut(name, " [clone ")
	return strings.TrimSuffix(name, ".kd") // the kernel descriptor of ROCm
}

// The types in names of NCCL's kernels, of every version.
var (
	reducedType = regexp.MustCompile(`(?i)_(f16|f32|f64|bf16|half|float|double|(?:__nv_|hip_|rccl_)?bfloat16|f8e4m3|f8e5m2)(?:_|$|\()`)
	floatTypes  = map[string]string{"half": "f16", "float": "f32", "double": "f64", "bfloat16": "bf16"}
)

// reduced returns the floating type that a collective adds up, " f32", where the name says it in all versions of NCCL:
// not the operation, which has been "Sum" whatever it is since 2.19, nor integers, whose sign is lost since then.
func reduced(coll, name string) string {
	m := reducedType.FindStringSubmatch(name)
	if m == nil || coll != "AllReduce" && coll != "ReduceScatter" && coll != "Reduce" {
		return ""
	}
	t := strings.ToLower(m[1])
	if i := strings.LastIndexByte(t, '_'); i >= 0 {
		t = t[i+1:]
	}
	if known, ok := floatTypes[t]; ok {
		t = known
	}
	return " " + t
}

// withoutHash puts the name that compilers agree on for an unnamed namespace into a
// mangled name, in which nvcc writes one with a hash of the source's path.
func withoutHash(name string) string {
	const unnamed = "_GLOBAL__N_"
	if !strings.HasPrefix(name, "_Z") {
		return name
	}
	for from := 0; ; {
		i := strings.Index(name[from:], unnamed)
		if i < 0 {
			return name
		}
		i += from
		from = i + len(unnamed)
		start, length := i, 0
		for start > 0 && digit(name[start-1]) && i-start < 4 {
			start--
		}
		for _, c := range []byte(name[start:i]) {
			length = 10*length + int(c-'0')
		}
		if length > len(unnamed)+1 && i+length <= len(name) {
			name = name[:start] + "12" + unnamed + "1" + name[i+length:]
		}
	}
}

var address = regexp.MustCompile(`(^|[^0-9A-Za-z])0x[0-9A-Fa-f]{4,}`)

func withoutAddresses(name string) string {
	if !strings.Contains(name, "0x") {
		return name
	}
	return address.ReplaceAllString(name, "${1}0xN")
}

var (
	// specialized is what Triton before 3.0 appends: the arguments that are divisible by
	// 16, equal to 1 or divisible by 8.
	specialized = regexp.MustCompile(`_0(?:(?:de?|c)1|1[0-9]*(?:de?|c))[0-9dce]*$`)
	// counted are the kernels whose compiler numbers them.
	counted = regexp.MustCompile(`^(triton_(?:` + strings.Join(inductors, "|") + `)(?:_.*?)?|` +
		`fusion|(?:loop|input)_[a-z_]+_fusion|gemm_fusion[a-z_]*?|copy_fusion|wrapped_[a-z_]+?)(?:_[0-9]+)+$`)
	fuser = regexp.MustCompile(`^(nvfuser_[a-z_]+?)_f[0-9]+_c[0-9]+_r[0-9]+_g[0-9]+$`)
)

// withoutCounters drops the numbers and hashes of generated kernels: one more operator in a model renumbers all that
// follow.
func withoutCounters(name string) string {
	if strings.ContainsAny(name, "<:") || !strings.ContainsAny(name, "0123456789") {
		return name
	}
	whole := name
	if maySpecialize(name) {
		name = specialized.ReplaceAllString(name, "")
	}
	if len(name) < len(whole) || strings.HasPrefix(name, "triton_") {
		name = withoutFinalHash(name)
	}
	if stem, numbered := withoutNumber(name); numbered {
		return stem
	}
	if strings.HasPrefix(name, "nvfuser_") {
		if m := fuser.FindStringSubmatch(name); m != nil {
			return m[1]
		}
	}
	return name
}

// behindLast returns the text after the last "_", "" without any.
func behindLast(name string) string { return name[strings.LastIndexByte(name, '_')+1:] }

// maySpecialize returns the look before the expression.
func maySpecialize(name string) bool {
	last := behindLast(name)
	return len(last) < len(name) && strings.HasPrefix(last, "0") && strings.Trim(last, "0123456789dce") == ""
}

// withoutFinalHash drops "_" and 8 to 64 digits of a hash at the end of a name.
func withoutFinalHash(name string) string {
	h := behindLast(name)
	if n := len(h); n < 8 || n > 64 || n == len(name) || strings.Trim(h, "0123456789abcdef") != "" ||
		!strings.ContainsAny(h, "0123456789") || !strings.ContainsAny(h, "abcdef") {
		return name
	}
	return name[:len(name)-len(h)-1]
}

// numberers begin the names that compilers number.
var numberers = []string{"triton_", "fusion_", "loop_", "input_", "gemm_fusion", "copy_fusion_", "wrapped_"}

// withoutNumber returns a name without the number that counts it, if Inductor numbered it. It does what the first part
// of the expression counted does, by hand: a capture can have a million such names.
func withoutNumber(name string) (stem string, numbered bool) {
	begins := func(s string) bool { return strings.HasPrefix(name, s) }
	if numbers(name) == len(name) || !slices.ContainsFunc(numberers, begins) {
		return "", false
	}
	if rest, ok := strings.CutPrefix(name, "triton_"); ok && !strings.Contains(name, "\n") {
		kind, more, _ := strings.Cut(rest, "_")
		if !slices.Contains(inductors, kind) {
			return "", false
		}
		if n := numbers(more); n < len(more) {
			return name[:len(name)-len(more)+n], true
		}
		// Nothing but one number is behind it.
		return name[:len(name)-len(more)-1], strings.Trim(more, "0123456789") == ""
	}
	if m := counted.FindStringSubmatch(name); m != nil {
		return m[1], true
	}
	return "", false
}

// inductors are the kinds of kernels that Inductor numbers.
var inductors = []string{"poi", "red", "per", "tem", "for", "spl", "mix", "mm", "bmm", "fused", "softmax"}

// numbers returns where the numbers begin that end a name, each after a "_"; the name's end if there are none.
func numbers(name string) int {
	at := len(name)
	for {
		i := at
		for i > 0 && digit(name[i-1]) {
			i--
		}
		if i == at || i == 0 || name[i-1] != '_' {
			return at
		}
		at = i - 1
	}
}

// WithoutNumbers appends a name to out, with one digit in place of each number, and
// reports whether it has any.
func WithoutNumbers(out []byte, name string) (folded []byte, numbers bool) {
	word, number := false, false // behind a letter or what follows one; within a number
	for i := range len(name) {
		c := name[i]
		switch {
		case !digit(c):
			word, number = alphanumeric(c), false
		case number:
			continue
		case !word:
			c, number, numbers = '0', true, true
		}
		out = append(out, c)
	}
	return out, numbers
}

// commonStart returns how many bytes both begin with, eight at a time, without digits at the end: their number may go
// on after it.
func commonStart(folded []byte, name string) int {
	at, most := 0, min(len(folded), len(name))-8
	for at <= most && string(folded[at:at+8]) == name[at:at+8] {
		at += 8
	}
	for at > 0 && digit(name[at-1]) {
		at--
	}
	return at
}

// IsWithoutNumbers reports whether folded is the result of WithoutNumbers for a name.
func IsWithoutNumbers(folded []byte, name string) bool {
	at := commonStart(folded, name)
	for i := at; i < len(name); at++ {
		c := name[i]
		i++
		if digit(c) && (i == 1 || !alphanumeric(name[i-2])) { // a number, not a part of a word
			c = '0'
			for i < len(name) && digit(name[i]) {
				i++
			}
		}
		if at >= len(folded) || folded[at] != c {
			return false
		}
	}
	return at == len(folded)
}
