// Package console has the outputs of a command: files, terminals, and the bar that shows progress.
package console

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/term"
)

// WriteFile replaces the content of a file by the output of render, in one step: after a failure the file is unchanged.
// Anything but a regular file, for example a pipe, is written to directly.
func WriteFile(name string, render func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	mode := fs.FileMode(0o666)
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
		return writeDirectly(name, render)
	} else if err == nil {
		mode = st.Mode().Perm()
	}
	return ReplaceFile(name, mode, render)
}

// Standard reports whether an --output means standard output.
func Standard(name string) bool { return name == "" || name == "-" }

// Reachable fails if WriteFile cannot write to a file because its directory does not exist, or because a directory has its name.
func Reachable(name string) error {
	if Standard(name) {
		return nil
	}
	dir, err := os.Stat(filepath.Dir(name))
	if err != nil {
		return unwritten(name, err)
	}
	if !dir.IsDir() {
		return unwritten(name, syscall.ENOTDIR)
	}
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		return unwritten(name, syscall.EISDIR)
	}
	return nil
}

func writeDirectly(name string, render func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return unwritten(name, err)
	}
	return errors.Join(render(f), f.Close())
}

// unwritten names the output in an error that names the directory or a temporary file.
func unwritten(name string, err error) error {
	return fmt.Errorf("write output %q: %w", name, cmp.Or(errors.Unwrap(err), err))
}

// ReplaceFile is WriteFile with a given file mode.
func ReplaceFile(name string, mode fs.FileMode, render func(io.Writer) error) (err error) {
	tmp := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+rand.Text()[:8])
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode) // limited by the umask
	if err != nil {
		return unwritten(name, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp))
		}
	}()
	if err := errors.Join(render(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp, name); err != nil {
		return unwritten(name, err)
	}
	return nil
}

// Terminal returns the width of the terminal that a stream is connected to; ok is false if there is none.
func Terminal(w any) (width int, ok bool) {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, true
	}
	return width, true
}

// ReadLimited reads a whole stream. It fails if the stream is longer than limit.
func ReadLimited(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, min(limit, math.MaxInt64-1)+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("larger than %d bytes", limit)
	}
	return b, err
}
