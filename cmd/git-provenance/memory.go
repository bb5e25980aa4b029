package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// headroom is what may be allocated between two collections at least. By its own
// rule the collector takes its turn whenever a heap has doubled, which for a scan
// of a few files is nine times and a tenth of its CPU.
const headroom = 64 << 20

// budget is what the heap is to stay below before a collection: with it a long
// history stays below 500 MB, of which the rest are mapped files, the program and
// what is not the collector's.
const budget = 256 << 20

// leastGrowth is the growth, in percent, that heaps beyond the budget have all
// the same: less would be nothing but collections.
const leastGrowth = 25

// easeCollector gives small heaps that headroom; larger ones go by the usual
// rule, up to the budget, and all by GOGC where it is set.
func easeCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	ease := func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(growth(live[0].Value.Uint64()))
	}
	ease()
	afterCollections(ease)
}

// growth is by how many percent a heap may grow until the next collection.
func growth(live uint64) int {
	live = max(live, 4<<20)
	most := uint64(leastGrowth)
	if live < budget {
		most = max(most, 100*(budget-live)/live)
	}
	return int(min(max(100, 100*headroom/live), most))
}

// afterCollections calls fn after each collection.
func afterCollections(fn func()) {
	type witness struct{ self *byte }
	var next func(*witness)
	next = func(*witness) {
		fn()
		runtime.SetFinalizer(&witness{new(byte)}, next)
	}
	runtime.SetFinalizer(&witness{new(byte)}, next)
}
