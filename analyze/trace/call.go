package trace

// ReadCall reports whether a call of the operating system reads: it waits until
// the data is there.
func ReadCall(name string) bool {
	switch name {
	case "read", "readv", "readv2", "read64", "readv64", "readv264",
		"pread", "preadv", "preadv2", "pread64", "preadv64", "preadv264", "preadv64v2",
		"fread", "__read", "io_getevents", "aio_suspend":
		return true
	}
	return false
}
