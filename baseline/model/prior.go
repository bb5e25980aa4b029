package model

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// The prior is a model learnt from 400 MB of unrelated packages in 14 languages (see docs/bench/prior.sh). To save
// space, it leaves out entries that fewer than one in two hundred units have. A baseline of one package cannot know
// what is common in its language; without the prior, every table test would be a finding. Each family is a model in a
// separate file.
var (
	//go:embed prior/bash.bin
	priorBash []byte
	//go:embed prior/c.bin
	priorC []byte
	//go:embed prior/csharp.bin
	priorCsharp []byte
	//go:embed prior/go.bin
	priorGo []byte
	//go:embed prior/java.bin
	priorJava []byte
	//go:embed prior/js.bin
	priorJs []byte
	//go:embed prior/kotlin.bin
	priorKotlin []byte
	//go:embed prior/lua.bin
	priorLua []byte
	//go:embed prior/php.bin
	priorPhp []byte
	//go:embed prior/python.bin
	priorPython []byte
	//go:embed prior/ruby.bin
	priorRuby []byte
	//go:embed prior/rust.bin
	priorRust []byte
	//go:embed prior/scala.bin
	priorScala []byte
	//go:embed prior/swift.bin
	priorSwift []byte
	//go:embed prior/words.bin
	priorWords []byte
)

// prior lists the files. They are queried as embedded, without unpacking.
func prior() [][]byte {
	return [][]byte{priorBash, priorC, priorCsharp, priorGo, priorJava, priorJs, priorKotlin, priorLua, priorPhp, priorPython, priorRuby, priorRust, priorScala, priorSwift, priorWords}
}

// Prior returns the model that comes with the program.
var Prior = sync.OnceValue(func() *Model {
	all := &Model{families: make(map[string]*Family)}
	for _, b := range prior() {
		m, err := unmarshal(b[len(magic):len(b)-4], (*reader).tables) // a test checks the checksum
		if err != nil {
			panic(fmt.Sprintf("model: built-in prior: %v", err)) // it is part of the program
		}
		all.Fill(m)
	}
	return all
})

// Write writes each family to a separate file. The prior is made with it.
func (m *Model) Write(dir string) error {
	for name, f := range m.families {
		one := &Model{families: map[string]*Family{name: f}}
		if err := os.WriteFile(filepath.Join(dir, name+".bin"), one.Marshal(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Trim returns the model without the entries that fewer than share of the units have.
func (m *Model) Trim(share float64) *Model {
	out := &Model{families: make(map[string]*Family)}
	for name, f := range m.families {
		g := &Family{Units: f.Units, All: f.All}
		for i := range f.tables {
			es, _ := f.tables[i].all()
			g.tables[i] = pack(slices.DeleteFunc(es, func(e entry) bool { return units(e.level) < share*float64(f.Units) }))
		}
		g.price()
		out.families[name] = g
	}
	return out
}
