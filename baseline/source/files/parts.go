package files

import (
	"context"
	"errors"
	"iter"
	"path"
	"strings"
)

// Part is an archive that is a part of a package.
type Part struct {
	Name  string                              // of its file
	Dir   string                              // directory of its files, with a slash; "" is the root
	Hides string                              // directory of other parts that this part replaces, with a slash
	Walk  func(context.Context, *Visit) error // visits its files
}

// Control is the content of the .dsc of a Debian source package.
type Control struct {
	Source, Version string
	Parts           []ControlPart
}

// ControlPart is a file of a source package.
type ControlPart struct{ Name, SHA256 string }

// maxParts bounds the archives of a source package, which are open at the same time. Real ones have fewer than 64.
const maxParts = 256

// ReadControl reads a .dsc, signed or not. It does not check the signature. ok reports whether data is a .dsc that names each of its
// parts once, by a name without directories.
func ReadControl(data []byte) (c Control, ok bool) {
	key, sound := "", true
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "-----BEGIN PGP SIGNATURE") {
			break
		}
		if !strings.HasPrefix(line, " ") {
			var value string
			key, value, _ = strings.Cut(line, ":")
			switch value = strings.TrimSpace(value); key {
			case "Source":
				c.Source = value
			case "Version":
				c.Version = value
			}
			continue
		}
		if key != "Checksums-Sha256" {
			continue
		}
		f := strings.Fields(line)
		if len(f) != 3 || f[2] != path.Base(f[2]) || f[2] == ".." || strings.Contains(f[2], `\`) {
			sound = false // without this part, the package would be another one
			continue
		}
		c.Parts = append(c.Parts, ControlPart{f[2], f[0]})
	}
	names := map[string]bool{}
	for _, p := range c.Parts {
		names[p.Name] = true
	}
	return c, sound && c.Source != "" && c.Version != "" && len(c.Parts) > 0 && len(c.Parts) <= maxParts && len(names) == len(c.Parts)
}

// found is a file, or a skip, of a walk.
type found struct {
	path, reason, detail string
	data                 []byte
}

var errStop = errors.New("stopped")

// WalkParts visits the files of several archives as one package, in the order of their paths. If one archive is broken
// when it is opened, it yields no files of the others.
func WalkParts(ctx context.Context, parts []Part, v *Visit) error {
	if v.Check {
		for _, p := range parts {
			if err := p.Walk(ctx, v); err != nil {
				return err
			}
		}
		return nil
	}
	together := *v // the bound of bytes is for all parts
	together.parts = new(int64)
	v = &together
	errs := make([]error, len(parts))
	heads, next := make([]*found, len(parts)), make([]func() (found, bool), len(parts))
	pull := func(i int) error {
		heads[i] = nil
		if f, ok := next[i](); ok {
			heads[i] = &f
		}
		return errs[i]
	}
	for i, p := range parts {
		var stop func()
		next[i], stop = iter.Pull(p.files(ctx, parts, v, &errs[i]))
		defer stop()
		if err := pull(i); err != nil {
			return err
		}
	}
	for {
		first := -1
		for i, h := range heads {
			if h != nil && (first < 0 || h.path < heads[first].path) {
				first = i
			}
		}
		if first < 0 {
			return nil
		}
		if err := give(heads[first], v); err != nil {
			return err
		}
		if err := pull(first); err != nil {
			return err
		}
	}
}

func give(f *found, v *Visit) error {
	if f.reason != "" {
		v.Skipped(f.path, f.reason, f.detail)
		return nil
	}
	return v.File(f.path, f.data)
}

// files yields the files and skips of a part, under its directory.
func (p Part) files(ctx context.Context, all []Part, v *Visit, failed *error) iter.Seq[found] {
	hidden := func(name string) bool {
		for _, o := range all {
			if o.Name != p.Name && o.Hides != "" && strings.HasPrefix(name, o.Hides) {
				return true
			}
		}
		return false
	}
	return func(yield func(found) bool) {
		stopped := false
		inner := *v
		inner.Wanted = func(name string) bool { return !stopped && !hidden(p.Dir+name) && v.wants(p.Dir+name) }
		inner.Skipped = func(name, reason, detail string) {
			if !stopped && !hidden(p.Dir+name) {
				stopped = !yield(found{path: p.Dir + name, reason: reason, detail: detail})
			}
		}
		inner.File = func(name string, data []byte) error {
			if stopped = stopped || !yield(found{path: p.Dir + name, data: data}); stopped {
				return errStop
			}
			return nil
		}
		if err := p.Walk(ctx, &inner); err != nil && !errors.Is(err, errStop) {
			*failed = err
		}
	}
}
