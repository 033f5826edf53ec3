package kernelname

import (
	"strings"
)

// Communication is what the name of a kernel that moves data between ranks says.
type Communication struct {
	Collective string // "AllReduce", "fused AllReduce", "Dispatch"; "Generic" where the name does not say
	Library    string // "NCCL/RCCL"
}

// FusedPrefix begins the name of a collective whose kernel also computes: an all-reduce followed by normalization, a
// product of matrices with the all-reduce of its result. All of such a kernel counts as communication, since its
// compute cannot be separated.
const FusedPrefix = "fused "

// OwnLibrary is the library of kernels whose name does not say that they communicate: a policy names them, or the
// framework recorded what they send.
const OwnLibrary = "kernels of its own"

// LibraryOf returns the library of a communication kernel by its name.
func LibraryOf(kernel string) string {
	if c, comm := CommunicationOf(kernel); comm {
		return c.Library
	}
	return OwnLibrary
}

// CommunicationOf returns what a kernel's name (as recorded, mangled or canonical) says about its communication; false
// for one that computes.
func CommunicationOf(kernel string) (Communication, bool) {
	if !commWords.in(kernel) {
		return Communication{}, false
	}
	c := knownCommunication(kernel)
	return c, c.Library != ""
}

var knownCommunication = Remember(communicationOf)

func communicationOf(kernel string) Communication {
	function := FunctionOf(kernel)
	for i := range commRules {
		r := &commRules[i]
		if !r.name.MatchString(function) {
			continue
		}
		if r.not != nil && r.not.MatchString(function) {
			return Communication{}
		}
		return Communication{collectiveOf(r.library, kernel, function), r.library}
	}
	return Communication{}
}

// collectiveOf names the collective of a function. CollectiveName knows how NCCL's names hold it; the others' names
// use words of their own.
func collectiveOf(library, kernel, function string) string {
	switch library {
	case "NCCL/RCCL", "HCCL", "PCCL":
		return CollectiveName(function)
	}
	own := function[strings.LastIndexByte(function, ':')+1:]
	name := "Generic"
	for _, c := range collectiveNames {
		if c.of.MatchString(own) {
			name = c.name
			break
		}
	}
	if fusedWords.MatchString(own) && !patternZero.MatchString(kernel) {
		return FusedPrefix + name
	}
	return name
}

// talks are words in the names of functions that may communicate.
var talks = oneOf(`(?i:all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|broadcast|send|recv|exchange|dispatch|combine)`,
	`(?i:peer|p2p|shmem|symm|multimem|rdma|ccl|(?:one|two)_?shot)`, `(?i:(?:^|_|:)ring(?:_|:|$))`)

// MayCommunicate reports whether the name of a kernel that is not known as communication contains a word for it.
func MayCommunicate(kernel string) bool { return talks.MatchString(FunctionOf(kernel)) }

// FunctionOf returns the name of a kernel's function with its namespaces, without return type, template arguments and
// parameters, and without namespaces that have no name.
func FunctionOf(kernel string) string {
	if name := unmangled(kernel); name != "" {
		return name
	}
	if strings.HasPrefix(kernel, "nccl:") { // canonical
		return kernel
	}
	name, _, _ := strings.Cut(kernel, " [clone ")
	for _, unnamed := range []string{anonymous, "<unnamed>"} {
		name = strings.ReplaceAll(name, unnamed+"::", "")
	}
	head, _ := splitArgs(nil, nil, name)
	name, _, _ = strings.Cut(string(head), "(")
	name = strings.TrimSpace(name)
	return strings.TrimSuffix(name[strings.LastIndexByte(name, ' ')+1:], ".kd")
}

// unmangled returns the function of a name that is mangled as the Itanium C++ ABI has it: "a::b" of _ZN1a1bIfEEvv; ""
// for any other name.
func unmangled(name string) string {
	rest, ok := strings.CutPrefix(name, "_Z")
	if !ok {
		return ""
	}
	nested := strings.HasPrefix(rest, "N")
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "N"), "KVL") // a method that is const, internal linkage
	var parts []string
	for {
		n := digits(rest)
		length := 0
		for _, c := range []byte(rest[:min(n, 4)]) {
			length = 10*length + int(c-'0')
		}
		if length == 0 || n > 4 || length > len(rest)-n {
			break
		}
		part := rest[n : n+length]
		if rest = rest[n+length:]; !strings.HasPrefix(part, "_GLOBAL__N_") {
			parts = append(parts, part)
		}
		rest = strings.TrimPrefix(rest, "L")
		if !nested {
			break
		}
	}
	return strings.Join(parts, "::")
}
