package cmd

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/term"
)

// writeOutput gives a file the content that render writes, in one step: on any
// failure there is what was there before. What is no regular file, such as a
// pipe, is written to as it is.
func writeOutput(name string, render func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	mode := fs.FileMode(0o666)
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
		return writeDirectly(name, render)
	} else if err == nil {
		mode = st.Mode().Perm()
	}
	return replaceFile(name, mode, render)
}

func writeDirectly(name string, render func(io.Writer) error) (err error) {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	defer closeAll(&err, []*os.File{f})
	return render(f)
}

func replaceFile(name string, mode fs.FileMode, render func(io.Writer) error) (err error) {
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

// terminal returns the width of the terminal a stream is connected to, 0 if none.
func terminal(w any) (width int, ok bool) {
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

// colored reports whether a terminal should get colours: see no-color.org.
func (p *program) colored() bool {
	return p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb"
}

// writes returns a function that writes b.
func writes(b []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}
}
