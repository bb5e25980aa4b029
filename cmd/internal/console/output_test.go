package console

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "f"), filepath.Join(dir, "link")
	put := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	want := func(step, text string) {
		t.Helper()
		b, _ := os.ReadFile(file)
		es, _ := os.ReadDir(dir)
		if string(b) != text || len(es) > 2 {
			t.Errorf("%s: %q, %v", step, b, es)
		}
	}
	if err := WriteFile(file, put("one")); err != nil {
		t.Fatal(err)
	}
	want("new", "one")
	err := WriteFile(file, func(w io.Writer) error { return errors.Join(put("half")(w), io.ErrShortWrite) })
	if !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("error %v", err)
	}
	want("failed", "one")
	if err := errors.Join(os.Chmod(file, 0o600), os.Symlink("f", link)); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(link, put("two")); err != nil {
		t.Fatal(err)
	}
	want("through a link", "two")
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
}
