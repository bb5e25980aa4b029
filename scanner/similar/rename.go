package similar

import (
	"fmt"
	"path"
	"strings"
)

// Anonymous replaces the names of units by numbers, as Rename does.
func (r *Result) Anonymous() {
	r.Rename(func(i int, _ string) string { return fmt.Sprintf("unit %03d", i+1) })
}

// hiddenName stands for the path of a file that belongs to no unit. It may have the name of a person.
const hiddenName = "name hidden"

// Rename replaces the names of units, also where a file has its unit's name, and the paths of files that belong to no unit. Other names
// of files within units stay.
func (r *Result) Rename(other func(i int, name string) string) {
	names := make(map[string]string)
	for i := range r.Units {
		n := other(i, r.Units[i].Name)
		names[r.Units[i].Name], r.Units[i].Name = n, n
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		for j := range p.Files {
			f := &p.Files[j]
			f.A.Path, f.B.Path = shownAs(p.A, f.A.Path, names), shownAs(p.B, f.B.Path, names)
		}
		for j := range p.Beside {
			b := &p.Beside[j]
			b.A, b.B = shownAs(p.A, b.A, names), shownAs(p.B, b.B, names)
		}
		p.A, p.B = names[p.A], names[p.B]
	}
	for _, g := range r.Groups {
		for i, u := range g.Units {
			g.Units[i] = names[u]
		}
	}
	for _, c := range r.Common {
		for i := range c.Code {
			c.Code[i].Path = shownAs(c.Units[0], c.Code[i].Path, names)
		}
		for i, u := range c.Units {
			c.Units[i] = names[u]
		}
	}
	for i := range r.Ledger {
		e := &r.Ledger[i]
		unit, below := unitOf(e.Path, names)
		if unit == "" {
			e.Path = hiddenName
			continue
		}
		e.Detail = strings.ReplaceAll(e.Detail, unit, names[unit])
		if e.Path = names[unit]; below != "" && below != path.Base(unit) {
			e.Path += "/" + shownAs(unit, below, names)
		}
	}
	r.Query = names[r.Query]
}

// shownAs renames the path of a file in a unit. A unit that is one file has a file of its name.
func shownAs(unit, file string, names map[string]string) string {
	for _, was := range []string{unit, path.Base(unit)} {
		if rest, ok := strings.CutPrefix(file, was); ok && (rest == "" || rest[0] == '/') {
			return names[unit] + rest
		}
	}
	return file
}

// unitOf returns the unit that a path of the ledger begins with, and the rest of the path.
func unitOf(file string, names map[string]string) (unit, below string) {
	for at := len(file); at > 0; at = strings.LastIndexByte(file[:at], '/') {
		if _, ok := names[file[:at]]; ok {
			return file[:at], strings.TrimPrefix(file[at:], "/")
		}
	}
	return "", ""
}
