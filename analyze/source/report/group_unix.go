//go:build unix

package report

import (
	"os/exec"
	"syscall"
)

// ownGroup lets a command and all it starts be stopped together: nsys is a
// script that starts a program.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
