// Package console is what a command writes to: files, terminals, and the bar that shows progress.
package console

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"golang.org/x/term"
)

// WriteFile gives a file the content that render writes, in one step: on any
// failure there is what was there before. What is no regular file, such as a
// pipe, is written to as it is.
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

func writeDirectly(name string, render func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return errors.Join(render(f), f.Close())
}

// ReplaceFile is WriteFile for a file that is to have a mode.
func ReplaceFile(name string, mode fs.FileMode, render func(io.Writer) error) (err error) {
	tmp := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+rand.Text()[:8])
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode) // as the umask allows
	if err != nil {
		return fmt.Errorf("write output: %w", err)
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
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

// Terminal returns the width of the terminal a stream is connected to, 0 if none.
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

// ReadLimited reads all of a stream that must not be longer than limit.
func ReadLimited(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, min(limit, math.MaxInt64-1)+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("larger than %d bytes", limit)
	}
	return b, err
}
