package trace

// Operation is one call of an operator of a framework, whose work is known or not.
type Operation struct {
	Start, End int64
	Thread     int32
	Work       int32 // index in Works
}

// Work is what calls of an operator compute, by the shapes of their arguments.
type Work struct {
	FLOPs float64    // floating-point operations, an addition and a multiplication each; NaN not known
	Bytes float64    // that it has to read and write at least, every argument and result once; NaN not known
	Type  NumberType // of the numbers that it multiplies
}

// NumberType is a type of numbers, as far as devices differ in how fast they multiply them.
type NumberType uint8

// The types of numbers. The zero value is not known.
const (
	UnknownType NumberType = iota
	Float64
	Float32
	TensorFloat32 // float32 that tensor cores multiply with 10 bits of mantissa
	Float16       // and bfloat16
	Float8
	Int8
	NumberTypes // how many there are
)

// NumberTypeOf returns the type of a name as frameworks write it: "c10::BFloat16", "float". It is
// unknown for what no matrix is made of.
func NumberTypeOf(dtype string) NumberType {
	switch dtype {
	case "double":
		return Float64
	case "float":
		return Float32
	case "c10::Half", "c10::BFloat16", "at::Half", "at::BFloat16":
		return Float16
	case "c10::Float8_e4m3fn", "c10::Float8_e5m2", "c10::Float8_e4m3fnuz", "c10::Float8_e5m2fnuz":
		return Float8
	case "signed char":
		return Int8
	}
	return UnknownType
}

// Size returns the number of bytes of one number, 0 unknown.
func (t NumberType) Size() float64 {
	switch t {
	case Float64:
		return 8
	case Float32, TensorFloat32:
		return 4
	case Float16:
		return 2
	case Float8, Int8:
		return 1
	}
	return 0
}

// String returns the type as people call it: "bfloat16 and float16"; "" unknown.
func (t NumberType) String() string {
	switch t {
	case Float64:
		return "float64"
	case Float32:
		return "float32"
	case TensorFloat32:
		return "TF32"
	case Float16:
		return "16 bits"
	case Float8:
		return "8 bits"
	case Int8:
		return "int8"
	}
	return ""
}
