//go:build !linux

package trace

// useLargePages does nothing: other systems choose by themselves.
func useLargePages([]byte) {}
