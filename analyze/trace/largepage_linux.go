package trace

import "syscall"

// useLargePages asks for large pages. A system without them says so, and all is as it was.
func useLargePages(room []byte) { _ = syscall.Madvise(room, syscall.MADV_HUGEPAGE) }
