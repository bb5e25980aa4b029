package model

import (
	_ "embed"
	"fmt"
	"sync"
)

// api holds the names that the platforms of our languages declare: standard libraries and widely used libraries. Code
// that calls them must keep their names. So an unchanged platform name is weak evidence, even if it is rare in the
// packages that the prior was learnt from. See docs/bench/names.sh.
//
// # Format, version 1
//
//	"GPNAMES1"
//	uvarint number of platforms, then for each, by name:
//	  uvarint length, name; uvarint bytes of its filter, filter
//	CRC32C of all before it
//
//go:embed api.bin
var api []byte

const apiMagic = "GPNAMES1"

// platforms lists, for each family, the platforms whose names its code uses. Languages that use more than the rest of their family have a
// list of their own, and so have Java and Swift for some texts (see PlatformsOf).
var platforms = map[string][]string{
	android:    {"java", "android"},
	foundation: {"foundation"},
	"c":        {"c", "clib", "cpp", "win32", "gui"},
	"csharp":   {"dotnet"},
	"go":       {"go"},
	"java":     {"java"},
	"js":       {"ecma", "node"},
	"kotlin":   {"java", "kotlin", "android"},
	"lua":      {"lua"},
	"objc":     objectiveC,
	"objcpp":   objectiveC,
	"php":      {"php"},
	"python":   {"python"},
	"ruby":     {"ruby"},
	"rust":     {"rust"},
	"scala":    {"java", "scala"},
	"swift":    {"apple"},
}

var objectiveC = []string{"c", "clib", "cpp", "gui", "apple"}

// filter is a set of name hashes (Bloom 1970). It is queried as stored in the file, so that nothing is unpacked at the
// start.
type filter []byte

// Parameters of a filter. 12 bits a name and 8 probes let one in three hundred other names pass.
const (
	filterBits   = 12
	filterProbes = 8
)

func (f filter) has(h uint32) bool {
	return len(f) > 0 && f.probe(h, func(b *byte, bit byte) bool { return *b&bit != 0 })
}

// probe calls at for each bit of a hash until at returns false. It reports whether all calls returned true.
func (f filter) probe(h uint32, at func(b *byte, bit byte) bool) bool {
	step := h*0x9E3779B1 | 1
	for range filterProbes {
		i := uint64(h) * uint64(8*len(f)) >> 32
		if !at(&f[i>>3], 1<<(i&7)) {
			return false
		}
		h += step
	}
	return true
}

// API returns the model that knows only the names of platforms.
var API = sync.OnceValue(func() *Model {
	m, err := platformsOf(api[len(apiMagic) : len(api)-4]) // a test checks the checksum
	if err != nil {
		panic(fmt.Sprintf("model: built-in names: %v", err)) // they are part of the program
	}
	return m
})

// filtersOf reads the filter of each platform.
func filtersOf(body []byte) (map[string]filter, error) {
	r := reader{b: body}
	filters := make(map[string]filter)
	for n := r.number(); n > 0 && !r.bad; n-- {
		name := string(r.take(r.number()))
		filters[name] = r.take(r.number())
	}
	if r.bad || len(r.b) > 0 {
		return nil, fmt.Errorf("%w: truncated or too long", errCorrupt)
	}
	return filters, nil
}

func platformsOf(body []byte) (*Model, error) {
	filters, err := filtersOf(body)
	if err != nil {
		return nil, err
	}
	m := &Model{families: make(map[string]*Family)}
	for family, ps := range platforms {
		f := new(Family)
		for _, p := range ps {
			f.api = append(f.api, filters[p])
		}
		m.families[family] = f
	}
	return m, nil
}

func (f *Family) isAPI(h uint32) bool {
	for _, p := range f.api {
		if p.has(h) {
			return true
		}
	}
	return false
}
