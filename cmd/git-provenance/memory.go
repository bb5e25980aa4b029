package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// headroom is the least memory that may be allocated between two collections. By default the collector runs whenever
// the heap has doubled. In a scan of a few files that is nine times, a tenth of its CPU.
const headroom = 64 << 20

// budget is the heap size that growth aims to stay below. With it a long history stays below 500 MB. The rest is mapped
// files, the program, and memory outside the collector.
const budget = 256 << 20

// leastGrowth is the growth, in percent, that heaps beyond the budget still have. Less would mean constant collections.
const leastGrowth = 25

// easeCollector gives small heaps that headroom. Larger heaps follow the default rule up to the budget. If GOGC is set,
// it decides alone.
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

// growth returns by how many percent a heap may grow until the next collection.
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
