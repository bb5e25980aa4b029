package units

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// pseudonyms maps pseudonyms, which are made with a key, to names. The first line of its file has the key. Every other
// line has a pseudonym and a name.
type pseudonyms struct {
	key   []byte
	lines []string
	names map[string]string // by pseudonym
}

const maxPseudonymFile = 16 << 20

// Pseudonymise replaces the names of units by pseudonyms. They are made with the key in a file, which then lists the
// names. The file is created if it does not exist.
func Pseudonymise(r *similar.Result, file string) error {
	p, err := readPseudonyms(file)
	if err != nil {
		return err
	}
	bases := make(map[string]int)
	for _, u := range r.Units {
		bases[path.Base(u.Name)]++
	}
	r.Rename(func(name string) string {
		if b := path.Base(name); bases[b] == 1 {
			name = b // independent of the directory's location
		}
		return p.of(name)
	})
	return p.write(file)
}

// readPseudonyms reads the file, or makes a key if it does not exist.
func readPseudonyms(file string) (*pseudonyms, error) {
	p := &pseudonyms{key: make([]byte, 32), names: make(map[string]string)}
	in, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		_, err := rand.Read(p.key)
		return p, err
	}
	if err != nil {
		return nil, fmt.Errorf("read pseudonyms: %w", err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxPseudonymFile))
	if err != nil {
		return nil, fmt.Errorf("read pseudonyms %q: %w", file, err)
	}
	first, rest, _ := strings.Cut(string(data), "\n")
	if p.key, err = hex.DecodeString(strings.TrimPrefix(first, "key ")); err != nil || len(p.key) != 32 {
		return nil, fmt.Errorf("read pseudonyms %q: its first line is not \"key\" and 64 hexadecimal digits", file)
	}
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\n")
		p.lines = append(p.lines, line)
		if made, name, ok := strings.Cut(line, "\t"); ok {
			p.names[made] = name
		}
	}
	return p, nil
}

// of returns the pseudonym of a name. If another name has the same pseudonym, this one gets a longer one.
func (p *pseudonyms) of(name string) string {
	h := hmac.New(sha256.New, p.key)
	h.Write([]byte(name))
	sum := hex.EncodeToString(h.Sum(nil))
	quoted := fmt.Sprintf("%q", name)
	for n := 8; ; n += 4 {
		made := "unit " + sum[:n]
		switch p.names[made] {
		case quoted:
			return made
		case "":
			p.names[made] = quoted
			p.lines = append(p.lines, made+"\t"+quoted)
			return made
		}
		if n == len(sum) {
			return made
		}
	}
}

// write saves the key and the names, readable by their owner only.
func (p *pseudonyms) write(file string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "key %x\n", p.key)
	for _, l := range p.lines {
		fmt.Fprintln(&b, l)
	}
	return console.ReplaceFile(file, 0o600, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
}
