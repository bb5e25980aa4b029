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

// easeCollector gives small heaps that headroom; larger ones go by the usual
// rule, and all by GOGC where it is set.
func easeCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	ease := func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(int(max(100, 100*headroom/max(live[0].Value.Uint64(), 4<<20))))
	}
	ease()
	afterCollections(ease)
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
