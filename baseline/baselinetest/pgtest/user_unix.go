//go:build unix

package pgtest

import (
	"os"
	"os/exec"
	"syscall"
)

// unprivileged is the user "nobody". A server refuses to run as root.
const unprivileged = 65534

func drop(c *exec.Cmd) {
	if os.Getuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: unprivileged, Gid: unprivileged}}
	}
}
