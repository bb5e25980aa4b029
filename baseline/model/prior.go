package model

import (
	_ "embed"
	"fmt"
	"sync"
)

// prior is a model learnt from 400 MB of unrelated packages in 14 languages (see
// docs/bench/prior.sh), compressed by leaving out what fewer than one in two
// hundred units have. A baseline of one package knows nothing of what is common
// in its language; without the prior every table test would accuse it.
//
//go:embed prior.bin
var prior []byte

// Prior returns the model that comes with the program.
var Prior = sync.OnceValue(func() *Model {
	m, err := Unmarshal(prior)
	if err != nil {
		panic(fmt.Sprintf("model: built-in prior: %v", err)) // it is part of the program
	}
	return m
})

// Trim returns the model without what fewer than share of the units have.
func (m *Model) Trim(share float64) *Model {
	out := &Model{families: make(map[string]*Family)}
	for name, f := range m.families {
		g := &Family{Units: f.Units, All: f.All}
		for i, t := range f.tables {
			for j, l := range t.levels {
				if units(l) >= share*float64(f.Units) {
					g.tables[i].hashes = append(g.tables[i].hashes, t.hashes[j])
					g.tables[i].levels = append(g.tables[i].levels, l)
				}
			}
		}
		g.price()
		out.families[name] = g
	}
	return out
}
